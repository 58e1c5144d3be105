"""Short secrets that only their name tells: PINs, door codes, backup codes, two-factor secrets, answers, licence keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from scrubjay.credential_filter.deciding.wording import is_remark
from scrubjay.credential_filter.reading.announcers import Name
from scrubjay.credential_filter.reading.note import Note, in_address

_CODE = re.compile(
    r"(?<![\w.,:/\-])(?:[*#]{0,2}\d(?:[ \-.]?\d){2,11}(?![\d%€$])[#*]{0,2}|[A-Z]{1,2}\d{3,8}[A-Z]{0,2}[#*]?|\d{3,8}[A-Z]{1,2}[#*]?|\d{1,4}[A-Z]\d{1,4}[A-Z]?[#*]?)"
    r"(?![\w/]|[.,:\-–]\d)"
)
_TIE = re.compile(
    r"[:：=→–—|(（「]|->|[ \t]-[ \t]|<br ?/?>|は|が|是|为|為|은|는|\b(?:is|was|ist|war|lautet|est|es|è|é|to|jest|är|er|on)\b"
)
_REACH, _MOST_WORDS = 64, 5
_FEWEST_UNTIED, _MOST_UNTIED = 4, 8  # digits of a code behind words that do not tie it to its name
_YEAR = re.compile(r"(?:19|20)\d\d")

_BASE32 = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z2-7]{3,8}(?:[ \u00a0\-][A-Z2-7]{3,8}){2,15}|[a-z2-7]{3,8}(?:[ \u00a0\-][a-z2-7]{3,8}){2,15}|[A-Z2-7]{16,128}|[a-z2-7]{16,128})={0,6}(?![A-Za-z0-9])"
)
_GROUPS = re.compile(r"(?<![A-Za-z0-9\-])[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){2,8}(?![A-Za-z0-9\-])")
_SIX_DIGITS = re.compile(r"(?<![\w.,:/\-])\d{3}[ \-]?\d{3,5}(?![\w.,:/\-]\w)")
# One of a list of backup codes, and what such a line holds beside them.
_BACKUP = re.compile(
    r"(?<![\w.,:/\-=?&])(?:\d{4,12}|\d{3,5}[ \-]\d{3,5}(?:[ \-]\d{3,5}){0,2}|(?=[A-Za-z\-]{0,24}\d)[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,5})(?![\w/]|[.,:\-]\w)"
)
_BACKUP_LINE = re.compile(r"(?:[\s>|*+`~\-\[\]xX✓✔☐,;/]|\d{1,2}[.)](?=\s)|<[^<>]{1,40}>)*+")
_BACKUP_ROWS, _BLANK_ROWS = 40, 3
_PUNCTUATION = " \t`'\"*_)]:：=.-–—"

_ANSWER_TIE = re.compile(r"[:：=→–—]|->|[ \t]-[ \t]|\b(?:is|ist|lautet|est|es|è|é)\b")
_ANSWER_BELOW = re.compile(r"[\s>*+\-]{0,16}[^\W\d_]{1,16}[:：][ \t]{0,4}(?P<code>\S[^\n]{1,60})")
_LONGEST_ANSWER, _LONGEST_QUESTION = 80, 240


def codes(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    """Spans of the codes that belong to a name of such a kind."""
    return _READERS[name.kind](note, name) if name.kind in _READERS else iter(())


def _code(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    text = note.text
    limit = min(note.line_stop(name.stop), name.stop + _REACH)
    found = next((code for code in _CODE.finditer(text, name.stop, limit) if not _is_number_of_name(text, code)), None)
    if found is None:
        return
    between = text[name.stop : found.start()]
    words = len(between.split())
    if words > _MOST_WORDS or "." in between or in_address(text, found.start()):
        return
    if _YEAR.fullmatch(found[0]) is not None and not between.rstrip(" *_\"'`").endswith((":", "：", "=")):
        return
    digits = sum(map(str.isdigit, found[0]))
    if _TIE.search(between) is not None or (words == 0 or _FEWEST_UNTIED <= digits <= _MOST_UNTIED):
        yield found.span()


def _is_number_of_name(text: str, code: re.Match[str]) -> bool:
    """Whether a year or number here belongs to the name: PIN (2024): 4711."""
    return _YEAR.fullmatch(code[0]) is not None and text[code.end() : code.end() + 2].lstrip(")]")[:1] in (":", "：")


def _one_time(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    stop = note.line_stop(min(len(note.text), note.line_stop(name.stop) + 1))
    for found in _BASE32.finditer(note.text, name.stop, min(stop, name.stop + 400)):
        if _is_drawn(found[0]):
            yield found.span()


def _is_drawn(value: str) -> bool:
    """Whether digits are among the letters in more than one place, as in a secret in base 32."""
    plain = value.rstrip("=")
    return len(plain) >= 12 and sum(map(str.isdigit, plain)) >= 2 and any(map(str.isalpha, plain))


def _licence(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    stop = note.line_stop(min(len(note.text), note.line_stop(name.stop) + 1))
    for found in _GROUPS.finditer(note.text, name.stop, min(stop, name.stop + 200)):
        groups = found[0].split("-")
        if (
            any(map(str.isdigit, found[0]))
            and any(map(str.isalpha, found[0]))
            and (found[0].isupper() or len(set(map(len, groups))) == 1)
        ):
            yield found.span()


def _backup(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    """Codes on the name's line, behind a colon or the like, and on the lines below that hold nothing else."""
    text = note.text
    line_stop = note.line_stop(name.stop)
    tie = _TIE.search(text, name.stop, min(line_stop, name.stop + _REACH))
    if tie is not None:
        yield from (found.span() for found in _BACKUP.finditer(text, tie.end(), line_stop))
    start, blank, rows = line_stop + 1, 0, 0
    while start < len(text) and rows < _BACKUP_ROWS and blank < _BLANK_ROWS:
        stop = note.line_stop(start)
        found = [code.span() for code in _BACKUP.finditer(text, start, stop)]
        if not _is_list(text, start, stop, found):
            return
        blank = 0 if found else blank + 1
        rows += bool(found)
        yield from found
        start = stop + 1


def _is_list(text: str, start: int, stop: int, found: list[tuple[int, int]]) -> bool:
    """Whether the line holds nothing but these codes, and marks, numbers, fences or the word "used"."""
    rest: list[str] = []
    for begin, end in [*found, (stop, stop)]:
        rest.append(text[start:begin])
        start = end
    return all(_BACKUP_LINE.fullmatch(part) or part.strip(" \t>*-()~,.").lower() in _USED for part in rest)


_USED = frozenset(("", "used", "benutzt", "verbraucht", "utilisé", "usado", "usato", "and", "und", "```text", "```txt"))


def _answer(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    stop = min(note.line_stop(name.stop), name.stop + _LONGEST_QUESTION)
    tie = _ANSWER_TIE.search(note.text, name.stop, stop)
    if tie is not None:
        yield from _behind(note.text, max(tie.end(), note.text.rfind("?", tie.end(), stop) + 1), stop)


def _question(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    """The answer behind the question mark; otherwise what stands behind a colon on the next line."""
    text, line_stop = note.text, note.line_stop(name.stop)
    stop = min(line_stop, name.stop + _LONGEST_QUESTION)
    mark = max(text.rfind("?", name.stop, stop), text.rfind("？", name.stop, stop))
    behind = list(_behind(text, mark + 1, stop)) if mark >= 0 else []
    if not behind and (below := _ANSWER_BELOW.match(text, line_stop + 1)) is not None:
        behind = [_trimmed(text, *below.span("code"))]
    yield from behind


def _behind(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    span = _trimmed(text, start, stop)
    first = text[span[0] : span[1]].partition(" ")[0]
    if 1 < span[1] - span[0] <= _LONGEST_ANSWER and not is_remark(first):
        yield span


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    value = text[start:stop].strip(_PUNCTUATION + "“”«»「」(")
    begin = text.find(value, start, stop)
    return begin, begin + len(value)


_READERS: Mapping[str, Callable[[Note, Name], Iterator[tuple[int, int]]]] = {
    "code": _code,
    "one-time": _one_time,
    "licence": _licence,
    "backup": _backup,
    "answer": _answer,
    "question": _question,
}
