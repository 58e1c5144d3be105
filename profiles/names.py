"""When two spellings are one name. There is one key for each question; none can stand for another.

- `file_key`: are they one file? Case and composition do not count, as on the file systems of macOS and Windows. It must
  not merge more: "Resume.md" and "Résumé.md" are two files.
- `link_key`: does a link mean this path? As in Obsidian: lower case, not Unicode's folding ("ß" is not "ss"), composed
  letters, and the spaces that typesetting puts in are plain ones.
- `fold`: does somebody who types it mean it? Diacritics do not count either. What is one name for `file_key` is one for
  `fold` too, so that an index over folded names finds files.
"""

import re
import unicodedata
from typing import Literal

_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20f0\ufe20-\ufe2f]{31,}"
)
LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H", "ı": "i"}
)
"""Letters that Unicode does not decompose, and what is typed in their place."""
_ANY_LETTER = re.compile(f"[{''.join(map(chr, LETTERS))}]")
_PERHAPS_MARKS = re.compile("[^\0-\u02ff]+")  # none of those before combines
_MOST_MARKS = 30
"""In a row, as in the stream-safe format of Unicode's UAX 15: putting them in order takes time quadratic in them."""


def nfc(name: str) -> str:
    """The composed form (Unicode NFC): file systems spell "é" in two ways, and both must meet as one name.

    Linear in the name: one with more combining marks in a row than any language writes stays as it is.
    """
    return name if name.isascii() or _has_long_run(name) else unicodedata.normalize("NFC", name)


def file_key(name: str) -> str:
    """A key under which names that differ only in case or normalisation are equal."""
    return name.lower() if name.isascii() else nfc(nfc(name).casefold())


def link_key(path: str) -> str:
    """A path as links are compared: lower case, composed letters, plain spaces."""
    if path.isascii():
        return path.lower()
    return nfc(nfc(path).lower()).replace("\u00a0", " ").replace("\u202f", " ")


def fold(text: str) -> str:
    """Case and diacritics removed, `LETTERS` as they are typed: what filters and name look-ups compare."""
    if text.isascii():
        return text.lower()
    # Twice, since decomposing can bring capitals to light (𝓐), and folding accents (ŉ).
    for _ in range(2):
        text = compatible("NFKD", text.casefold())
    plain = _PERHAPS_MARKS.sub(_without_marks, text.casefold())
    return unicodedata.normalize("NFC", plain.translate(LETTERS) if _ANY_LETTER.search(plain) else plain)


def _without_marks(run: re.Match[str]) -> str:
    return "".join(c for c in run[0] if not unicodedata.combining(c))


def compatible(form: Literal["NFKC", "NFKD"], text: str) -> str:
    """A compatibility form of Unicode, in linear time: of more marks in a row than are ever written, some go."""
    return unicodedata.normalize(form, _MARKS.sub(lambda run: run[0][:_MOST_MARKS], text))


def _has_long_run(name: str) -> bool:
    """Whether more than `_MOST_MARKS` combining marks, decomposed ones too, follow each other."""
    run = 0
    for character in name if len(name) > _MOST_MARKS else "":
        run = run + 1 if unicodedata.combining(character) else 0
        if run > _MOST_MARKS:
            return True
    return False
