"""What a profile reads beside notes: PDFs, office documents, canvases, pictures, source code."""

import re
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.kinds import TEXT_KINDS, FileKind

_EXTENSION = re.compile(r"\.[a-z0-9]{1,10}")
CodeExtension: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^\.[a-z0-9]{1,10}$", examples=[".py"])]


class FileSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which files of the allowed folders are found, and of which the text is read. All others are found by name.

    Files follow the same allowlist and exclusions as notes.
    """

    kinds: tuple[FileKind, ...] = TEXT_KINDS  # of which the text is read
    code: tuple[
        CodeExtension, ...
    ] = ()  # extensions of source code, such as ".py"; other code is not even found by name
    attachments: bool = True  # off: Obsidian's own folder for attachments is left out
    ocr: bool = False  # text in pictures and scans is recognised, after everything else


def with_kinds(settings: FileSettings, kinds: Sequence[str], *, are_read: bool) -> FileSettings:
    """The same with the text of these kinds read, or not read. Raises InvalidProfile for a kind that has no text."""
    unknown = [kind for kind in kinds if kind not in TEXT_KINDS]
    if unknown:
        raise InvalidProfile(f"{unknown[0]!r} is not one of {', '.join(TEXT_KINDS)}.")
    wanted = {*settings.kinds, *kinds} if are_read else set(settings.kinds) - set(kinds)
    return msgspec.structs.replace(settings, kinds=tuple(kind for kind in TEXT_KINDS if kind in wanted))


def with_code(settings: FileSettings, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> FileSettings:
    """The same with source code of these extensions read, or not; "all" removes all. Raises InvalidProfile."""
    added = [extension if extension.startswith(".") else f".{extension}" for extension in map(str.lower, add)]
    odd = next((extension for extension in added if not _EXTENSION.fullmatch(extension)), None)
    if odd is not None:
        raise InvalidProfile(f"{odd!r} is not an extension such as .py.")
    gone = {f".{extension.lower().lstrip('.')}" for extension in remove}
    kept = () if ".all" in gone else (extension for extension in settings.code if extension not in gone)
    return msgspec.structs.replace(settings, code=tuple(sorted({*kept, *added})))
