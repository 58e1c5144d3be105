"""Short secrets that only their name tells, and columns of exported passwords."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from scrubjay.credential_filter.text.announcers import PASSWORD_BITS
from scrubjay.credential_filter.text.scanned_note import Note, in_address
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.shape import is_remark

_CODE = re.compile(
    r"(?:(?<![\w.,:/\-])|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]))(?:[*#]{0,2}\d(?:[ \-.]?\d){2,11}(?![\d%€$])[#*]{0,2}|[A-Z]{1,2}\d{3,8}[A-Z]{0,2}[#*]?|\d{3,8}[A-Z]{1,2}[#*]?|\d{1,4}[A-Z]\d{1,4}[A-Z]?[#*]?)"
    r"(?!(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\w|/|[.,:\-–]\d)"  # no blanks part 暗証コードは8361です
)
_TIE = re.compile(
    r"[:：=→–—|(（「]|->|[ \t]-[ \t]|<br ?/?>|は|が|是|为|為|은|는|\b(?:is|was|ist|war|lautet|est|es|è|é|to|jest|är|er|on)\b"
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_REACH, _MOST_WORDS = 64, 5
_FEWEST_UNTIED, _MOST_UNTIED = 4, 8  # digits of a code behind words that do not tie it to its name
_YEAR = re.compile(r"(?:19|20)\d\d")
# What is no code, whatever stands before it: dates, and amounts with what they are of.
_DATE = re.compile(
    r"(?:19|20)\d\d[\-. ](?:0?[1-9]|1[0-2])[\-. ](?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])[\-.](?:0?[1-9]|1[0-2])[\-.](?:19|20)\d\d"
    r"|(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.\d\d"
)
_UNIT = re.compile(
    r"(?i)[ \u00a0\u202f]?(?:[€$£¥₽₹₩₺₴฿%]|(?:eur|usd|gbp|chf|jpy|cny|sek|nok|dkk|pln|czk|huf|euros?|dollars?|pounds?|francs?|franken|zł|kč"
    r"|kr|руб\w{0,4}|лир\w{0,2}|lira|yen|won|km|kg|mm|cm|gb|mb|kb|kwh|rows?|notes?|pages?|words?|times?|steps?|people|points?)\b"
    r"|[円元원บ块])"
)
_CURRENCIES = ("€", "$", "£", "¥", "₹")
# "Tan" and "Pin" are names of people, a colour, a verb: unless written in capitals they need what ties the code to them.
_DOUBTFUL = frozenset(("tan", "Tan", "tans", "Tans", "pin", "Pin", "pins", "Pins"))
_PERSON_BEFORE = re.compile(
    r"\b(?!(?:[Mm]ein|[Dd]ein|[Ss]ein|[Ii]hr|[Uu]nser|[Ee]uer|[Ee]ur)\w{0,2}\b|(?:My|Our|Your|His|Her|The|Die|Der|Das|A|La|Le|El|Il)\b)[A-ZÀ-Þ][\w'’\-]{0,23}\.?[ ]\Z"
)
_PERSON_BEHIND = re.compile(r"[ ][A-ZÀ-Þ]\w|[ ]&")
_MARK = re.compile(r"[\s\"'`*_)\]]{0,6}[:：=|][\s\"'`*_(\[]{0,6}\Z")
_STRICT_MARK = re.compile(r"[\"'`*_)\]]{0,4}[ ]?[:：=][\s\"'`*_(\[]{0,6}\Z")
_CLAUSE_END = re.compile(r"[\"'`*_)\]#|]{0,4}[ \t]*(?:[,;.!?|()\n\r]|\Z|[^\x00-\x7f])")

_BASE32 = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z2-7]{3,8}(?:[ \u00a0\-][A-Z2-7]{3,8}){2,15}|[a-z2-7]{3,8}(?:[ \u00a0\-][a-z2-7]{3,8}){2,15}|[A-Z2-7]{16,128}|[a-z2-7]{16,128})={0,6}(?![A-Za-z0-9])"
)
_GROUPS = re.compile(r"(?<![A-Za-z0-9\-])[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){2,8}(?![A-Za-z0-9\-])")
# One of a list of backup codes, and what such a line holds beside them.
_BACKUP = re.compile(
    r"(?<![\w.,:/\-=?&])(?:\d{4,12}|\d{3,5}[ \-]\d{3,5}(?:[ \-]\d{3,5}){0,2}|(?=[A-Za-z\-]{0,24}\d)[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,5}|\d{6}(?:-\d{6}){7})(?![\w/]|[.,:\-]\w)"
)
_BACKUP_LINE = re.compile(r"(?:[\s>|*+`~\-\[\]xX✓✔☐,;/]|\d{1,2}[.)](?=\s)|<[^<>]{1,40}>)*+")
_BACKUP_ROWS, _BLANK_ROWS = 40, 3
_PUNCTUATION = " \t`'\"*_)]:：=.-–—"

_ANSWER_TIE = re.compile(r"[:：=→–—]|->|[ \t]-[ \t]|\b(?:is|ist|lautet|est|es|è|é)\b")
_ANSWER_BELOW = re.compile(r"[\s>*+\-]{0,16}[^\W\d_]{1,16}[:：][ \t]{0,4}(?P<code>\S[^\n]{1,60})")
_LONGEST_ANSWER, _LONGEST_QUESTION = 80, 240


def codes(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    """Spans of the codes that belong to a name of one of `CODE_KINDS`."""
    return _READERS[name.kind](note, name)


def _code(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    text = note.text
    limit = note.line_stop(name.stop, _REACH)
    if not note.has_digit(name.stop, limit):
        return
    found = next((code for code in _CODE.finditer(text, name.stop, limit) if not _is_other_number(text, code)), None)
    if found is None or not _may_be_of(note, name, found):
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


def _is_other_number(text: str, code: re.Match[str]) -> bool:
    """Whether a number is a date, an amount, or belongs to the name."""
    return (
        _is_number_of_name(text, code)
        or _DATE.fullmatch(code[0]) is not None
        or _UNIT.match(text, code.end()) is not None
        or text[max(0, code.start() - 2) : code.start()].strip()[-1:] in _CURRENCIES
    )


def _may_be_of(note: Note, name: Name, code: re.Match[str]) -> bool:
    """Whether a code may belong to the name: not where a name such as "Tan" is a person's, or nothing ties the two."""
    text = note.text
    word = text[name.start : name.stop]
    if word not in _DOUBTFUL:
        return True
    between = text[name.stop : code.start()]
    is_last = _CLAUSE_END.match(text, code.end()) is not None
    before = text[max(note.line_start(name.start), name.start - 26) : name.start]
    if word[0].isupper() and (_PERSON_BEFORE.search(before) or _PERSON_BEHIND.match(text, name.stop)):
        mark = _MARK if word[0] == "P" else _STRICT_MARK
        return is_last and mark.fullmatch(between) is not None and _YEAR.fullmatch(code[0]) is None
    return _TIE.search(between) is not None or (is_last and not between.strip(" \t\"'`*_"))


# Digits alone are a password only where a mark ties them to its name, or nothing else is on the line.
_FOR_WHOM = re.compile(r"[ \t](?:for|of|on|für|fürs|vom|von|pour|du|de|para|del|per|di)\b[^\n:：=|]{1,32}(?=[:：=])")
_DIGITS = re.compile(
    r"""["'`”’»」』)\]*_~]{0,4}[ \t\u00a0\u3000]{0,3}"""
    r"(?:[:：=→➜|]|->|=>|\b(?:is|was|ist|lautet|est|es|è|é|to|jest)\b|は|是|为|為|은|는)"
    r"""[ \t\u00a0\u3000*_`"'「“(\[]{0,6}(?P<code>\d{4,14}|\d{2,3}(?:[ \-]\d{2,3}){1,3})["'`*_」”)\]]{0,4}"""
    r"(?=[ \t\r]*(?:\n|\Z|[,;|(（、。]|です|\.(?:\s|\Z)|<br))"
)
_DIGITS_ALONE = re.compile(r"[ \t\u3000]{0,3}(?P<code>\d{4,12})(?=[ \t\r]*(?:\n|\Z))")
_FEWEST_ALONE, _MOST_WORDS_BEFORE = 5, 2
_SEVERAL = ("words", "codes", "phrases")  # common passwords: 123456, qwerty


def digits(note: Note, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Spans of the passwords of nothing but digits behind their names."""
    text = note.text
    for name in names:
        if not name.noted or name.bits < PASSWORD_BITS or text[name.start : name.stop].lower().endswith(_SEVERAL):
            continue
        whom = _FOR_WHOM.match(text, name.stop)
        tied = _DIGITS.match(text, whom.end() if whom else name.stop)
        if tied is not None:
            yield tied.span("code")
        elif (alone := _DIGITS_ALONE.match(text, name.stop)) is not None and _is_all(note, name, alone):
            yield alone.span("code")


def _is_all(note: Note, name: Name, alone: re.Match[str]) -> bool:
    """Whether a name and the digits behind it, without a mark between them, are a short line of their own."""
    is_unspaced = _UNSPACED.match(note.text, name.stop - 1) is not None
    is_apart = alone.start("code") > name.stop and len(alone["code"]) >= _FEWEST_ALONE
    before = note.text[note.line_start(name.start) : name.start]
    return (is_unspaced or is_apart) and len(before.split()) <= _MOST_WORDS_BEFORE


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
    stop = note.line_stop(name.stop, _LONGEST_QUESTION)
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
CODE_KINDS = frozenset(_READERS)


# Rows below a header of comma-separated values that names a password's column, as password managers export them.

_DELIMITERS = ",;\t"
_FIELD = {delimiter: re.compile(rf'"(?:[^"]|"")*+"|[^{re.escape(delimiter)}\n]*+') for delimiter in _DELIMITERS}
_FIELD_ENDS = (*_DELIMITERS, "\n", "\r", "")
_HEADER_FIELD = re.compile(r'"?[\w .:/\-#]{1,40}"?')
_LONGEST_HEADER, _MOST_FIELDS = 600, 64
_MOST_ROWS = 20_000


def exported(note: Note, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Spans of the fields in the columns that names head. Each row is read once for each of its header's names."""
    rows_stop = 0
    header_start = -1
    for name in names:
        if not name.noted or note.text[name.stop : name.stop + 2].strip('"')[:1] not in _FIELD_ENDS:
            continue
        line_start = note.line_start(name.start)
        if name.start < rows_stop and line_start != header_start:
            continue
        if not _begins_block(note.text, line_start):
            continue
        header = note.text[line_start : note.line_stop(name.stop)].rstrip("\r")
        found = _column(header, name.start - line_start, name.stop - line_start)
        if found is not None:
            header_start = line_start
            delimiter, column, columns = found
            for start, stop in _rows(note, line_start):
                if note.text.count(delimiter, start, stop) < columns - 1:
                    break
                rows_stop = max(rows_stop, stop)
                if (field := _field(note.text, start, stop, delimiter, column, columns)) is not None:
                    yield field


def _begins_block(text: str, line_start: int) -> bool:
    """Whether the line is not indented, and the first of a text, a paragraph or a code block."""
    if text[line_start : line_start + 1].isspace():
        return False
    above = text[text.rfind("\n", 0, max(0, line_start - 1)) + 1 : max(0, line_start - 1)].strip(" \t>\r")
    return not above or above.startswith(("```", "~~~", "#", "---")) or above.endswith(":")


def _column(header: str, start: int, stop: int) -> tuple[str, int, int] | None:
    """The delimiter of a line that is a header, the number of the field that this name is in, and how many there are."""
    delimiter = max(_DELIMITERS, key=header.count)
    if len(header) > _LONGEST_HEADER or not 0 < header.count(delimiter) < _MOST_FIELDS:
        return None
    fields = header.split(delimiter)
    column = header.count(delimiter, 0, start)
    if len(fields[column].strip(' "')) > stop - start + 16:
        return None
    filled = [field.strip() for field in fields if field.strip()]
    if len(filled) < 2 or not all(map(_HEADER_FIELD.fullmatch, filled)):
        return None
    return delimiter, column, len(fields)


def _rows(note: Note, line_start: int) -> Iterator[tuple[int, int]]:
    """The lines below the header, up to one that is empty or ends a code block."""
    start = note.line_stop(line_start) + 1
    for _ in range(_MOST_ROWS):
        if start >= len(note.text):
            return
        stop = note.line_stop(start)
        row = note.text[start:stop].strip()
        if not row or row.startswith(("```", "~~~")):
            return
        yield start, stop
        start = stop + 1


def _field(text: str, start: int, stop: int, delimiter: str, column: int, columns: int) -> tuple[int, int] | None:
    """The field of a row; with all that is between the fields before and behind, where delimiters in it are not quoted."""
    fields: list[tuple[int, int]] = []
    position = start
    while position <= stop and len(fields) < _MOST_FIELDS:
        field = _FIELD[delimiter].match(text, position, stop)
        if field is None:
            break
        fields.append(field.span())
        position = field.end() + 1
    if len(fields) < 2 or len(fields) <= column:
        return None
    last = max(column, len(fields) - (columns - column))
    begin, end = fields[column][0], fields[last][1]
    value = text[begin:end].strip(" \t\r")
    begin = text.index(value, begin) if value else begin
    if len(value) > 1 and value[0] == value[-1] == '"':
        return begin + 1, begin + len(value) - 1
    return begin, begin + len(value)
