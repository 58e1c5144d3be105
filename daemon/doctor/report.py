"""A diagnosis to show to others: what the checks say, versions, settings, figures, the log; nothing of the notes."""

import contextlib
import importlib.metadata
import io
import platform
import re
import time
import zipfile
from collections import Counter
from pathlib import Path

import msgspec

from scrubjay.credential_filter import redact
from scrubjay.daemon import __version__
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.doctor.checks import CheckResult, examine
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.settings import load_settings
from scrubjay.profiles.errors import ScrubjayError, UsageError
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.server_address import ServerAddress

_LOG_LINES = 1_000
_LIBRARIES = (
    "apsw-sqlite3mc", "fastembed", "keyring", "litestar", "numpy", "onnxruntime", "sqlite-vec", "tokenizers",
    "uvicorn", "watchfiles",
)  # fmt: skip


def write_report(home: Home, folder: Path) -> Path:
    """Write the diagnosis as a zip of text files into `folder`, readable by its owner alone; returns its path."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(home).items():
            archive.writestr(name, text)
    path = folder / f"scrubjay-report-{time.strftime('%Y%m%d-%H%M%S')}.zip"
    write_private(path, packed.getvalue())
    return path


def parts(home: Home) -> dict[str, str]:
    """The diagnosis by file name. Names of profiles, vaults and folders are taken out, and so are credentials."""
    found = {
        "checks.txt": "\n".join(map(_line, examine(home))),
        "versions.txt": _versions(),
        "settings.toml": _text(home.settings),
        "figures.json": _figures(home),
        "log.jsonl": "\n".join(_text(home.logs / "daemon.log").splitlines()[-_LOG_LINES:]),
    }
    hide = NameMasking(home)
    return {name: hide(text) for name, text in found.items()}


class NameMasking:
    """Replaces names and paths in a text that could identify its owner."""

    def __init__(self, home: Home) -> None:
        named = {str(Path.home()): "~", Path.home().name: "USER"}
        with contextlib.suppress(UsageError):  # settings that can't be read are shown by their fault
            named[load_settings(home.settings).llm.allow_host] = "HOST"
        survey = Registry(home.profiles).survey()
        for number, profile in enumerate(survey.profiles, start=1):
            named |= {vault.root: f"VAULT-{number}" for vault in profile.vaults}
            named |= {vault.name: f"VAULT-{number}" for vault in profile.vaults}
            named[profile.name] = f"PROFILE-{number}"
            named |= _of_server(profile.server, number)
        for number, unreadable in enumerate(survey.unreadable, start=len(survey.profiles) + 1):
            # What is wrong with a value may quote it.
            named |= {unreadable.reason: "profile.toml can't be read", unreadable.name: f"PROFILE-{number}"}
        self._named = {name: hidden for name, hidden in named.items() if len(name) > 1}
        longest_first = sorted(self._named, key=len, reverse=True)
        # Where there is nothing to hide, such as in a container whose home is "/", nothing must match.
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first) or r"(?!)")

    def __call__(self, text: str) -> str:
        """The text without them."""
        return redact(self._pattern.sub(lambda match: self._named[match[0]], text)).text


def _of_server(server: str, number: int) -> dict[str, str]:
    """What tells of a team's server, and who its member is."""
    if not server:
        return {}
    address = ServerAddress.parse(server)
    parts = {address.host: "HOST", address.server: "SERVER", address.user: "MEMBER", address.database: "DATABASE"}
    return {server: f"SERVER-{number}"} | {text: f"{what}-{number}" for text, what in parts.items()}


def _line(finding: CheckResult) -> str:
    return f"{finding.verdict:<5} {finding.about}: {finding.seen}{f' ({finding.advice})' if finding.advice else ''}"


def _versions() -> str:
    lines = [f"scrubjay {__version__}", f"Python {platform.python_version()}", platform.platform()]
    return "\n".join(lines + [f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES])


def _text(file: Path) -> str:
    return file.read_text("utf-8", "replace") if file.is_file() else ""


def _figures(home: Home) -> str:
    """Sizes and states of the profiles, and why files were left out: how many for each reason, not which."""
    try:
        with ScrubjayClient.discover(home) as client:
            status = client.ask(STATUS)
    except ScrubjayError as error:
        return msgspec.json.encode({"daemon": error.code}).decode()
    # A profile whose settings can't be read may have names that can't be masked, since they are unknown.
    are_names_known = not Registry(home.profiles).survey().unreadable
    profiles = [
        {
            "state": each.state,
            "reason": each.reason if are_names_known else "",
            "notes": each.notes,
            "chunks": each.chunks,
            "pending_embeddings": each.pending_embeddings,
            "bytes_on_disk": each.bytes_on_disk,
            "failures": Counter(failure.code for failure in each.failures),
            "kinds": each.kinds,
        }
        for each in status.profiles
    ]
    figures = {"uptime_seconds": status.uptime_seconds, "memory_bytes": status.memory_bytes, "profiles": profiles}
    return msgspec.json.format(msgspec.json.encode(figures), indent=2).decode()
