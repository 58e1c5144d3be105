"""What a note consists of: its sections, and those that only point elsewhere."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from scrubjay.daemon.indexing.model_input import SPECIAL_TOKENS, context_of
from scrubjay.daemon.vault.markdown.blocks import Piece, finer
from scrubjay.daemon.vault.parse import ParsedNote
from scrubjay.profiles.search.results.plain_text import ADDRESS, SCHEME, WIKI

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


_LIKELY_TOO_LONG = 5  # code points a token of the window: longer sections are taken apart before they are counted


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
    tokens_of: dict[str, int] = field(default_factory=dict[str, int])  # of the `names`
    spare: int = 0  # tokens left free in each passage, where the sum of its pieces fell short of the whole
    _contexts: dict[tuple[str, ...], str] = field(default_factory=dict[tuple[str, ...], str])

    def budget(self, path: tuple[str, ...]) -> int:
        """Tokens that a passage under these headings may have, beside its context."""
        taken = SPECIAL_TOKENS + self.tokens_of[self._context(path)] + self.spare
        return max(self.max_tokens - taken, 1)

    def names(self) -> Iterator[str]:
        """The texts that `tokens_of` must hold before `budget` is asked: headings, and the contexts of passages."""
        yield self._context(())
        for section in self.sections:
            yield section.heading
            for depth in range(len(section.path)):
                yield self._context(section.path[: depth + 1])

    def _context(self, path: tuple[str, ...]) -> str:
        context = self._contexts.get(path)
        if context is None:
            context = self._contexts[path] = context_of(self.note.title, path)
        return context


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
