"""LZString's Base64 form, in which Excalidraw keeps drawings (https://pieroxy.net/blog/pages/lz-string/)."""

from scrubjay.daemon.documents.extracted import CannotRead, Reason

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_VALUES = {character: value for value, character in enumerate(_ALPHABET)}
_BITS = 6  # of each character
_CHARACTER_8, _CHARACTER_16, _END = 0, 1, 2  # codes that are no entry of the dictionary


def decompress_base64(text: str, limit: int) -> str:
    """What was compressed. Line ends in `text` are no part of it.

    Raises CannotRead: `damaged` for what LZString never writes, `bomb` past `limit` characters.
    """
    try:
        bits = _Bits([_VALUES[character] for character in text if not character.isspace()])
        return _decompress(bits, limit)
    except (KeyError, IndexError):
        raise CannotRead(Reason.DAMAGED) from None


class _Bits:
    """A stream of bits, the lowest of each number first, as LZString writes them."""

    def __init__(self, values: list[int]) -> None:
        self._values = values
        self._at = 0
        self._left = _BITS

    def take(self, count: int) -> int:
        """The next number of so many bits. Raises IndexError at the end."""
        number = 0
        for place in range(count):
            self._left -= 1
            number |= (self._values[self._at] >> self._left & 1) << place
            if not self._left:
                self._at, self._left = self._at + 1, _BITS
        return number


def _decompress(bits: _Bits, limit: int) -> str:
    """LZ78 with codes that grow: see `_decompress` of lz-string 1.5."""
    first = _character(bits, bits.take(2))
    if first is None:
        return ""
    entries: list[str] = ["", "", "", first]  # the first three codes mean something else
    pieces, length = [first], 1
    previous, width, room = first, 3, 4
    while True:
        code = bits.take(width)
        if code == _END:
            return "".join(pieces)
        if code in (_CHARACTER_8, _CHARACTER_16):
            character = _character(bits, code)
            entries.append(character or "")
            code = len(entries) - 1
            room -= 1
            if not room:
                room, width = 1 << width, width + 1
        entry = previous + previous[0] if code == len(entries) else entries[code]
        pieces.append(entry)
        length += len(entry)
        if length > limit:
            raise CannotRead(Reason.BOMB)
        entries.append(previous + entry[0])
        previous = entry
        room -= 1
        if not room:
            room, width = 1 << width, width + 1


def _character(bits: _Bits, code: int) -> str | None:
    """A character that is written out; None at the end."""
    return None if code == _END else chr(bits.take(16 if code == _CHARACTER_16 else 8))
