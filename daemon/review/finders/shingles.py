"""Texts as runs of three words, hashed: how much two texts have in common whatever was moved about in them. Pure.

Runs of words ("shingles") and the smallest of their hashes as a sketch of a text are those of Broder, "On the
resemblance and containment of documents" (1997). A character of a script without spaces counts as a word.
"""

import re
from collections import Counter
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.number_sets import are_among, distinct
from scrubjay.profiles.store.near_copies import Hashes

SKETCH_SIZE = 128
RUN = 3
"""Words of a run."""
_MOST_WORDS = 32_768  # whose hashes are remembered

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_PARTED = {code: " " for code in range(128) if not chr(code).isalnum()}
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Knuth, TAOCP 3, 6.4


def words(text: str) -> list[str]:
    """The words of a text in order, case folded."""
    if text.isascii():
        return text.lower().translate(_PARTED).split()  # the same, in a third of the time
    return _WORD.findall(text.casefold())


class WordHashes(dict[str, int]):
    """The hash of each word, as far as it is remembered. For one look and no longer: these are words of notes."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_WORDS:
            self.clear()
        found = self[word] = crc32(word.encode("utf-8", "replace"))
        return found


def runs(listed: list[str], known: WordHashes) -> Hashes:
    """The hash of each run of three words, by the place of its first; the same on every machine."""
    count = len(listed) - RUN + 1
    if count <= 0:
        return np.empty(0, np.uint32)
    each = np.fromiter(map(known.__getitem__, listed), np.uint64, len(listed))
    mixed = np.zeros(count, np.uint64)
    for place in range(RUN):
        mixed = (mixed ^ each[place : place + count]) * _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def sketch(text: str, known: WordHashes) -> Hashes:
    """The smallest hashes of a text's runs, ascending, `SKETCH_SIZE` at most; those of a short text are all."""
    return distinct(runs(words(text), known))[:SKETCH_SIZE]


def own_words(listed: list[str], found: Hashes, frame: Hashes) -> Counter[str]:
    """How often each word stands outside the runs of `frame`, which are those that many notes have; found: its runs."""
    is_frame = are_among(found, frame)
    covered: NDArray[np.bool_] = np.zeros(len(listed), np.bool_)
    for place in range(RUN):
        covered[place : place + len(is_frame)] |= is_frame
    return Counter(word for word, inside in zip(listed, covered.tolist(), strict=True) if not inside)
