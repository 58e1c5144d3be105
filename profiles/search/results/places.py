"""What a place in a file is called, and the address by which Obsidian opens a file there. Pure."""

from collections.abc import Sequence
from urllib.parse import quote

from scrubjay.profiles.kinds import NOTE

_UNITS = {
    "pdf": "page",
    "slides": "slide",
    "sheet": "sheet",
    "book": "chapter",
    "canvas": "card",
    "notebook": "cell",
    "document": "section",
    "web": "section",
    "text": "line",
    "code": "line",
}
_NAMELESS = frozenset({"canvas"})  # whose places are ids, which say nothing to a person


def place_name(kind: str, place: str) -> str:
    """A place in words: "page 3", "sheet Budget", "metadata"; "" for none, and in a note."""
    unit = _UNITS.get(kind, "")
    if not place or not unit:
        return ""
    if kind in _NAMELESS:
        return unit
    return f"{unit} {place}" if place.isdecimal() or kind in ("sheet", "book") else place


def path_with_place(path: str, kind: str, place: str, line: int) -> str:
    """Where a passage stands: "Bread.md:7" in a note, "invoice.pdf, page 3" in another file."""
    if kind == NOTE:
        return f"{path}:{line}"
    named = place_name(kind, place)
    return f"{path}, {named}" if named else path


def display_name(title: str, kind: str, place: str) -> str:
    """What a result is called: "invoice.pdf · page 3", the title of a note."""
    named = place_name(kind, place)
    return f"{title} · {named}" if named else title


def open_url(vault: str, path: str, kind: str, place: str, headings: Sequence[str] = ()) -> str:
    """Opens a file in Obsidian, in whichever vault is called so: a PDF at its page, a note at its heading."""
    below = place_anchor(kind, place) or (headings[-1] if kind == NOTE and headings else "")
    file = path.removesuffix(".md") if kind == NOTE else path
    anchor = f"#{below}" if below else ""
    return f"obsidian://open?vault={quote(vault, safe='')}&file={quote(file + anchor, safe='')}"


def place_anchor(kind: str, place: str) -> str:
    """What a link names after "#" to lead to a place; "" where Obsidian knows no such link."""
    return f"page={place}" if kind == "pdf" and place.isdecimal() else ""
