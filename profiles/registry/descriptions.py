"""What the user says of folders, such as "meeting notes of team A": it travels with what is found there to agents."""

from collections.abc import Iterable
from typing import Annotated, TypeAlias

import msgspec

from scrubjay.profiles.names import file_key

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
