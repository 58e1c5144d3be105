"""Finding headings, links, tags and code in Markdown, as Obsidian reads it, in one pass.

One regular expression walks the text from left to right. Code, comments, math and escaped characters are tokens too, so
whatever looks like a link inside them is swallowed with them. Every alternative begins with a plain character: that
lets the regex engine skip all other text at full speed. Repetitions are possessive or exclude what follows them, so
that the time stays linear in the text, however hostile it is.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias
from urllib.parse import unquote

from scrubjay.profiles.search.results.plain_text import ADDRESS, SCHEME, WIKI
from scrubjay.profiles.store.rows import LinkKind, LinkRow

_Form: TypeAlias = Literal["wiki", "angle", "target"]  # groups of _TOKEN and _DEFINITION
Scrub = Callable[[str, int], str]  # text that decoding made, and its line -> the same without credentials


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. Offsets are code points of the body; the text of its section begins at `end`."""

    level: int  # 1 to 6
    text: str  # as read, without the marks of emphasis and links
    line: int  # 1-based line of the file
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Markup:
    """What a body holds, in the order of the text."""

    headings: tuple[Heading, ...]
    links: tuple[LinkRow, ...]
    tags: tuple[str, ...]  # without "#"; may repeat
    fences: tuple[tuple[int, int], ...]  # start and end of each fenced code block, offsets in the body


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """Where a link names a path: offsets of just that, without heading, block and shown text."""

    start: int
    stop: int
    path: str  # percent-decoded, where links of its form are
    form: Literal["wiki", "address", "angle"]  # [[path]]; [](path) or [label]: path; [](<path>) or [label]: <path>


_NOT_IN_TAG = (  # white space and punctuation, ASCII, general and CJK
    r"\s!\"\#$%&'()*+,.:;<=>?@\[\\\]^`{|}~\u2000-\u206F\u2E00-\u2E7F\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF1F"
)
_FENCE_END = r"[ \t>]*+(?P=fence)[`~]*+[ \t]*+(?=\n|\Z)"
_TOKEN = re.compile(
    rf"""
    \n(?:
        [ ]{{0,3}}(?P<marks>\#{{1,6}})(?=[ \t]+(?P<heading>[^\n]*))
      | (?P<underline>=++|-++)[ \t]*+(?=\n|\Z)
      | [ \t>]*+(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]+)*+
        (?P<fence>`{{3,}}(?=[^`\n]*+(?:\n|\Z))|~{{3,}})[^\n]*+(?:\n(?!{_FENCE_END})[^\n]*+)*+(?:\n{_FENCE_END})?
      )
  | `(?: `{{2,}}[^`\n]*+`{{3,}} | `(?:[^`\n]|`(?!`))++`` | [^`\n]++` | `*+ )
  | <!--(?s:.*?)(?:-->|\Z)
  | \$(?: \$(?:[^$\\]|\\[\s\S])*+\$\$ | (?![\s$])(?:[^$\n\\]|\\.)++(?<!\s)\$(?!\d) )
  | \\[^\w\s]
  | \[\[(?P<wiki>[^\[\]\n]++)\]\]
  | \[(?P<text>(?:[^\[\]\n\\`]++|\\.|`[^`\n]*+`|\[[^\[\]\n]*+\]|\n(?![ \t]*+\n))*+)\]
    \([ \t]*+(?:<(?P<angle>[^<>\n]*+)>|(?P<target>{ADDRESS}))
    (?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'))?[ \t]*+\)
  | \#(?<!\S\#)(?P<tag>[^{_NOT_IN_TAG}]++)
    """,
    re.VERBOSE,
)
_SCHEME = re.compile(SCHEME)
_DEFINITION = re.compile(  # CommonMark 0.31, 4.7, on one line; "[^1]:" begins a footnote
    r"^(?:[ ]{0,3}>)*+[ ]{0,3}\[(?!\^)(?:[^\[\]\\\n]|\\.)++\]:[ \t]*+"
    rf"(?:<(?P<angle>[^<>\n]++)>|(?P<target>{ADDRESS}))"
    r"""(?=[ \t]*+$|[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\))[ \t]*+$)""",
    re.MULTILINE,
)
_ADDRESS_IN_TEXT = re.compile(
    r"<[a-z][a-z0-9+.-]{1,31}+:[^<>\s]*+>"
    r"|(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,31}+://[^\s<>\"\[\]|]++"
    r"|(?<!\w)(?:href|src)[ \t]*+=[ \t]*+(?:\"[^\"\n]*+\"|'[^'\n]*+')",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"[ ]{0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = re.compile(r"(?:[ ]{0,3}\t|[ ]{4})")
# An underline makes no heading of these.
_NO_SETEXT = re.compile(r"[#>|`~<$=]|[-*+]\s|\d++[.)]\s|[-*_]{3,}+$|(?:[^-]++|-(?!->$))*+-->$")

# Marks go only where one side is white space, an edge or a bracket: joining what they part could form a credential.
_GLUE = r"\w\-+/=.~%$@!#^&\\*`"
_MARKS = re.compile(
    rf"(?<![{_GLUE}])!?{WIKI}(?![{_GLUE}])"
    rf"|(?<![{_GLUE}])!?\[([^\[\]\n]*)\]\([^()\n]*\)(?![{_GLUE}])"
    rf"|(?<![{_GLUE}])[*`]++|(?<![*`])[*`]++(?![{_GLUE}])"
)


def read_markup(body: str, first_line: int, scrub: Scrub) -> Markup:
    """Find what `body`, which begins on line `first_line` of its file, holds. Line ends are "\\n".

    Link targets are percent-decoded, and `scrub` is applied where that changed something. Linear in the length.
    """
    headings: list[Heading] = []
    links: list[LinkRow] = []
    tags: list[str] = []
    fences: list[tuple[int, int]] = []
    text = f"\n{body}"  # so that every line has a line end before it; offsets of the lines stay right
    line, counted = first_line - 1, 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        first = text[start]
        if first == "#":
            tags.extend(_tags(match["tag"]))
            continue
        if first not in "\n[":
            continue
        line += text.count("\n", counted, start + 1)
        counted = start + 1
        if first == "[":
            if (link := _link(match, line, scrub, embed=text[start - 1] == "!")) is not None:
                links.append(link)
        elif match["fence"]:
            fences.append((start, match.end() - 1))
        elif match["marks"]:
            headings.append(_atx(match, line))
        else:
            headings.extend(_setext(text, match, line))
    return Markup(tuple(headings), tuple(links), tuple(tags), tuple(fences))


def link_places(body: str) -> list[LinkPlace]:
    """The links and definitions of links in `body` that lead into the vault and name a path, in their order.

    Not what is code, by fences or by its indentation, nor what stands in an HTML comment. Line ends are "\\n".
    """
    links, is_seen = _links_as_written(body)
    places = (place for match, form, start in links for place in _place(match, form, start))
    return sorted((place for place in places if is_seen(place.start)), key=lambda place: place.start)


def link_targets(body: str) -> list[tuple[int, int]]:
    """Start and end of each text in `body` by which a link leads somewhere: in the vault or out of it, with heading and
    block, also of an address that stands in the text or in an HTML tag. In no order, and one may be in another.

    Not in code and comments, as `link_places`. Line ends are "\\n". Linear in the length.
    """
    links, is_seen = _links_as_written(body)
    targets: list[tuple[int, int]] = []
    for match, form, start in links:
        bar = _bar(match[form]) if form == "wiki" else -1
        targets.append((start, start + (len(match[form]) if bar < 0 else bar)))
    targets += (match.span() for match in _ADDRESS_IN_TEXT.finditer(body))
    return [(start, stop) for start, stop in targets if is_seen(start)]


def _links_as_written(body: str) -> tuple[list[tuple[re.Match[str], _Form, int]], Callable[[int], bool]]:
    """Each link and definition, in which group its target is, and where that begins; whether a place is in no code."""
    links: list[tuple[re.Match[str], _Form, int]] = []
    passed_over: list[tuple[int, int]] = list(_indented_code(body))
    for match in _TOKEN.finditer(f"\n{body}"):
        form = match.lastgroup
        if form in ("wiki", "angle", "target"):
            links.append((match, form, match.start(form) - 1))
        elif match["fence"] or match[0][0] in "`<$":
            passed_over.append((match.start() - 1, match.end() - 1))
    for match in _DEFINITION.finditer(body):
        form = "target" if match["angle"] is None else "angle"
        links.append((match, form, match.start(form)))
    passed_over.sort()
    ends = list(accumulate((end for _, end in passed_over), max))
    starts = [start for start, _ in passed_over]

    def is_seen(place: int) -> bool:
        before = bisect_right(starts, place)
        return before == 0 or ends[before - 1] <= place

    return links, is_seen


def _place(match: re.Match[str], form: _Form, start: int) -> Iterator[LinkPlace]:
    """The path that a link names, if it names one in the vault. start: where what is written of it begins."""
    written = match[form]
    end = min((at for at in (written.find("#"), _bar(written) if form == "wiki" else -1) if at >= 0), default=-1)
    path = written if end < 0 else written[:end]
    is_wiki = form == "wiki"
    if path.strip() and (is_wiki or not _SCHEME.match(path)):
        yield LinkPlace(
            start=start + len(path) - len(path.lstrip()),
            stop=start + len(path.rstrip()),
            path=path.strip() if is_wiki else unquote(path).strip(),
            form="wiki" if is_wiki else "angle" if form == "angle" else "address",
        )


def _indented_code(body: str) -> Iterator[tuple[int, int]]:
    """Start and end of the lines that are code by their indentation: behind a blank line, and in no list."""
    at = 0
    may_begin, is_list = True, False
    for line in body.split("\n"):
        end = at + len(line)
        is_blank = not line.strip()
        is_indented = not is_blank and _INDENTED.match(line) is not None
        if is_indented and may_begin and not is_list:
            yield at, end
        elif is_blank:
            may_begin = True
        else:
            if not is_indented:
                is_list = _LIST_ITEM.match(line) is not None or (is_list and not may_begin)
            may_begin = not is_indented and line.lstrip(" ").startswith(("#", "```", "~~~"))
        at = end + 1


def _bar(wiki: str) -> int:
    """Where the bar before the shown text stands, with the backslash that it has in tables; -1: there is none."""
    at = wiki.find("|")
    return at - 1 if at > 0 and wiki[at - 1] == "\\" else at


def marked_stretches(body: str) -> Iterator[tuple[int, int]]:
    """Where `body` is no running text: headings, links, tags, code, comments, math and escaped characters.

    Start and end, offsets in the body, by their starts; a heading's may contain others. Linear in the length.
    """
    text = f"\n{body}"
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["marks"]:
            end = match.end("heading")
        elif match["underline"]:
            heading = next(_setext(text, match, 1), None)
            if heading is None:
                continue
            start = heading.start + 1
        yield max(start - 1, 0), end - 1


def tag_places(body: str) -> Iterator[tuple[int, int, str]]:
    """The tags in `body`: line and column (1-based) of each "#", and the tag without it, as far as it is one."""
    text = f"\n{body}"
    line, counted = 0, 0
    for match in _TOKEN.finditer(text):
        for tag in _tags(match["tag"]) if match["tag"] else ():
            line += text.count("\n", counted, match.start())
            counted = match.start()
            yield line, match.start() - text.rfind("\n", 0, match.start()), tag


def _atx(match: re.Match[str], line: int) -> Heading:
    text = match["heading"].strip()
    bare = text.rstrip("#")
    if bare != text and (not bare or bare[-1] in " \t"):
        text = bare.rstrip()
    return Heading(len(match["marks"]), _as_read(text), line, match.start(), match.end("heading") - 1)


def _setext(text: str, match: re.Match[str], line: int) -> Iterator[Heading]:
    """A heading by underlining, if one line of plain text stands above and nothing above that."""
    end = match.start()
    start = text.rfind("\n", 0, end)
    title = text[start + 1 : end].strip()
    before = text[text.rfind("\n", 0, max(start, 0)) + 1 : max(start, 0)]
    if start >= 0 and title and not _NO_SETEXT.match(title) and not before.strip():
        yield Heading(1 if match["underline"][0] == "=" else 2, _as_read(title), line - 1, start, match.end() - 1)


def _as_read(text: str) -> str:
    """The text without marks of emphasis, code and links."""
    bare = text.strip("*` ")
    if "*" in bare or "`" in bare or "[" in bare:
        return _MARKS.sub(lambda match: match[1] or match[2] or "", bare).strip()
    return bare


def _tags(written: str) -> Iterator[str]:
    """The tag, if it is one: Obsidian wants at least one character that is no digit."""
    tag = written.strip("/")
    if tag and not tag.replace("/", "").isdigit():
        yield tag


def _link(match: re.Match[str], line: int, scrub: Scrub, *, embed: bool) -> LinkRow | None:
    """The link, unless it leads out of the vault."""
    wiki, text, angle, target = match.group("wiki", "text", "angle", "target")
    if wiki is not None:
        target, _, text = wiki.replace("\\|", "|").partition("|")
    else:
        target = angle or target
        if not target or _SCHEME.match(target):
            return None
        if "%" in target and (decoded := unquote(target)) != target:
            target = scrub(decoded, line)
    heading = block = ""
    if "#" in target:
        target, _, heading = target.partition("#")
        heading, _, block = heading.partition("^")
    kind: LinkKind = "embed" if embed else "markdown" if wiki is None else "wiki"
    shown = _as_read(" ".join(text.split()) if "\n" in text else text)
    return LinkRow(target.strip(), kind, line, heading.strip("# "), block.strip(), shown)
