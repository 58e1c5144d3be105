"""Texts of notes inside Markdown that Scrubjay writes itself: none can pass for what stands around it."""


def quoted(text: str) -> str:
    """The text as a block quotation, each of its lines marked."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def one_line(text: str) -> str:
    """The text in one line, each run of white space as one space."""
    return " ".join(text.split())
