"""Which language model the user has named, whether it may be sent anything, and its key in the OS keyring."""

import contextlib
import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrubjay.daemon.answers.port_owner import stranger_at
from scrubjay.daemon.settings import Llm
from scrubjay.profiles.errors import Unavailable, UsageError
from scrubjay.profiles.os_keyring import KeyringFails, forget_secret, get_secret, put_secret

if TYPE_CHECKING:
    import httpx


class ModelTrouble(Unavailable):
    """The language model did not answer, or not in a way that can be used. The message is for a person."""

    code = "language-model"


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server that may be sent passages. Made by `server_of` alone."""

    url: str  # of the API, without a slash at its end
    address: str  # host, and the port where it is named
    port: int
    is_here: bool  # on this computer
    model: str
    seconds: float  # one answer may take
    key: str = field(default="", repr=False)


def server_of(llm: Llm, key: str = "") -> Server:
    """The server that the settings name. key: its API key.

    Raises UsageError for what is no address, or an address on another computer that `allow_host` does not name.
    """
    url = _parsed(llm.url)
    is_here = is_loopback(url.host)
    if not is_here and url.host != llm.allow_host.strip().lower():
        raise UsageError(
            f"{url.host} is another computer. To have questions and passages sent there, name it a second time:"
            f' allow_host = "{url.host}" below [llm] in settings.toml, or --allow-host {url.host}.'
        )
    return Server(
        url=str(url).rstrip("/"),
        address=url.netloc.decode("ascii"),
        port=url.port or (443 if url.scheme == "https" else 80),
        is_here=is_here,
        model=llm.model,
        seconds=llm.seconds,
        key=key,
    )


def other_at(server: Server) -> int | None:
    """The user id of another person whose program has the port of a server on this computer; None where none has it."""
    return stranger_at(server.port) if server.is_here else None


def taken_by_another(server: Server) -> str:
    """That another person's program has the port of a server on this computer, in a sentence; "" where none has it.

    It would be sent what notes say. Told on Linux alone; between the look and the sending somebody may still take it.
    """
    other = other_at(server)
    if other is None:
        return ""
    return (
        f"Nothing was sent: at {server.address} listens a program of another user of this computer (user id {other}),"
        " who would read what your notes say. Start your own model server at another port, and name that."
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this computer, by its name or address alone: nothing is looked up."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parsed(text: str) -> "httpx.URL":
    """The address, read as the HTTP client will read it."""
    import httpx  # noqa: PLC0415 - 6 MB, for those alone who have named a server

    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError("The address of a model server is like http://127.0.0.1:11434/v1.")
    if url.userinfo or url.query or url.fragment:
        raise UsageError("The address of a model server has no user name, question mark or #: a key goes by --key.")
    return url


def key_for(address: str) -> str:
    """The key of the server at an address (host and port). Raises ModelTrouble where the keyring has none."""
    try:
        found = get_secret(_name(address))
    except KeyringFails:
        found = None
    if not found:
        raise ModelTrouble(f"The keyring has no API key for {address}. Give it again: scrubjay llm use, with --key.")
    return found


def keep_key(address: str, key: str) -> None:
    """Keep a key, in place of any before. Raises ModelTrouble where there is no keyring: it is kept in no file."""
    try:
        put_secret(_name(address), key)
    except KeyringFails:
        raise ModelTrouble("There is no keyring here, and an API key is kept nowhere else.") from None


def forget_key(llm: Llm) -> None:
    """Forget the key of the server that these settings name, if it has one."""
    with contextlib.suppress(KeyringFails, UsageError):
        if llm.key:
            forget_secret(_name(server_of(llm).address))


def _name(address: str) -> str:
    return f"llm {address}"
