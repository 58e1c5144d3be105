"""Counting the tokens of a text as its model will."""

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from scrubjay.daemon.models.unigram import UnigramTokenizer
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_REMEMBERED_WORDS = 1 << 16  # about 8 MB; when so many are known, it forgets them all and starts anew
_LONGEST_REMEMBERED = 20  # bytes; longer words (hashes, URLs, words of scripts without spaces) seldom come again

_PUNCTUATION = bytes(code for code in range(0x21, 0x7F) if not chr(code).isalnum())
_REMOVED = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n\r")
_TO_WORDS = bytes(0x20 if code in _PUNCTUATION else code for code in range(0x100)).lower()
# The ideographs that every Unicode version since 3.0 knows: one token each. Later ones go through the tokenizer.
_IDEOGRAPHS = re.compile("[\u3400-\u4db5\u4e00-\u9fa5]+")


class TokenCounter:
    """Counts tokens without [CLS] and [SEP], and without truncation. Thread-safe.

    Exact for every tokenizer. For those of BERT's make it remembers the count of each word, which is six to ten times
    as fast as tokenizing. The tokenizer is loaded when something is counted, and again after a rest.
    """

    def __init__(self, spec: EmbeddingModel) -> None:
        """Of a model that lies in files. Raises FileNotFoundError where it has no tokenizer."""
        self._spec = spec
        self._file = (spec.path or Path()) / "tokenizer.json"
        if not self._file.is_file():
            raise FileNotFoundError(f"The model {spec.name} has no tokenizer at {self._file}.")
        self._lock = threading.Lock()
        self._count: Callable[[list[str]], list[int]] | None = None

    def __reduce__(self) -> tuple[type["TokenCounter"], tuple[EmbeddingModel]]:
        """Another process loads it anew."""
        return TokenCounter, (self._spec,)

    def count_many(self, texts: list[str]) -> list[int]:
        """The number of tokens of each text. Raises OSError where the tokenizer can't be read."""
        with self._lock:
            count = self._count = self._count or _counter(self._file)
        return count(texts)

    def release_memory(self) -> None:
        """Give up some 20 MB, 60 of a large vocabulary, which are there again in a moment when they are needed."""
        with self._lock:
            self._count = None


def _counter(file: Path) -> Callable[[list[str]], list[int]]:
    """What counts the tokens of texts as the tokenizer in a file does."""
    if unigrams := UnigramTokenizer.read(file):
        count = unigrams.count
        return lambda texts: [count(_encodable(text)) for text in texts]
    return _LibrarysTokenizer.from_file(file).count_many


def _encodable(text: str) -> str:
    """`text` without lone surrogates, which no UTF-8 holds."""
    return text.encode("utf-8", "replace").decode()


class _LibrarysTokenizer:
    """A tokenizer, and the counts of the words that it has met."""

    def __init__(self, tokenizer: "Tokenizer", *, by_word: bool) -> None:
        self._tokenizer = tokenizer
        special = (token.content for token in tokenizer.get_added_tokens_decoder().values())
        self._special = re.compile("|".join(map(re.escape, special)) or "(?!)")  # without any, nothing is found
        self._by_word = by_word
        self._lock = threading.Lock()
        self._known: dict[bytes, int] = {}

    @classmethod
    def from_file(cls, file: Path) -> "_LibrarysTokenizer":
        # Not at the top: a daemon that counts no tokens need not import it.
        from tokenizers import Tokenizer  # noqa: PLC0415

        described = file.read_bytes()
        tokenizer = Tokenizer.from_buffer(described)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(tokenizer, by_word=msgspec.json.decode(described, type=_Description).is_bert_uncased())

    def count_many(self, texts: list[str]) -> list[int]:
        return self._count_by_word(texts) if self._by_word else self._tokenize(texts)

    def _count_by_word(self, texts: list[str]) -> list[int]:
        """Sum the counts of words: BERT's tokenizer looks at no word's neighbours.

        ASCII punctuation marks and ideographs are a token each; control characters vanish; case does not matter. What
        is left between spaces is counted by the tokenizer once and remembered. (A "word" here may still hold other
        scripts' punctuation or spaces; the tokenizer takes it apart.)
        """
        split = [self._split(text) for text in texts]
        with self._lock:
            if len(self._known) > _REMEMBERED_WORDS:
                self._known.clear()
            unknown = list(set[bytes]().union(*(words for _, words in split)).difference(self._known))
            self._known.update(zip(unknown, self._count_words(unknown), strict=True))
            look_up = self._known.__getitem__
            counts = [count + sum(map(look_up, words)) for count, words in split]
            for word in unknown:
                if len(word) > _LONGEST_REMEMBERED:
                    del self._known[word]
        return counts

    def _split(self, text: str) -> tuple[int, list[bytes]]:
        """The tokens that need no looking up, and the words that do."""
        if "[" in text and self._special.search(text):
            return self._tokenize([text])[0], []
        ideographs = 0
        if not text.isascii():
            apart, runs = _IDEOGRAPHS.subn(" ", text)
            ideographs = len(text) - len(apart) + runs
            text = apart
        data = text.encode("utf-8", "replace")
        punctuation = len(data) - len(data.translate(None, _PUNCTUATION))
        return ideographs + punctuation, data.translate(_TO_WORDS, _REMOVED).split()

    def _count_words(self, words: list[bytes]) -> list[int]:
        """The tokens of each word. ASCII words are already normalised for the WordPiece model: four times as fast."""
        model = self._tokenizer.model
        other = [word.decode() for word in words if not word.isascii()]
        counts_of_other = iter(self._tokenize(other))
        return [len(model.tokenize(word.decode())) if word.isascii() else next(counts_of_other) for word in words]

    def _tokenize(self, texts: list[str]) -> list[int]:
        clean = [_encodable(text) for text in texts]
        return [len(encoding) for encoding in self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)]


class _Normalizer(msgspec.Struct):
    type: str = ""
    clean_text: bool = False
    handle_chinese_chars: bool = False
    lowercase: bool = False


class _PreTokenizer(msgspec.Struct):
    type: str = ""


class _Model(msgspec.Struct):
    type: str = ""


class _AddedToken(msgspec.Struct):
    content: str
    normalized: bool = True
    lstrip: bool = False
    rstrip: bool = False


class _Description(msgspec.Struct):
    """What we ask of a tokenizer.json; the rest is the library's business."""

    model: _Model
    normalizer: _Normalizer | None = None
    pre_tokenizer: _PreTokenizer | None = None
    added_tokens: tuple[_AddedToken, ...] = ()

    def is_bert_uncased(self) -> bool:
        """Whether it describes BERT's uncased tokenizer, whose rules `_count_by_word` relies on."""
        return (
            self.normalizer == _Normalizer("BertNormalizer", clean_text=True, handle_chinese_chars=True, lowercase=True)
            and self.pre_tokenizer == _PreTokenizer("BertPreTokenizer")
            and self.model == _Model("WordPiece")
            and all(
                token.content.startswith("[") and not (token.normalized or token.lstrip or token.rstrip)
                for token in self.added_tokens
            )
        )
