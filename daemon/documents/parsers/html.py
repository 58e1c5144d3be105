"""HTML as its readable blocks: headings and paragraphs, without menus, scripts and the like."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from scrubjay.daemon.documents.parsers.json_and_links import file_link

_UNREAD = frozenset({"script", "style", "template", "svg", "math", "object", "iframe", "canvas", "select", "datalist"})
_AROUND = frozenset({"nav", "footer", "aside", "form", "menu", "dialog"})  # beside what a page is about
_BLOCKS = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("header", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary"),
        *("table", "tbody", "tfoot", "thead", "tr", "ul"),
    ]
)
_CELLS = frozenset({"td", "th"})  # which stay on their row's line
_HEADING = re.compile("h[1-6]")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_DEEPEST = 500


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading (level 1–6, else 0) or a table's row."""

    text: str
    level: int
    linked: int  # characters of it that are links
    main: bool  # within <main> or <article>
    around: bool  # within a menu, a footer or the like


@dataclass(slots=True)
class Page:
    """What an HTML file says."""

    title: str = ""
    metadata: list[str] = field(default_factory=list[str])  # descriptions, authors, keywords
    blocks: list[Block] = field(default_factory=list[Block])
    links: list[str] = field(default_factory=list[str])  # to files beside it


def html_page(text: str) -> Page:
    """The blocks of an HTML text, whatever is wrong with it, in their order."""
    reader = _Reader()
    reader.feed(_closed(text))
    reader.close()
    reader.flush()
    return reader.page


def _closed(text: str) -> str:
    """The text without beginnings of comments and tags that never end: each end would be looked for in all of it."""
    comments = text.rfind("-->") + 1
    text = text[:comments] + text[comments:].replace("<!--", " ")
    tags = text.rfind(">") + 1
    return text[:tags] + text[tags:].replace("<", "&lt;")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[str] = []
        self._pieces: list[str] = []
        self._linked = 0
        self._in: dict[str, int] = {}  # how often each name is open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See HTMLParser."""
        found = {name: value or "" for name, value in attrs}
        if tag in _BLOCKS:
            self.flush()
        if tag == "meta" and found.get("content") and _told(found):
            self.page.metadata.append(found["content"])
        elif tag == "a" and (link := file_link(found.get("href", "").partition("#")[0])):
            self.page.links.append(link)
        elif tag == "img" and found.get("alt"):
            self._pieces.append(f" {found['alt']} ")
        if tag in _CELLS and self._pieces:
            self._pieces.append(" | ")
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(tag)
            self._in[tag] = self._in.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        """See HTMLParser."""
        if not self._in.get(tag):
            return
        if tag in _BLOCKS:
            self.flush()
        while self._open:
            closed = self._open.pop()
            self._in[closed] -= 1
            if closed == tag:
                return

    def handle_data(self, data: str) -> None:
        """See HTMLParser."""
        if self._in.get("title") and not self._in.get("body") and not self._within(_UNREAD):
            self.page.title = f"{self.page.title} {' '.join(data.split())}".strip()
        elif not self._within(_UNREAD):
            self._pieces.append(data)
            if self._in.get("a"):
                self._linked += len(data.strip())

    def parse_html_declaration(self, i: int) -> int:
        """See HTMLParser, which raises AssertionError for sections that it does not know."""
        return self.parse_bogus_comment(i) if self.rawdata.startswith("<![", i) else super().parse_html_declaration(i)

    def flush(self) -> None:
        """The current block is complete."""
        preformatted = self._in.get("pre", 0) > 0
        text = "".join(self._pieces)
        text = text.strip("\n") if preformatted else " ".join(text.split())
        if text.strip(" |\n"):
            level = next((int(tag[1]) for tag in reversed(self._open) if _HEADING.fullmatch(tag)), 0)
            main = bool(self._in.get("main") or self._in.get("article"))
            self.page.blocks.append(Block(text, level, self._linked, main, self._within(_AROUND)))
        self._pieces, self._linked = [], 0

    def _within(self, tags: frozenset[str]) -> bool:
        return any(self._in.get(tag) for tag in tags)


def _told(attributes: dict[str, str]) -> bool:
    name = (attributes.get("name") or attributes.get("property", "")).lower()
    return name in {"description", "author", "keywords", "og:description", "og:site_name", "article:author"}


def readable(blocks: list[Block]) -> list[Block]:
    """The blocks that a page is about: of <main> or <article> where most text is there, and no lists of links.

    All blocks, where that would leave next to nothing.
    """
    total = _size(blocks)
    kept = [block for block in blocks if block.main and not block.around]
    if 2 * _size(kept) <= total:
        kept = [block for block in blocks if block.level or not (block.around or 2 * block.linked > len(block.text))]
    return kept if 5 * _size(kept) > total else blocks


def _size(blocks: list[Block]) -> int:
    return sum(len(block.text) for block in blocks)
