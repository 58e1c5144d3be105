"""Parts of a profile's settings: what is said of folders, what is read beside notes, what vaults are called."""

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import PurePath
from typing import Annotated, TypeAlias

import msgspec

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.kinds import TEXT_KINDS, FileKind
from scrubjay.profiles.names import file_key, fold

MOST_CHARACTERS = 200
Said: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_CHARACTERS)]


class FolderDescription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A folder of a vault ("." is all of it), or one note, and what the user says of it."""

    folder: str  # vault-relative, in the spelling of `relative_path`
    text: Said


Descriptions: TypeAlias = tuple[FolderDescription, ...]


def description_of(path: str, descriptions: Descriptions) -> str:
    """What is said of the note at a vault-relative path: by the longest folder that it lies in; "" where none is."""
    holding = [each for each in descriptions if _is_in(path, each.folder)]
    return max(holding, key=lambda each: len(_key(each.folder))).text if holding else ""


def described(descriptions: Descriptions, folder: str, text: str) -> Descriptions:
    """The same with `text` for `folder`, in the order of the folders. text: "" takes the folder's away."""
    others = [each for each in descriptions if _key(each.folder) != _key(folder)]
    added = [FolderDescription(folder=folder, text=text)] if text else []
    return tuple(sorted((*others, *added), key=lambda each: _key(each.folder)))


def without(descriptions: Descriptions, folders: Iterable[str]) -> Descriptions:
    """The descriptions of none of these folders, nor of any below them."""
    gone = tuple(folders)
    return tuple(each for each in descriptions if not any(_is_in(each.folder, folder) for folder in gone))


def _is_in(path: str, folder: str) -> bool:
    return f"{_key(path)}/".startswith(f"{_key(folder)}/") if _key(folder) else True


def _key(folder: str) -> str:
    return "" if folder == "." else file_key(folder)


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


_ID_BYTES = 4


def team_vault_id(name: str, key: bytes) -> str:
    """The id of a vault of this name in a team's profile: the same on every machine, so that its notes are the same."""
    return blake2b(
        fold(name).encode("utf-8", "surrogatepass"), key=key, digest_size=_ID_BYTES, person=b"vault"
    ).hexdigest()


def told_apart(folders: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names for folders, in their order, no two alike but for case. folders: (absolute path, name) of each.

    A folder whose name another before it has is called after its parent, too: "Notes (Work)". Names that differ
    already stay, and so do those that were told apart before.
    """
    taken: dict[str, str] = {}
    for root, name in folders:
        free = _free(root, name, taken.keys())
        taken[free.casefold()] = free
    return tuple(taken.values())


def _free(root: str, name: str, taken: Iterable[str]) -> str:
    if name.casefold() in taken and (parent := PurePath(root).parent.name):
        name = f"{name} ({parent})"
    free, number = name, 2
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free
