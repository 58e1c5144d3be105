"""Sections that only point elsewhere: "See also", "Related", "Links" and their like.

Their text repeats the titles of other notes, so they turn up for every question that those notes answer better; the
links themselves are kept. Only links to other notes count: a list of web addresses is knowledge that stands nowhere
else (it is 71 % of the text of one real vault of 1,067 notes).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from scrubjay.daemon.markdown.links import ADDRESS, SCHEME, WIKI

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
