"""Texts of notes inside Markdown that Scrubjay writes itself: none can pass for what stands around it."""

from scrubjay.daemon.printable import printable


def quoted(text: str) -> str:
    """The text as a block quotation, each of its lines marked, without what would steer a terminal."""
    return "\n".join(f"> {printable(line)}".rstrip() for line in text.splitlines())
