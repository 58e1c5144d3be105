"""LZString's Base64 form, written; https://pieroxy.net/blog/pages/lz-string/."""

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_END = 2


class _Writer:
    def __init__(self) -> None:
        self.bits: list[int] = []
        self.width, self.room = 2, 2  # of a code in bits; how many more have this width
        self.codes: dict[str, int] = {}
        self.new: set[str] = set()  # characters that were not written out yet

    def put(self, value: int, width: int) -> None:
        self.bits += [value >> at & 1 for at in range(width)]

    def code(self, entry: str) -> None:
        if entry in self.new:
            self.new.discard(entry)
            wide = ord(entry) > 255
            self.put(int(wide), self.width)
            self.put(ord(entry), 16 if wide else 8)
            self.count()
        else:
            self.put(self.codes[entry], self.width)
        self.count()

    def count(self) -> None:
        self.room -= 1
        if not self.room:
            self.room, self.width = 1 << self.width, self.width + 1


def lz_compressed(text: str) -> str:
    """`text`, of characters of 16 bits, as LZString.compressToBase64 does it."""
    writer, entry = _Writer(), ""
    for character in text:
        if character not in writer.codes:
            writer.codes[character] = len(writer.codes) + 3
            writer.new.add(character)
        if entry + character in writer.codes:
            entry += character
            continue
        writer.code(entry)
        writer.codes[entry + character] = len(writer.codes) + 3
        entry = character
    if entry:
        writer.code(entry)
    writer.put(_END, writer.width)
    bits = writer.bits + [0] * (-len(writer.bits) % 6 or 6)
    return "".join(_ALPHABET[int("".join(map(str, bits[at : at + 6])), 2)] for at in range(0, len(bits), 6))
