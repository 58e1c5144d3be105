"""Lists of words that come with the program: sorted, compressed, and searched as they are, without a table."""

import lzma
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import takewhile

_FOLDER = resources.files("scrubjay.profiles.search.words")
_SUFFIX = ".txt.xz"
_MOST_KEPT = 24  # lists in memory, of .3 to 1.3 MB each
_LOOKED_AT = 2_000  # bytes behind the beginning of a word: all words that begin alike but for the commonest beginnings


@dataclass(frozen=True, slots=True)
class WordList:
    """Lines in the order of their first words. lines: UTF-8, each line behind a line feed, one more at the end."""

    lines: bytes

    def line(self, word: str) -> str:
        """The line that begins with this word; "" where none does."""
        wanted = word.encode()
        before, after = 0, len(self.lines) - 1  # ends of lines around it
        while before < after:
            begin = self.lines.rfind(b"\n", before, (before + after) // 2 + 1)
            end = self.lines.index(b"\n", begin + 1)
            line = self.lines[begin + 1 : end]
            key = line.partition(b" ")[0]
            if key == wanted:
                return line.decode()
            before, after = (end, after) if key < wanted else (before, begin)
        return ""

    def beginning(self, start: str) -> list[str]:
        """The first lines that begin so."""
        begin = self.lines.find(f"\n{start}".encode())
        if begin < 0:
            return []
        following = self.lines[begin + 1 : begin + _LOOKED_AT].decode("utf-8", "ignore").split("\n")[:-1]
        return list(takewhile(lambda line: line.startswith(start), following))


def listed_in(folder: str) -> frozenset[str]:
    """The names of the lists of a folder beside this module: languages, by their codes."""
    names = (file.name for file in (_FOLDER / folder).iterdir())
    return frozenset(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


@lru_cache(_MOST_KEPT)
def read_list(folder: str, name: str) -> WordList:
    """One of them."""
    return WordList(lzma.decompress((_FOLDER / folder / f"{name}{_SUFFIX}").read_bytes()))
