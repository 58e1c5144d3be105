"""What kinds of files there are beside Markdown notes, by the names that settings, filters and replies use."""

from typing import Literal, TypeAlias, get_args

FileKind: TypeAlias = Literal[
    "pdf",
    "document",
    "slides",
    "sheet",
    "book",
    "web",
    "canvas",
    "base",
    "drawing",
    "text",
    "notebook",
    "code",
    "image",
    "media",
]
FILE_KINDS: tuple[FileKind, ...] = get_args(FileKind)

NOTE = "note"
"""What the kind of a Markdown note is called in filters and replies; in rows it is ""."""

TEXT_KINDS: tuple[FileKind, ...] = tuple(kind for kind in FILE_KINDS if kind not in ("code", "image", "media"))
"""Of which the text is read unless a profile says otherwise. Code is read where it is wished for, and by extension."""


def shown_kind(kind: str) -> str:
    """The kind as replies have it."""
    return kind or NOTE
