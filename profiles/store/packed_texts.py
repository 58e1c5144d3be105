"""Texts as they are stored: deflated, each by itself, with a dictionary of what notes have in common.

The dictionary comes with the program. One trained on the notes themselves would save more (a tenth of a passage's
bytes), but words of a note that is forgotten would stay in it.
"""

import re
import zlib
from contextlib import suppress
from functools import lru_cache
from importlib import resources

_FORMAT = b"\1"  # first byte of what is packed: deflate with `common_words_1.txt`
_RAW = -zlib.MAX_WBITS  # without a header and a checksum: SQLite's pages and the digests tell damage
_LEVEL = 5  # takes a tenth less time than 6, and a three-hundredth more room
_LONGEST, _STEP = 16_384, 64  # bytes that are looked at for a packed text, and at once


def pack(text: str) -> bytes:
    """The text in fewer bytes. A lone surrogate becomes a question mark, as it does in SQLite."""
    deflate = _BEGUN.copy()
    return _FORMAT + deflate.compress(text.encode("utf-8", "replace")) + deflate.flush()


def unpack(packed: bytes) -> str:
    """The inverse of `pack`; "" of nothing. Raises ValueError for anything else."""
    if not packed:
        return ""
    if packed[:1] != _FORMAT:
        raise ValueError("a text that was packed in no known way")
    try:
        inflate = zlib.decompressobj(_RAW, _dictionary())
        return (inflate.decompress(packed[1:]) + inflate.flush()).decode("utf-8")
    except zlib.error as error:
        raise ValueError("a packed text that is damaged") from error


def texts_within(data: bytes) -> bytes:
    """Every text that some bytes of a database hold in packed form, a line each.

    Looked for wherever one may begin, in pages in use and in others; of one cut by a page's end, its beginning.
    """
    texts: list[bytes] = []
    for beginning in re.finditer(_FORMAT, data):
        inflate = zlib.decompressobj(_RAW, _dictionary())
        read: list[bytes] = []
        with suppress(zlib.error):  # it was none, or ends here
            for at in range(beginning.end(), beginning.end() + _LONGEST, _STEP):
                read.append(inflate.decompress(data[at : at + _STEP]))
                if inflate.eof:
                    break
        texts.append(b"".join(read))
    return b"\n".join(texts)


@lru_cache(maxsize=1)
def _dictionary() -> bytes:
    """English words and Markdown, the most frequent last; what is packed can be unpacked with this very file alone."""
    file = resources.files("scrubjay.profiles.store") / "common_words_1.txt"
    return file.read_bytes().replace(b"\r\n", b"\n")


# Has read the dictionary and nothing else: to copy it is quicker than to read that again for each text.
_BEGUN = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zlib.DEF_MEM_LEVEL, zlib.Z_DEFAULT_STRATEGY, _dictionary())
