"""Lists of words that come with the program: sorted, compressed, and searched as they are, without a table."""

import lzma
from bisect import bisect_right
from functools import lru_cache
from importlib import resources
from itertools import takewhile

_FOLDER = resources.files("scrubjay.profiles.search.words")
_SUFFIX = ".txt.xz"
_STRIDE = 1_000
_MOST_KEPT = 24  # lists in memory, of .3 to 1.6 MB each
_LOOKED_AT = 2_000  # bytes behind the beginning of a word: all words that begin alike but for the commonest beginnings


class WordList:
    """Lines in the order of their first words; thread-safe."""

    def __init__(self, lines: bytes) -> None:
        """lines: UTF-8, each line behind a line feed, one more at the end."""
        self.lines = lines
        # Ends of lines, one for each thousand bytes, and the first words behind them.
        self._starts = sorted({lines.index(b"\n", at) for at in range(0, len(lines) - 1, _STRIDE)} - {len(lines) - 1})
        self._words = [_first_word(lines, start + 1) for start in self._starts]

    def line(self, word: str) -> str:
        """The line that begins with this word; "" where none does."""
        sought = word.encode()
        part = bisect_right(self._words, sought)
        if part == 0:
            return ""
        stop = self._starts[part] if part < len(self._starts) else len(self.lines)
        found = self.lines.find(b"\n" + sought, self._starts[part - 1], stop)
        # Lines that begin with more letters stand behind it.
        if found < 0 or self.lines[found + 1 + len(sought)] not in b" \n":
            return ""
        return self.lines[found + 1 : self.lines.index(b"\n", found + 1)].decode()

    def beginning(self, start: str) -> list[str]:
        """The first lines that begin so."""
        begin = self.lines.find(f"\n{start}".encode())
        if begin < 0:
            return []
        following = self.lines[begin + 1 : begin + _LOOKED_AT].decode("utf-8", "ignore").split("\n")[:-1]
        return list(takewhile(lambda line: line.startswith(start), following))


def _first_word(lines: bytes, start: int) -> bytes:
    return lines[start : lines.index(b"\n", start)].partition(b" ")[0]


def listed_in(folder: str) -> frozenset[str]:
    """The names of the lists of a folder beside this module: languages, by their codes."""
    names = (file.name for file in (_FOLDER / folder).iterdir())
    return frozenset(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


@lru_cache(_MOST_KEPT)
def read_list(folder: str, name: str) -> WordList:
    """One of them."""
    return WordList(lzma.decompress((_FOLDER / folder / f"{name}{_SUFFIX}").read_bytes()))


def release_memory() -> None:
    """Drop all lists, of .3 to 1.6 MB each; to unpack one again takes 10 to 35 ms."""
    read_list.cache_clear()
