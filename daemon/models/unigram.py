"""SentencePiece's unigrams, in a seventh of the memory that the `tokenizers` library takes for a large vocabulary."""

import re
import unicodedata
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import msgspec

# Of 250,002 pieces the library makes a tree of tables, 280 MB, in every process that counts tokens or embeds. A
# dictionary of them takes 40 MB, and finding the likeliest pieces in Python a hundredth of the time that the model has
# for the text, since words are remembered. tests/unit/models/test_unigram.py holds both against each other.

_SPACE = "\u2581"
"""SentencePiece's sign for a space."""
_UNKNOWN_COST = 10.0
"""Of a character that no piece has, beside the rarest piece."""
_REMEMBERED = 1 << 15
"""Words whose pieces are known; when there are as many, all are forgotten."""
_LONGEST_REMEMBERED = 24

Normalizer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as a model takes it, the only one of its input."""

    ids: Sequence[int]

    @property
    def attention_mask(self) -> Sequence[int]:
        """All tokens count."""
        return [1] * len(self.ids)

    @property
    def type_ids(self) -> Sequence[int]:
        """All are of one text."""
        return [0] * len(self.ids)


class _Kind(msgspec.Struct, frozen=True):
    type: str = ""


class _Described(msgspec.Struct, frozen=True):
    """What is looked at to tell whether a tokenizer is one of unigrams."""

    model: _Kind


class _Pattern(msgspec.Struct, frozen=True):
    Regex: str = ""
    String: str = ""


class _Step(msgspec.Struct, frozen=True):
    type: str
    normalizers: tuple["_Step", ...] = ()
    pattern: _Pattern = _Pattern()
    content: str = ""


class _Metaspace(msgspec.Struct, frozen=True):
    type: str
    replacement: str = _SPACE
    prepend_scheme: str = ""
    split: bool = True


class _Unigrams(msgspec.Struct, frozen=True):
    vocab: list[tuple[str, float]]
    unk_id: int | None = None
    byte_fallback: bool = False


class _AddedToken(msgspec.Struct, frozen=True):
    id: int
    content: str
    normalized: bool = True
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False


class _Special(msgspec.Struct, frozen=True):
    ids: tuple[int, ...]


class _Around(msgspec.Struct, frozen=True):
    type: str = ""
    single: tuple[dict[str, dict[str, str | int]], ...] = ()
    special_tokens: dict[str, _Special] = {}


class _Tokenizer(msgspec.Struct, frozen=True):
    model: _Unigrams
    normalizer: _Step | None = None
    pre_tokenizer: _Metaspace | None = None
    added_tokens: tuple[_AddedToken, ...] = ()
    post_processor: _Around | None = None


class UnigramTokenizer:
    """Cuts texts as `tokenizers` does from the same file. Thread-safe."""

    def __init__(self, described: _Tokenizer, unknown: int, normalize: Normalizer) -> None:
        pieces = described.model.vocab
        self._normalize = normalize
        self._unknown = unknown
        self._ids = {piece: number for number, (piece, _) in enumerate(pieces)}
        self._scores = array("d", (score for _, score in pieces))
        self._longest = max(len(piece) for piece in self._ids)
        self._unknown_score = min(self._scores) - _UNKNOWN_COST
        self._special = {token.content: token.id for token in described.added_tokens}
        self._apart = re.compile(f"({'|'.join(map(re.escape, self._special))})") if self._special else None
        self._before, self._after = _around(described.post_processor)
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, file: Path) -> "UnigramTokenizer | None":
        """The tokenizer in a file; None for one of another kind, or with steps that are not known here.

        Raises OSError, and msgspec.MsgspecError for what is no tokenizer.
        """
        data = file.read_bytes()
        if msgspec.json.decode(data, type=_Described).model.type != "Unigram":
            return None
        try:
            described = msgspec.json.decode(data, type=_Tokenizer)
        except msgspec.ValidationError:
            return None
        normalize = _normalizer(described.normalizer)
        unknown = described.model.unk_id
        if normalize is None or unknown is None or described.model.byte_fallback or not _is_usual(described):
            return None
        return cls(described, unknown, normalize)

    def encode(self, text: str, max_tokens: int) -> Tokens:
        """The tokens of a text and those around it; a longer text is cut."""
        room = max(0, max_tokens - len(self._before) - len(self._after))
        return Tokens((*self._before, *self._cut(text)[:room], *self._after))

    def count(self, text: str) -> int:
        """The number of tokens of a text, without those around it."""
        return len(self._cut(text))

    def _cut(self, text: str) -> list[int]:
        if self._apart is None:
            return self._pieces(text)
        parts = enumerate(self._apart.split(text))
        return [*chain.from_iterable([self._special[part]] if at % 2 else self._pieces(part) for at, part in parts)]

    def _pieces(self, text: str) -> list[int]:
        normal = self._normalize(text).replace(" ", _SPACE)
        if not normal:
            return []
        if normal.startswith(_SPACE):
            normal = normal[1:]
        return [*chain.from_iterable(map(self._word, normal.split(_SPACE)))]

    def _word(self, word: str) -> tuple[int, ...]:
        found = self._known.get(word)
        if found is None:
            found = self._likeliest(_SPACE + word)
            if len(word) <= _LONGEST_REMEMBERED:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[word] = found
        return found

    def _likeliest(self, text: str) -> tuple[int, ...]:
        """The pieces whose scores sum to the most; characters that no piece has are one unknown token, where adjacent.

        Each place is reached from those before it, the best way first (Viterbi); of equal ways the first stays.
        """
        ids, scores, size = self._ids, self._scores, len(text)
        best = [0.0] + [float("-inf")] * size
        came = [(0, 0)] * (size + 1)  # where the piece that ends here begins, and its number
        for first in range(size):
            so_far, alone = best[first], False
            for last in range(first + 1, min(first + self._longest, size) + 1):
                number = ids.get(text[first:last])
                if number is None:
                    continue
                alone = alone or last == first + 1
                score = so_far + scores[number]
                if score > best[last]:
                    best[last], came[last] = score, (first, number)
            if not alone and so_far + self._unknown_score > best[first + 1]:
                best[first + 1], came[first + 1] = so_far + self._unknown_score, (first, self._unknown)
        found: list[int] = []
        at = size
        while at:
            at, number = came[at]
            if number != self._unknown or not found or found[-1] != number:
                found.append(number)
        return tuple(reversed(found))


def _is_usual(described: _Tokenizer) -> bool:
    spaces = described.pre_tokenizer
    return (
        spaces is not None
        and spaces == _Metaspace("Metaspace", prepend_scheme="always")
        and described.post_processor is not None
        and described.post_processor.type == "TemplateProcessing"
        and not any(
            token.normalized or token.single_word or token.lstrip or token.rstrip for token in described.added_tokens
        )
    )


def _normalizer(step: _Step | None) -> Normalizer | None:
    """What a step does to a text; None for one that is not known here."""
    if step is None:
        return str
    if step.type == "NFKC":
        return lambda text: unicodedata.normalize("NFKC", text)
    if step.type == "Replace":
        pattern = re.compile(step.pattern.Regex or re.escape(step.pattern.String))
        return lambda text: pattern.sub(lambda _: step.content, text)
    if step.type != "Sequence":
        return None
    steps = [_normalizer(each) for each in step.normalizers]
    known = [each for each in steps if each is not None]
    return (lambda text: _in_turn(known, text)) if len(known) == len(steps) else None


def _in_turn(steps: Sequence[Normalizer], text: str) -> str:
    for step in steps:
        text = step(text)
    return text


def _around(post: _Around | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tokens before a text, and those after it."""
    before: list[int] = []
    after: list[int] = []
    here = before
    for each in post.single if post else ():
        if "Sequence" in each:
            here = after
        elif post:
            here.extend(post.special_tokens[str(each["SpecialToken"]["id"])].ids)
    return tuple(before), tuple(after)
