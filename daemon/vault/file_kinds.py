"""Which files beside notes there are for a profile: by their names, and by what its settings say of them."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import cast

import msgspec

from scrubjay.daemon.documents.extracted import kind_of
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.kinds import FileKind
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.profile_settings import FileSettings

_SETTINGS = ".obsidian/app.json"
_MAX_SETTINGS_BYTES = 4_000_000

# Found by their names alone; nothing reads their content.
_PICTURES = frozenset({".svg", ".avif", ".heic"})
_MEDIA = frozenset(
    {".mp3", ".wav", ".m4a", ".ogg", ".flac", ".3gp", ".opus", ".mp4", ".webm", ".ogv", ".mov", ".mkv", ".zip"}
)


@lru_cache(maxsize=4_096)
def file_kind(name: str) -> FileKind | None:
    """The kind of a file that is no note, by its name or path; None for a note, and for what is no attachment."""
    if is_note(name):
        return None
    kind = kind_of(name)
    if kind is not None:
        return cast("FileKind", kind.value)
    ending = suffix_of(name)
    return "image" if ending in _PICTURES else "media" if ending in _MEDIA else None


def suffix_of(name: str) -> str:
    """The last extension in lower case, with its dot; "" where there is none."""
    stem, dot, ending = name.rpartition("/")[2].rpartition(".")
    return dot + ending.lower() if stem else ""


def wanted_files(root: Path, settings: FileSettings) -> Callable[[str], bool]:
    """Whether a file of the vault at `root` is found at all, by its vault-relative path."""
    code = frozenset(settings.code)
    is_attachment = _in_attachment_folder(root) if not settings.attachments else None

    def wants(path: str) -> bool:
        kind = file_kind(path)
        if kind is None or (kind == "code" and suffix_of(path) not in code):
            return False
        return is_attachment is None or not is_attachment(path)

    return wants


class _Settings(msgspec.Struct, rename="camel"):
    attachment_folder_path: str = ""


def attachment_folder(root: Path) -> str:
    """Where Obsidian puts attachments: a folder of the vault, "./name" for one beside each note, "" for no such."""
    try:
        with (root / _SETTINGS).open("rb") as settings:
            data = settings.read(_MAX_SETTINGS_BYTES)
        folder = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_Settings).attachment_folder_path
    except (OSError, msgspec.MsgspecError, RecursionError):
        return ""
    return "" if folder in {"", "/", ".", "./"} else folder.rstrip("/")


def _in_attachment_folder(root: Path) -> Callable[[str], bool]:
    folder = attachment_folder(root)
    if folder.startswith("./"):
        name = f"/{file_key(folder[2:])}/"
        return lambda path: name in f"/{file_key(path)}"
    prefix = f"{file_key(folder.strip('/'))}/"
    return lambda path: bool(folder) and file_key(path).startswith(prefix)
