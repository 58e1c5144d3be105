"""Passwords that a sentence or a label tells in so many words: "пароль от вайфая: …", "my password is …", "changed it to …".

The words between, and what ties the value to them, are each language's own (`languages/`). The value must have a number
in it and look like what people make passwords of; what a language says of passwords otherwise stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from scrubjay.credential_filter.finders.noted_passwords import MARKERS
from scrubjay.credential_filter.text.announcers import PASSWORD_BITS, PERHAPS_BITS, ties
from scrubjay.credential_filter.text.scanned_note import BLOT, Note, in_address
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.passwords import is_homemade, is_password, is_ticket
from scrubjay.credential_filter.verdict.shape import function_words, is_words, remarks

_REACH, _BEHIND = 112, 24  # how far behind the word the value may begin, and how much of what follows is looked at
_MOST_VALUES = 4
_UNSPACED = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_OTHER = rf"\u0590-\u06ff\u0900-\u0dff{_UNSPACED}"  # scripts that a password of ASCII is easily told from
# A value: what is not of these scripts, or a word and a number in one of them.
_VALUE = re.compile(
    rf"[^\s{_OTHER}\u2000-\u206f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\ufe30-\ufe4f]{{5,48}}+|[{_OTHER}]{{2,24}}+[!#_\-]?\d{{1,6}}+[!?]?"
)
_DIGIT = re.compile(r"\d")  # without one, and without a capital, nothing looks like a password
_OPENING, _CLOSING = "\"'`*([{<«“„‘=~:,;", "\"'`*)]}>»”“’.,;:|=~"
_BREAK = re.compile(r"[.!?…][\"'”»)]?\s|[。！？؟।]")  # where the sentence ends
# Each begins with a class of characters, which is fast to look for: a mark, of "-" only "->"; a dash that stands apart.
_MARK = re.compile(r"[:：=→⇒＝|﹕︰\-](?:(?<!-)|(?=>))[\s\"'`*_(\[«“„「『<>|\-–—]*\Z")
_DASH = re.compile(r"[–—\-](?<!\S[–—\-])[\s\"'`*_(\[«“„「『]*\Z")
_WRAPPED = " \t\u00a0\u202f\u2009\u200e\u200f\u3000\"'`*_([{<«“„「『"
_QUOTES = frozenset("\"'`«“„「『")
_ENDS = re.compile(
    r"""["'`*_)\]}>»”“」』~=]{0,4}\s{0,3}(?:\Z|[\n\r.,;:!?…()|<、。，；！？،؛؟।・「]|[–—-](?=\s)|//|#)"""
)
_NEXT_WORD = re.compile(r"""["'`*_)\]»”」』]{0,4}[ \t\u00a0]{0,3}([^\W\d_]+)""")
_OTHER_THING = re.compile(
    r"[ \-]?(?:manager|generator|strength|length|polic|rule|field|hash|hint|dialog|prompt|format|audit|crack|leak)"
)
_IN_TEMPLATE = re.compile(r"[>})\]]{1,2}@")  # <user>:<password>@host
_MOST_WORDS, _MOST_UNTIED, _MOST_BEFORE = 8, 2, 3
_LONGEST_BETWEEN_UNSPACED = 14
_LONGEST_TAG = 5  # words of "isn't it?"; a question that goes on for longer supposes a password
_LONGEST_LABEL = 64
# A passphrase of words behind its label.
_LABEL = re.compile(
    r"""["'`*_)\]]{0,4}[ \t\u00a0]?[:：=]["'`*_]{0,4}[ \t]{0,4}["'`*_“„«]{0,4}(?=[^\W_]{1,16} [^\W_])"""
)
_FOR_WORDS = ("phrase", "phrases", "frase", "fras", "frasen", "zin", "phrase de passe", "фраза", "フレーズ")
_PLAIN_WORD = re.compile(r"[^\W_]{1,16}")
_ARTICLES = frozenset(("a", "an", "ein", "eine", "un", "une", "una", "uma", "um", "en", "ett", "een"))
_FEWEST_WORDS, _MOST_OF_PHRASE = 3, 12
_NEXT_LINE = re.compile(r"[ \t\r]{0,8}\n(?:[ \t\r]{0,8}\n)?")


def told(note: Note, names: Sequence[Name], is_inside: Callable[[Name], bool]) -> Iterator[tuple[int, int]]:
    """Spans of the values that what stands between them and a name, or around it, ties to the name.

    is_inside: whether a name is a part of a longer string (`noted_passwords.is_inside_word`)
    """
    text = note.text
    for name in names:
        if name.bits < PASSWORD_BITS and name.bits != PERHAPS_BITS:
            continue
        stop = note.line_stop(name.stop, _REACH + _BEHIND)
        if (label := _LABEL.match(text, name.stop, stop)) is not None:
            yield from _words_on_line(note, name, label.end(), stop)
        on_line = note.flat.find(b"0", name.stop, stop) >= 0
        below = stop - name.stop <= _LONGEST_LABEL and note.flat.find(b"0", stop, stop + _REACH) >= 0
        if not (on_line or below) or is_inside(name) or _IN_TEMPLATE.match(text, name.stop) is not None:
            continue
        if on_line:
            yield from _on_line(note, name, stop)
        if below:
            yield from _below(note, name, stop)


def _on_line(note: Note, name: Name, stop: int) -> Iterator[tuple[int, int]]:
    rest = note.text[name.stop : stop].partition(BLOT)[0]
    may_end = "." in rest or "!" in rest or "?" in rest or not rest.isascii()
    sentence = _BREAK.search(rest) if may_end else None
    limit = sentence.start() + 1 if sentence else len(rest)
    for number, found in enumerate(_VALUE.finditer(rest, 0, limit)):
        if number == _MOST_VALUES or found.start() > _REACH:
            return
        for first, last, is_sure in _readings(found[0]):
            start, end = found.start() + first, found.start() + last
            if (is_sure or not _is_supposed(rest, end, limit)) and _is_tied(note, name, rest, start, end):
                if not in_address(note.text, name.start) and not in_address(note.text, name.stop + start):
                    yield name.stop + start, name.stop + end
                return


def _is_supposed(rest: str, end: int, limit: int) -> bool:
    """Whether a question goes on behind the value for longer than a tag does."""
    return rest.count(" ", end, limit) > _LONGEST_TAG and rest[:limit].rstrip().endswith(("?", "？", "؟"))


def _words_on_line(note: Note, name: Name, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The rest of a line that is nothing but a label and a passphrase of words with blanks between, perhaps with a number."""
    if note.text[note.line_start(name.start) : name.start].count(" ") > _MOST_BEFORE:
        return
    value = note.text[start:stop].rstrip(" \t\r\"'`*_)]”“»")
    words = value.split(" ")
    for_words = note.text[name.start : name.stop].lower().endswith(_FOR_WORDS)
    if value and BLOT not in value and (is_words(words) or (for_words and _is_phrase(words))):
        yield start, start + len(value)


def _is_phrase(words: Sequence[str]) -> bool:
    """Whether words behind a name that promises words are those, and say nothing about them."""
    return (
        _FEWEST_WORDS <= len(words) <= _MOST_OF_PHRASE
        and words[0].lower() not in _ARTICLES
        and all(_PLAIN_WORD.fullmatch(word) is not None for word in words)
        and not any(word.lower() in remarks() for word in words)
    )


@lru_cache(maxsize=16_384)  # a value stands behind several names
def _readings(value: str) -> tuple[tuple[int, int, bool], ...]:
    """What looks like a password in the value without what is around it, and without what a language sets behind it.

    Where each starts and stops in the value, and whether it is more than a homemade one.
    """
    if _DIGIT.search(value) is None and value == value.lower():
        return ()
    start, stop = 0, len(value)
    if value[0] >= "\u0590" and not value[0].isascii():
        for tie in _UNSPACED_TIES if _UNSPACED_TIE.search(value) is not None else ():
            if (place := value.rfind(tie)) >= 0 and len(value) - place - len(tie) > 2:
                start = max(start, place + len(tie))
    else:
        start += len(value) - len(value.lstrip(_OPENING + "-–—"))
        stop -= len(value) - len(value.rstrip(_CLOSING))
    if start >= stop:
        return ()
    spans = [(start, stop)]
    if value.endswith(ties().behind, start, stop):
        ending = next(filter(value[start:stop].endswith, ties().behind))
        if stop - start > len(ending):
            spans.insert(0, (start, stop - len(ending)))
    return tuple(
        (start, stop, is_sure)
        for start, stop in spans
        if (is_sure := is_password(value[start:stop])) or is_homemade(value[start:stop])
    )


def _is_tied(note: Note, name: Name, rest: str, start: int, end: int) -> bool:
    """Whether the value between `start` and `end` of what stands behind the name is said to be what it names."""
    between = rest[:start].rstrip(_WRAPPED).lower()
    words = between.split()
    if len(words) > _MOST_WORDS or (start == 0 and note.text[name.start].isascii()):  # or they are one string
        return False
    if _OTHER_THING.match(between) is not None:
        return False
    if _MARK.search(rest, 0, start) is not None:
        return True
    behind = rest[end : end + _BEHIND]
    if is_ticket(rest[start:end]):
        return False
    last = _last_words(words)
    if _TIED_BEHIND.match(behind) is not None or (_is_tied_before(rest, start, between, last) and _is_end(behind)):
        return True
    return (
        (_ends_with_tie(between) and len(between) <= _LONGEST_BETWEEN_UNSPACED + len(words) * 4)
        or _is_change(note, name, rest, end, last)
        or (len(words) <= _MOST_UNTIED and _ends_label(note, name, behind))
    )


def _is_tied_before(rest: str, start: int, between: str, last: set[str]) -> bool:
    """Whether nothing, a dash, an opening quotation mark or a verb stands before the value: enough where a clause ends with it."""
    return (
        not between
        or rest[start - 1] in _QUOTES
        or not last.isdisjoint(ties().verbs)
        or _DASH.search(rest, 0, start) is not None
        or _ends_with_tie(between)
    )


def _ends_with_tie(between: str) -> bool:
    """Whether it ends with a tie of a script that parts no words by blanks."""
    return not between.isascii() and between.endswith(_UNSPACED_TIES)


def _last_words(words: Sequence[str]) -> set[str]:
    """The last word, the last two and the last three; none where the last ends no tie."""
    if not words or words[-1].strip(",") not in _ENDS_OF_TIES:
        return set()
    return {" ".join(words[-count:]).strip(",") for count in (1, 2, 3)}


def _is_end(behind: str) -> bool:
    """Whether the clause ends here, or goes on with a conjunction or the like."""
    if _ENDS.match(behind) is not None:
        return True
    following = _NEXT_WORD.match(behind)
    word = following[1].lower() if following is not None else ""
    return word in function_words() and word not in ties().verbs


def _is_change(note: Note, name: Name, rest: str, end: int, last: set[str]) -> bool:
    """Whether the sentence says in some language that something was changed, and these words to what."""
    stems = [stem for words in last & ties().changes.keys() for stem in ties().changes[words]] if last else []
    if not stems:
        return False
    around = note.text[max(note.line_start(name.start), name.start - _REACH) : name.start] + rest[: end + _REACH]
    return any(map(around.lower().__contains__, stems))


def _ends_label(note: Note, name: Name, behind: str) -> bool:
    """Whether a value without any tie is the end of a line that is hardly more than the label for it."""
    if behind.strip(" \t\r\n\"'`*_.)"):
        return False
    return len(note.text[note.line_start(name.start) : name.start].split()) <= _MOST_BEFORE


def _below(note: Note, name: Name, line_stop: int) -> Iterator[tuple[int, int]]:
    """The value that stands alone on the next line that is not empty, below a line that is no more than a label."""
    text = note.text
    line = text[note.line_start(name.start) : line_stop]
    if len(line) > _LONGEST_LABEL or len(line.split()) > _MOST_WORDS or line.rstrip().endswith((".", "!", "?", "。")):
        return
    below = _NEXT_LINE.match(text, line_stop)
    if below is None:
        return
    markers = MARKERS.match(text, below.end())
    start = markers.end() if markers else below.end()
    value = text[start : note.line_stop(start)].strip(" \t\r\u00a0" + _OPENING + _CLOSING + "–—")
    if value and BLOT not in value and (is_homemade(value) or is_password(value)):
        begin = text.index(value, start)
        yield begin, begin + len(value)


def _is_unspaced(word: str) -> bool:
    return any("\u0590" <= char <= "\u05ff" or char >= "\u0e00" for char in word) or word in ("ب", "بـ")


_UNSPACED_TIES = tuple(sorted(filter(_is_unspaced, ties().verbs.union(ties().changes))))
_ENDS_OF_TIES = frozenset(tie.split(" ")[-1] for tie in ties().verbs.union(ties().changes))
# A tie behind the value, behind what is wrapped around that.
_TIED_BEHIND = re.compile(rf"""(?:["'`*_)\]»”“」』\s]{{1,6}}+)?(?:{"|".join(map(re.escape, ties().behind))})""")
_UNSPACED_TIE = re.compile("|".join(map(re.escape, _UNSPACED_TIES)))
