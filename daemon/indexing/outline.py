"""What a note consists of: its sections, those that only point elsewhere, and text without Markdown."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from scrubjay.daemon.markdown.blocks import Piece, finer
from scrubjay.daemon.markdown.links import ADDRESS, SCHEME, WIKI
from scrubjay.daemon.vault.parse import ParsedNote

# What the model reads of a passage: its words, without the Markdown around them.
#
# Addresses of links, rules of tables and marks of emphasis say nothing about the meaning, yet they are a quarter of
# the tokens of technical notes and more than half of those of a collection of bookmarks. Without them more fits the
# window.

# Each alternative begins with a plain character, so that the regex engine skips all other text at full speed.
_LINK_OR_RULE = re.compile(
    rf"{WIKI}|\[([^\[\]\n]*)\]\((?:<[^<>\n]*>|{ADDRESS})(?: \"[^\"\n]*\")?\)"
    r"|----+|====+|____+"
)


def plain_text(markdown: str) -> str:
    """The passage as the model reads it; tokens are counted on this too.

    Links become their text, rules three characters, and marks of strong emphasis and code vanish. Not for keeping:
    without what stood between them, parts may form a credential that the filter did not see.
    """
    bare = markdown.replace("**", "").replace("`", "").replace("\\_", "_")
    if "](" in bare or "[[" in bare or "---" in bare or "===" in bare or "___" in bare:
        return _LINK_OR_RULE.sub(_shown_text, bare)
    return bare


def _shown_text(match: re.Match[str]) -> str:
    wiki, text = match.groups()
    if wiki is not None:
        return wiki
    return match[0][:3] if text is None else text


# Sections that only point elsewhere: "See also", "Related", "Links" and their like.
#
# Their text repeats the titles of other notes, so they turn up for every question that those notes answer better; the
# links themselves are kept. Only links to other notes count: a list of web addresses is knowledge that stands nowhere
# else (it is 71 % of the text of one real vault of 1,067 notes).

_LEAST_LINKED = 0.6  # share of the section's words that must be inside links to notes: clearly more than half

_LONGEST_NAME = 60  # code points, with what decorates it

_NAMES = frozenset(
    name.strip()
    for name in """
    backlinks | bibliography | further reading | in this section | links | reading list | references | related
    | related articles | related content | related links | related notes | related pages | related topics | resources
    | see also | sources
    | siehe auch | verwandt | verwandte notizen | verwandte themen | verweise | weiterführende links | quellen
    | voir aussi | liens | notes liées | références | articles connexes
    | véase también | ver también | enlaces | referencias | relacionado | notas relacionadas
    | vedi anche | collegamenti | riferimenti | correlati
    | veja também | ver também | ligações | referências | relacionados
    | zie ook | verwijzingen | gerelateerd | se även | se också | se også | relaterat | relaterte
    | zobacz też | powiązane | viz také | související | katso myös
    | см. также | смотрите также | ссылки | связанные заметки | див. також | посилання
    | 相关 | 相关链接 | 相关笔记 | 相关文章 | 参见 | 另见 | 参考 | 参考资料 | 参考链接 | 链接 | 延伸阅读
    | 相關 | 相關連結 | 相關筆記 | 參見 | 參考資料 | 連結 | 延伸閱讀
    | 関連 | 関連項目 | 関連ノート | 関連リンク | 参照 | 参考文献 | リンク
    | 관련 | 관련 문서 | 관련 노트 | 같이 보기 | 참고 | 참고 자료 | 링크
    """.replace("\n", " ").split("|")
)
_DECORATION = re.compile(r"^[\W\d_]+|[\W_]+$")  # numbers, emoji, colons around a heading
_NOTE_LINK = re.compile(rf"!?{WIKI}|!?\[([^\[\]\n]*)\]\((?!{SCHEME}){ADDRESS}\)")
_NO_WORDS = re.compile(r"<[^<>\n]*>|\]\([^\s)]*\)")  # tags of HTML, addresses of links
_WORD = re.compile(r"\w+")


def is_link_list(headings: Iterable[str], text: str) -> bool:
    """Whether a section with this heading path is named like a list of links, and mostly is one to other notes."""
    if not any(map(_is_named_so, headings)):
        return False
    linked = sum(_letters(match[1] or match[2] or "") for match in _NOTE_LINK.finditer(text))
    beside = _letters(_NO_WORDS.sub(" ", _NOTE_LINK.sub(" ", text)))
    return linked > 0 and linked >= _LEAST_LINKED * (linked + beside)


@lru_cache(maxsize=4096)  # the same few headings stand in every note
def _is_named_so(heading: str) -> bool:
    return len(heading) <= _LONGEST_NAME and _DECORATION.sub("", heading).casefold() in _NAMES


def _letters(text: str) -> int:
    return sum(map(len, _WORD.findall(text)))


SPECIAL_TOKENS = 2  # what the model adds to each text, such as [CLS] and [SEP]
_LIKELY_TOO_LONG = 5  # code points a token of the window: longer sections are taken apart before they are counted
_LEAST_BUDGET = 0.5  # share of the window that a passage may have however long its title and headings are


@dataclass(slots=True)
class Section:
    """What stands between one heading and the next. Offsets are code points of the body."""

    level: int  # of its heading; 0 for what comes before the first one
    heading: str
    start: int  # of the heading's line
    text_start: int
    end: int
    path: tuple[str, ...]  # headings down to it, its own last; one that repeats the note's title is left out
    pieces: list[Piece] = field(default_factory=list[Piece])  # none if it is blank or a list of links
    is_link_list: bool = False
    tokens: int = 0  # of its text
    heading_tokens: int = 0  # of the heading's line, at most


@dataclass(slots=True)
class Outline:
    """The sections of one note and what they may measure."""

    note: ParsedNote
    sections: list[Section]
    max_tokens: int
    tokens_of: dict[str, int] = field(default_factory=dict[str, int])  # of the title and of each heading
    _budgets: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])

    def budget(self, path: tuple[str, ...]) -> int:
        """Tokens that a passage under these headings may have, beside "title › heading › heading"."""
        budget = self._budgets.get(path)
        if budget is None:
            context = SPECIAL_TOKENS + self.tokens_of[self.note.title] + sum(self.tokens_of[name] + 1 for name in path)
            budget = self._budgets[path] = max(self.max_tokens - context, int(self.max_tokens * _LEAST_BUDGET), 1)
        return budget

    def names(self) -> Iterator[str]:
        """The texts that `tokens_of` must hold before `budget` is asked."""
        yield self.note.title
        for heading in self.note.headings:
            yield heading.text


def outline(note: ParsedNote, max_tokens: int) -> Outline:
    """The sections of `note`, cut into pieces that are not yet counted."""
    ends = [*(heading.start for heading in note.headings), len(note.body)]
    sections = [_section(note, Section(0, "", 0, 0, ends[0], ()), max_tokens)]
    above: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for heading, end in zip(note.headings, ends[1:], strict=True):
        while above[-1][0] >= heading.level:
            above.pop()
        path = above[-1][1]
        if heading.text and not (heading.level == 1 and _same(heading.text, note.title)):
            path = (*path, heading.text)
        above.append((heading.level, path))
        section = Section(heading.level, heading.text, heading.start, min(heading.end, end), end, path)
        sections.append(_section(note, section, max_tokens))
    return Outline(note, sections, max_tokens)


def _section(note: ParsedNote, section: Section, max_tokens: int) -> Section:
    text = note.body[section.text_start : section.end]
    if not text or text.isspace():
        return section
    if section.path and is_link_list(section.path, text):
        section.is_link_list = True
    else:
        whole = Piece(section.text_start, section.end, "section")
        section.pieces = _likely_short(note, [whole], max_tokens)
    return section


def _likely_short(note: ParsedNote, pieces: list[Piece], max_tokens: int) -> list[Piece]:
    """The pieces, with finer ones in place of those so long that they would most likely be counted in vain."""
    longest = _LIKELY_TOO_LONG * max_tokens
    short: list[Piece] = []
    for piece in pieces:
        if piece.end - piece.start <= longest or piece.kind in {"line", "run"}:
            short.append(piece)
        else:
            short.extend(_likely_short(note, finer(note.body, piece, note.fences, max_tokens), max_tokens))
    return short


def _same(heading: str, title: str) -> bool:
    return heading == title or " ".join(heading.split()).casefold() == title.casefold()
