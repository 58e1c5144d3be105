"""Text with a little markup: plain text, Org, reStructuredText and LaTeX, cut at their headings.

Markup that says nothing to a reader stays: a search passes over it, and nothing that was written is lost.
"""

import re
from collections.abc import Callable, Iterator

from scrubjay.daemon.documents.extracted import DocumentPart
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.json_and_links import markdown_links
from scrubjay.daemon.documents.parsers.sections import ParsedFile

_ORG_HEADING = re.compile(r"\*+ +(.{1,300})")
_ORG_LINK = re.compile(r"\[\[(?:file:)?([^\[\]\n:]{1,500})(?:::[^\]\n]{0,200})?\](?:\[[^\[\]\n]{0,500}\])?\]")
_TEX_HEADING = re.compile(
    r"\s*\\(?:part|chapter|(?:sub){0,2}section|paragraph)\*?\s*(?:\[[^\]]{0,200}\])?\{(.{1,300}?)\}"
)
_RULED = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}\s*")

Heading = Callable[[list[str], int], str]


def read_text(data: bytes) -> ParsedFile:
    """Plain text, as one part: its place is its first line."""
    text = as_text(data)
    return ParsedFile([DocumentPart("1", "", text)] if text.strip() else [], links=markdown_links(text))


def read_org(data: bytes) -> ParsedFile:
    """Emacs' Org: a part for each heading, whose place is its line."""
    text = as_text(data)
    return ParsedFile(_cut(text, _org_heading), links=_ORG_LINK.findall(text))


def read_tex(data: bytes) -> ParsedFile:
    """LaTeX: a part for each sectioning command."""
    return ParsedFile(_cut(as_text(data), _tex_heading))


def read_rst(data: bytes) -> ParsedFile:
    """reStructuredText: a part for each title with a line of punctuation below it."""
    return ParsedFile(_cut(as_text(data), _rst_heading))


def _cut(text: str, heading: Heading) -> Iterator[DocumentPart]:
    """The text in pieces that begin at headings; a piece has its heading as its first line, too."""
    lines = text.split("\n")
    begin, label = 0, ""
    for at in range(len(lines)):
        if found := heading(lines, at):
            if piece := "\n".join(lines[begin:at]).strip("\n"):
                yield DocumentPart(str(begin + 1), label, piece)
            begin, label = at, found
    if piece := "\n".join(lines[begin:]).strip("\n"):
        yield DocumentPart(str(begin + 1), label, piece)


def _org_heading(lines: list[str], at: int) -> str:
    match = _ORG_HEADING.fullmatch(lines[at])
    return match[1].strip() if match else ""


def _tex_heading(lines: list[str], at: int) -> str:
    match = _TEX_HEADING.match(lines[at])
    return match[1].strip() if match else ""


def _rst_heading(lines: list[str], at: int) -> str:
    title = lines[at].strip()
    if not title or at + 1 == len(lines) or _RULED.fullmatch(title):
        return ""
    ruled = _RULED.fullmatch(lines[at + 1])
    return title if ruled and len(lines[at + 1].rstrip()) >= len(title) else ""
