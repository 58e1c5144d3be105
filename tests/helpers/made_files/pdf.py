"""PDF files as tests need them: pages of text, outline, annotations, form fields, metadata."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Pdf:
    """What is in the file. Text beyond Latin-1 is written in a font that says which characters its glyphs are."""

    pages: Sequence[str]
    titles: Sequence[str] = ()  # of the outline, a line for each page
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    annotations: dict[int, str] = field(default_factory=dict[int, str])  # page, from 0 -> text
    fields: dict[int, str] = field(default_factory=dict[int, str])  # page, from 0 -> value of a form field
    compressed: bool = True
    object_stream: bool = False  # as PDF 1.5 writes
    drawn_only: bool = False  # pages without text, as scans are

    def bytes(self) -> bytes:
        return _Writer(self).written()


class _Writer:
    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.objects: dict[int, bytes] = {}
        self.next = 6  # 1 catalog, 2 pages, 3 Latin font, 4 wide font, 5 information

    def new(self) -> int:
        self.next += 1
        return self.next - 1

    def stream(self, content: bytes, extra: str = "") -> bytes:
        if self.pdf.compressed:
            content, extra = zlib.compress(content), f"{extra}/Filter/FlateDecode"
        return f"<</Length {len(content)}{extra}>>stream\n".encode() + content + b"\nendstream"

    def written(self) -> bytes:
        pages = [self.new() for _ in self.pdf.pages]
        for number, page in enumerate(pages):
            self.page(page, number)
        kids = " ".join(f"{page} 0 R" for page in pages)
        self.objects[2] = f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode()
        self.objects[3] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
        self.wide_font()
        outline = f"/Outlines {self.outline(pages)} 0 R" if self.pdf.titles else ""
        self.objects[1] = f"<</Type/Catalog/Pages 2 0 R{outline}>>".encode()
        entries = "".join(f"/{key} {_hex(value)}" for key, value in self.pdf.metadata.items())
        self.objects[5] = f"<<{entries}>>".encode()
        return self.in_stream() if self.pdf.object_stream else self.in_table()

    def page(self, page: int, number: int) -> None:
        text = self.pdf.pages[number]
        lines: list[str] = []
        for row, line in enumerate(text.split("\n")):
            if not line:
                continue
            latin = all(ord(character) < 128 for character in line)
            shown = f"({_escaped(line)})" if latin else f"<{line.encode('utf-16-be').hex()}>"
            lines.append(f"BT /{'L' if latin else 'W'} 11 Tf 50 {800 - 14 * row} Td {shown} Tj ET")
        drawn = b"0 0 100 100 re f" if self.pdf.drawn_only else "\n".join(lines).encode()
        content, annotated = self.new(), self.annotated(number)
        self.objects[content] = self.stream(drawn)
        self.objects[page] = (
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</L 3 0 R/W 4 0 R>>>>"
            f"/Contents {content} 0 R{annotated}>>"
        ).encode()

    def annotated(self, number: int) -> str:
        made: list[str] = []
        if number in self.pdf.annotations:
            text = self.pdf.annotations[number]
            made.append(f"<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents {_hex(text)}>>")
        if number in self.pdf.fields:
            value = self.pdf.fields[number]
            made.append(f"<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/Rect[0 0 9 9]/V {_hex(value)}>>")
        return f"/Annots[{''.join(made)}]" if made else ""

    def wide_font(self) -> None:
        wide = sorted({ord(character) for text in self.pdf.pages for character in text if character != "\n"})
        lines = "\n".join(f"<{code:04x}> <{code:04x}>" for code in wide)
        codes = "1 begincodespacerange <0000> <ffff> endcodespacerange"
        cmap = f"begincmap {codes}\n{len(wide)} beginbfchar\n{lines}\nendbfchar"
        unicode, inner = self.new(), self.new()
        self.objects[unicode] = self.stream(cmap.encode())
        self.objects[inner] = (
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Wide/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
            b"/Supplement 0>>/DW 1000>>"
        )
        self.objects[4] = (
            f"<</Type/Font/Subtype/Type0/BaseFont/Wide/Encoding/Identity-H/DescendantFonts[{inner} 0 R]"
            f"/ToUnicode {unicode} 0 R>>"
        ).encode()

    def outline(self, pages: list[int]) -> int:
        root, items = self.new(), [self.new() for _ in self.pdf.titles]
        for at, (item, title) in enumerate(zip(items, self.pdf.titles, strict=True)):
            after = f"/Next {items[at + 1]} 0 R" if at + 1 < len(items) else ""
            self.objects[item] = f"<</Title {_hex(title)}/Parent {root} 0 R/Dest[{pages[at]} 0 R/Fit]{after}>>".encode()
        self.objects[root] = f"<</First {items[0]} 0 R/Last {items[-1]} 0 R/Count {len(items)}>>".encode()
        return root

    def in_table(self) -> bytes:
        out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        offsets = {}
        for number, body in sorted(self.objects.items()):
            offsets[number] = len(out)
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        begin = len(out)
        out += f"xref\n0 {self.next}\n0000000000 65535 f \n".encode()
        for number in range(1, self.next):
            out += f"{offsets[number]:010d} 00000 n \n".encode()
        return bytes(out + f"trailer<</Size {self.next}/Root 1 0 R/Info 5 0 R>>\nstartxref\n{begin}\n%%EOF\n".encode())

    def in_stream(self) -> bytes:
        """Objects that are no streams in one, and the table as another."""
        packed = {number: body for number, body in self.objects.items() if b"stream\n" not in body}
        bodies = list(packed.values())
        starts = [sum(len(body) + 1 for body in bodies[:at]) for at in range(len(bodies))]
        head = " ".join(f"{number} {start}" for number, start in zip(packed, starts, strict=True)).encode() + b" "
        holder, table = self.new(), self.new()
        inside = self.stream(head + b" ".join(bodies), f"/Type/ObjStm/N {len(packed)}/First {len(head)}")
        out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        places: dict[int, tuple[int, int, int]] = {0: (0, 0, 65535)}
        for number, body in {**{n: b for n, b in self.objects.items() if n not in packed}, holder: inside}.items():
            places[number] = (1, len(out), 0)
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        places |= {number: (2, holder, at) for at, number in enumerate(packed)}
        begin = len(out)
        places[table] = (1, begin, 0)
        rows = b"".join(
            kind.to_bytes(1, "big") + first.to_bytes(4, "big") + second.to_bytes(2, "big")
            for _, (kind, first, second) in sorted(places.items())
        )
        extra = f"/Type/XRef/Size {self.next}/W[1 4 2]/Root 1 0 R/Info 5 0 R"
        out += f"{table} 0 obj\n".encode() + self.stream(rows, extra) + b"\nendobj\n"
        return bytes(out + f"startxref\n{begin}\n%%EOF\n".encode())


def _hex(text: str) -> str:
    return f"<feff{text.encode('utf-16-be').hex()}>"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
