"""What stands in notes for programs alone, left out; and where running text stands."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from scrubjay.daemon.vault.markdown.markup import marked_stretches
from scrubjay.profiles.search.results.plain_text import SCHEME
from scrubjay.profiles.search.words.analysis import UNSPACED

MARK = "…"
LONGEST_RUN = 200
"""Code points without a space; longer ones are no words. URLs and scripts without spaces may be longer."""
_LONGEST_ADDRESS = 2048  # as browsers show; what is longer carries a document in it
_KEPT_OF_ADDRESS = 200
_DRAWING = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[ \t]*"
    r"(?:compressed-json\b|json[ \t]*\n[ \t>]*\{\s*\"type\"\s*:\s*\"excalidraw\")[^\n]*+"
    r"(?:\n(?![ \t>]*(?P=fence))[^\n]*+)*+(?:\n[ \t>]*(?P=fence)[`~]*[ \t]*$)?",
    re.MULTILINE,
)
_ENCODED = 60
_ENCODED_RUN = re.compile(rf"[A-Za-z0-9+/_=-]{{{_ENCODED},}}+")
"""What a line is made of that is nothing but base64 or the like."""
_ENCODED_LINES = re.compile(
    rf"(?:^[ \t>]*+{_ENCODED_RUN.pattern}[ \t]*+$\n?){{3,}}+"
    r"(?:^[ \t>]*+(?=[A-Za-z]{0,60}[0-9+/=])[A-Za-z0-9+/_-]{1,60}+={0,2}[ \t]*+$)?",
    re.MULTILINE,
)
_HEX = re.compile(r"[\s>0-9A-Fa-f]+")
_DATA_ADDRESS = re.compile(r"\b(data:[\w.+/-]{0,99}(?:;[\w.+=-]{1,99}){0,9},)[^\s\"'<>()\[\]]{64,}+")
_VECTOR = r"[\sMLHVCSQTAZmlhvcsqtaz\d,.eE+-]{200,}+"
_VECTOR_VALUE = re.compile(f"=[\"']{_VECTOR}")  # is found far sooner than a name before it
_VECTOR_PATH = re.compile(rf"\b((?:d|points|transform|values)=([\"'])){_VECTOR}(?=\2)")
_LONG = 1000
_LONG_LINE = re.compile(rf"^[^\n]{{{_LONG},}}+$", re.MULTILINE)
_LONG_RULE = re.compile(rf"(?<!\S)[^\w\s]{{{LONGEST_RUN + 1},}}+(?!\S)")
_LONG_RUN = re.compile(rf"(?<!\S)\S{{{LONGEST_RUN + 1},}}+")
_ADDRESS = r"(?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|www\.)[^\s<>\"'`|\]()]++(?:\([^\s()]*+\)[^\s<>\"'`|\]()]*+)*+"
_TARGET = r"\]\([^\s()]++(?:\([^\s()]*+\)[^\s()]*+)*+\)"
_TAG = r"</?[A-Za-z][A-Za-z0-9]*+(?:\s[^<>\n]*+)?/?>"
_WORDS_ALL_THE_SAME = re.compile(rf"{_ADDRESS}|{_TARGET}|{_TAG}|{UNSPACED.pattern}")
_FORMULA_WORD = re.compile(r"\\[A-Za-z]{2,}")
_FORMULA = 1 / 40  # of a formula's code points begin a command
_CODE_MARK = re.compile(r"[{}\"'=<>()\\;]")
_CELL_END = re.compile(r"[|,;:]|\]\]|\[\[")
_LONGEST_CELL = 60
_RULE = re.compile(r"([^\w\s])\1{3,}+")
_FEW, _MANY = 1 / 50, 1 / 10  # share of marks of code in lists of words, and in code
_FEW_SPACES = 1 / 25  # share of a line of minified code; of prose it is a sixth, of code as people write it an eighth


@dataclass(frozen=True, slots=True)
class Readable:
    """A note's text as people read it, on the same lines, and how many code points were left out of it."""

    text: str
    left_out: int


def without_payloads(text: str) -> Readable:
    """Leave out what only programs read. Most notes come back as they are."""
    left_out = 0

    def leaving_out(keep: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
        def replaced(match: re.Match[str]) -> str:
            nonlocal left_out
            kept = keep(match)
            lines = match[0].count("\n")
            if kept != match[0]:
                left_out += len(match[0]) - len(kept) - lines
            return kept if kept == match[0] else kept + "\n" * (lines - kept.count("\n"))

        return replaced

    if "data:" in text:
        text = _DATA_ADDRESS.sub(leaving_out(lambda match: match[1] + MARK), text)
    if "excalidraw" in text or "compressed-json" in text:
        text = _DRAWING.sub(leaving_out(lambda _match: MARK), text)
    if "<" in text and _VECTOR_VALUE.search(text):
        text = _VECTOR_PATH.sub(leaving_out(lambda match: match[1] + MARK), text)
    # Most notes have no run or line long enough for any of these, and it takes less time to see that first.
    long = _long_runs(text)
    if any(map(_LONG_RULE.match, long)):
        text = _LONG_RULE.sub(lambda match: _RULE.sub(r"\1\1\1", match[0]), text)  # nothing is lost of it
        long = _long_runs(text)
    if max(map(len, text.split("\n"))) >= _LONG:
        text = _LONG_LINE.sub(leaving_out(lambda match: _long_line(match[0])), text)
    if any(_ENCODED_RUN.fullmatch(run.lstrip(">")) for run in long):
        text = _ENCODED_LINES.sub(leaving_out(_encoded_lines), text)
    if any(map(_LONG_RUN.match, long)):
        text = _LONG_RUN.sub(leaving_out(lambda match: _short(match[0])), text)
    return Readable(text, left_out)


def _long_runs(text: str) -> list[str]:
    return [run for run in text.split() if len(run) >= _ENCODED]


def _encoded_lines(match: re.Match[str]) -> str:
    """A mark and the last line's end, unless the lines are words after all."""
    block = match[0]
    mixed = any(map(str.isdigit, block)) and any(map(str.isupper, block)) and any(map(str.islower, block))
    if not mixed and not _HEX.fullmatch(block):
        return block
    return MARK + block[len(block.rstrip("\n")) :]


def _long_line(line: str) -> str:
    """The line, or of one that is minified code the words before and behind that code."""
    if not _is_minified(line):
        return line
    words = line.split(" ")
    code = [at for at, word in enumerate(words) if _CODE_MARK.search(word)]
    return " ".join((*words[: code[0]], MARK, *words[code[-1] + 1 :]))


def _is_minified(line: str) -> bool:
    bare = _WORDS_ALL_THE_SAME.sub("", line)
    size = max(len(bare), 1)
    return (
        len(bare) > LONGEST_RUN
        and bare.count(" ") < size * _FEW_SPACES
        and len(_CODE_MARK.findall(bare)) > size * _MANY
    )


def _short(run: str) -> str:
    """A long run without what is no word, no address and no list of words in it."""
    parts: list[str] = []
    at = 0
    for match in _WORDS_ALL_THE_SAME.finditer(run):
        parts.append(_short_part(run[at : match.start()]))
        parts.append(_short_address(match[0]))
        at = match.end()
    parts.append(_short_part(run[at:]))
    return "".join(parts)


def _short_part(part: str) -> str:
    if len(part) <= LONGEST_RUN:
        return part
    is_formula = len(_FORMULA_WORD.findall(part)) >= len(part) * _FORMULA
    is_list = len(_CODE_MARK.findall(part)) <= len(part) * _FEW
    is_list = is_list and max(map(len, _CELL_END.split(part))) <= _LONGEST_CELL
    return part if is_formula or is_list else MARK


def _short_address(address: str) -> str:
    if len(address) <= _LONGEST_ADDRESS or UNSPACED.match(address):
        return address
    return address[:_KEPT_OF_ADDRESS] + MARK + (")" if address.startswith("](") else "")


NOT_PROSE = "\0"
"""Stands for each code point that is no running text."""
_MARKS = {  # what each needs somewhere in a text: most texts have few of these, and are looked through in half the time
    r"(?<![\w])" + SCHEME + r"[^\s<>]++": "",  # an address
    r"(?<![\w.+-])[\w.+-]{1,64}+@[\w-]++(?:\.[\w-]++)++": "@",  # a mail address
    r"www\.[^\s<>]++": "www.",
    r"<[/!A-Za-z][^<>\n]{0,500}>": "<",  # a tag of HTML
    r"\[[\^!][^\[\]\n]{1,80}\]": "[",  # a footnote's number, a callout's kind
    r"^[ ]{0,3}\[[^\[\]\n]{1,300}\]:[^\n]*": "]:",  # where a reference leads
    r"!?\[\[[^\[\]\n]{0,300}": "[[",  # a link that was cut off
    r"%%[^%]{0,2000}%%": "%%",  # a comment
    r"[ \t]\^[A-Za-z0-9-]{1,40}[ \t]*$": "^",  # a block's name
    r"^[ \t>*+-]{0,20}[^\s:\[\]()|][^:\n\[\]()|]{0,60}::(?!:)": "::",  # a field's name
    r"\[REDACTED:[a-z0-9-]{1,80}\]": "[REDACTED:",
}


def _marks(body: str) -> re.Pattern[str]:
    return _any_of(tuple(mark for mark, sign in _MARKS.items() if sign in body))


@lru_cache(maxsize=256)
def _any_of(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(marks), re.MULTILINE)


def only_prose(body: str) -> str:
    """`body` with `NOT_PROSE` for each code point that is no running text; of the same length, on the same lines."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(chain(marked_stretches(body), map(re.Match[str].span, _marks(body).finditer(body)))):
        if end > at:
            marked = body[max(start, at) : end]
            parts += (body[at:start], "\n".join(NOT_PROSE * len(line) for line in marked.split("\n")))
            at = end
    return "".join((*parts, body[at:]))
