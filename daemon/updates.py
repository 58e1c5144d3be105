"""Which version of Scrubjay is the newest, and how this installation is brought up to it.

The package index is asked when a person says so, and never otherwise. It is sent one request, which tells nothing of
the notes, of this machine, or of the version that runs on it.
"""

from pathlib import PurePath

import httpx
import msgspec

from scrubjay.profiles.errors import Unavailable

INDEX = "https://pypi.org/pypi/scrubjay/json"
"""Where the newest version is told: the JSON of PyPI (https://docs.pypi.org/api/json/)."""

_SECONDS = 20.0
_LONGEST_REPLY = 8_000_000  # bytes


_INSTALLERS = (  # the folders that each keeps what it installs in; the first that fits
    ({"cellar"}, "brew upgrade scrubjay"),
    ({"pipx"}, "pipx upgrade scrubjay"),
    ({"uv", "tools"}, "uv tool upgrade scrubjay"),
    ({"uv"}, "uvx scrubjay@latest"),
)


class NoAnswer(Unavailable):
    """The package index can't be reached, or says nothing of Scrubjay that can be understood."""

    code = "no-answer"


class _Info(msgspec.Struct, frozen=True):
    version: str


class _Project(msgspec.Struct, frozen=True):
    info: _Info


class Newest(msgspec.Struct, frozen=True):
    """What `scrubjay update --check` found; `how` brings this installation up to date."""

    installed: str
    newest: str
    is_newer: bool
    how: str
    asked: str


def newest_version(index: str = INDEX) -> str:
    """The newest version that is neither withdrawn nor a trial. Raises NoAnswer."""
    try:
        with (
            httpx.Client(timeout=_SECONDS, headers={"User-Agent": "scrubjay", "Accept": "application/json"}) as http,
            http.stream("GET", index) as reply,
        ):
            if reply.status_code == 404:
                raise NoAnswer(f"{index} knows no Scrubjay: nothing is published there yet.")
            if not reply.is_success:
                raise NoAnswer(f"{index} answered {reply.status_code}. Try again later.")
            body = bytearray()
            for piece in reply.iter_bytes():
                body += piece
                if len(body) > _LONGEST_REPLY:
                    raise NoAnswer(f"{index} does not end. Nothing of it was used.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NoAnswer(f"{index} can't be reached: {error or type(error).__name__}.") from None
    try:
        version = msgspec.json.decode(bytes(body), type=_Project).info.version
        parsed(version)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError):
        raise NoAnswer(f"{index} answered something else than a version. Is it a package index?") from None
    return version


def parsed(version: str) -> tuple[int, ...]:
    """A version such as 1.2.3, to compare. Raises ValueError."""
    parts = version.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{version} is no version such as 1.2.3")
    return tuple(int(part) for part in parts)


def how_to_update(executable: PurePath, *, frozen: bool, is_checkout: bool) -> str:
    """How an installation is brought up to date, by where its program or its Python is."""
    places = {part.lower() for part in executable.parts}
    if frozen:
        in_package = {"usr", "lib"} <= places
        return "sudo apt install ./NEW.deb" if in_package else "unpack the new version in place of this folder"
    if is_checkout:
        return "git pull && make setup"
    return next((how for folders, how in _INSTALLERS if folders <= places), "python -m pip install --upgrade scrubjay")
