"""Files that are broken or mean harm: what a parser must survive, and what must be said of it."""

import io
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from scrubjay.daemon.documents.extracted import Reason
from tests.helpers.made_files import office, open_formats
from tests.helpers.made_files.corpus import Made, made_files

_CUTS = (0.1, 0.5, 0.9)
_SEEDS = range(5)
_RENAMED = {".pdf": ".docx", ".docx": ".pdf", ".xlsx": ".pptx", ".pptx": ".epub", ".epub": ".xlsx", ".odt": ".xlsx"}
_BILLION = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@dataclass(frozen=True)
class Hostile:
    """A file, and what must be said of it; None: it may be read, in part, too, or be unreadable for any reason."""

    name: str
    extension: str
    make: Callable[[], bytes]
    said: frozenset[Reason] | None = None


def broken_files() -> Iterator[Hostile]:
    """Good files of each format, cut short, with bytes changed at random (always the same ones), and renamed."""
    for file in made_files():
        if not file.name.endswith("-5"):
            continue
        for cut in _CUTS:
            yield Hostile(f"{file.name}-cut-{cut}", file.extension, partial(_cut, file, cut))
        for seed in _SEEDS:
            yield Hostile(f"{file.name}-fuzzed-{seed}", file.extension, partial(_fuzzed, file, seed))
        if other := _RENAMED.get(file.extension):
            said = frozenset({Reason.WRONG_EXTENSION, Reason.DAMAGED})
            yield Hostile(f"{file.name}-as{other}", other, file.make, said)


def hostile_files() -> Iterator[Hostile]:
    """Files made to harm, one for each trick; made when they are needed, since some are large."""
    bomb, damaged = frozenset({Reason.BOMB}), frozenset({Reason.DAMAGED})
    encrypted, wrong = frozenset({Reason.ENCRYPTED}), frozenset({Reason.WRONG_EXTENSION})
    nothing = frozenset({Reason.NO_TEXT, Reason.DAMAGED, Reason.WRONG_EXTENSION})
    for extension in (".pdf", ".docx", ".odt", ".pptx", ".odp", ".xlsx", ".ods", ".epub", ".html", ".canvas", ".ipynb"):
        yield _broken(f"empty{extension}", extension, b"", nothing)
        yield _broken(f"zeros{extension}", extension, bytes(5_000), nothing)
        yield _broken(f"random{extension}", extension, random.Random(1).randbytes(50_000), nothing)
    for extension, member in (
        (".docx", "word/document.xml"),
        (".odt", "content.xml"),
        (".epub", "META-INF/container.xml"),
    ):
        yield Hostile(f"zip-bomb{extension}", extension, _zip_bomb(member), bomb)
        yield Hostile(f"billion-laughs{extension}", extension, _entities(member, _BILLION + "]><r>&l9;</r>"), bomb)
        external = '<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'
        yield Hostile(f"external-entity{extension}", extension, _entities(member, external), bomb)
        yield Hostile(f"deep{extension}", extension, _member(member, b"<a>" * 100_000), damaged)
        yield Hostile(f"locked-member{extension}", extension, _flagged(member), encrypted)
    yield _broken("office-password.docx", ".docx", _OLE + "EncryptedPackage".encode("utf-16-le"), encrypted)
    yield _broken("word-97.docx", ".docx", _OLE + b"WordDocument", wrong)
    locked = office.zipped({"content.xml": b"x", "META-INF/manifest.xml": "<m><encryption-data/></m>"})
    yield _broken("locked.odt", ".odt", locked, encrypted)
    drm = open_formats.epub([("One", "text")], encrypted="OEBPS/text/c1.xhtml")
    yield _broken("drm.epub", ".epub", drm, encrypted)
    yield _broken("overlapping.docx", ".docx", _overlapping(), None)
    yield Hostile("deep.canvas", ".canvas", lambda: b'{"nodes":' + b"[" * 1_000_000, damaged)
    yield Hostile("digits.canvas", ".canvas", lambda: b'{"nodes":[{"x":' + b"9" * 4_000_000 + b"}]}")
    yield Hostile("deep.html", ".html", lambda: b"<div>" * 500_000 + b"text")
    yield Hostile("unclosed.html", ".html", lambda: b"<p " * 300_000)
    yield Hostile("comments.html", ".html", lambda: b"<!--" * 300_000)
    yield Hostile("sections.html", ".html", lambda: b"<![" * 300_000)
    yield Hostile("attributes.html", ".html", lambda: b"<p " + b"a=1 " * 300_000 + b">text</p>")
    yield Hostile("entities.html", ".html", lambda: b"&" * 3_000_000)
    yield Hostile("stars.org", ".org", lambda: b"*" * 2_000_000 + b" " + b"[[" * 500_000)
    yield Hostile("braces.tex", ".tex", lambda: b"\\section{" * 400_000)
    yield Hostile("rules.rst", ".rst", lambda: b"=\n" * 1_000_000)
    yield Hostile("quotes.csv", ".csv", lambda: b'"' * 5_000_001)
    yield Hostile("wide.csv", ".csv", lambda: b"," * 5_000_000)
    yield Hostile("parentheses.py", ".py", lambda: b"(" * 900_000)
    yield Hostile("nested.ts", ".ts", lambda: b"class A { m() { " * 50_000)
    yield Hostile("expanding.excalidraw.md", ".excalidraw.md", _expanding_drawing)
    yield from _hostile_pdfs()


def _hostile_pdfs() -> Iterator[Hostile]:
    outlined = b"<</Type/Catalog/Pages 2 0 R/Outlines 9 0 R>>"
    around = b"<</Title(A)/First 10 0 R/Next 9 0 R/Dest[6 0 R/Fit]>>"
    endless = b"<</Length 9/Type/Pages/Kids[2 0 R 2 0 R]/Count 2147483647>>"
    yield _broken("kids-of-itself.pdf", ".pdf", _pdf({2: endless}))
    yield _broken("many-pages.pdf", ".pdf", _pdf({2: b"<</Type/Pages/Kids[6 0 R]/Count 900000000>>"}))
    yield _broken("catalog-of-itself.pdf", ".pdf", _pdf({1: b"<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]>>"}))
    yield _broken("deep-array.pdf", ".pdf", _pdf({5: b"[" * 100_000}))
    yield _broken("cyclic-outline.pdf", ".pdf", _pdf({1: outlined, 9: around, 10: around}))
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 7 0 R>>>>/Length 11>>"
    form += b"stream\n/A Do /A Do\nendstream"
    yield _broken(
        "form-in-itself.pdf", ".pdf", _pdf({7: form, 8: _stream(b"/A Do " * 100), 6: _page("/XObject<</A 7 0 R>>")})
    )
    yield Hostile("content-bomb.pdf", ".pdf", _content_bomb)
    yield Hostile("text-bomb.pdf", ".pdf", lambda: _pdf({8: _packed(b"BT /L 9 Tf (text) Tj ET\n" * 1_000_000)}))
    yield _broken("huge-page.pdf", ".pdf", _pdf({6: _page("", "[0 0 1e30 1e30]")}))
    yield _broken("length-lies.pdf", ".pdf", _pdf({8: b"<</Length 99999999999>>stream\nBT ET\nendstream"}))
    fonts = "".join(f"/F{n} 3 0 R" for n in range(50_000))
    yield _broken("endless-fonts.pdf", ".pdf", _pdf({6: _page(f"/Font<<{fonts}>>")}))
    unicode = b"begincmap 1 beginbfrange <0000> <ffffffff> <0000> endbfrange " * 2_000
    font = b"<</Type/Font/Subtype/Type0/BaseFont/W/Encoding/Identity-H/DescendantFonts[3 0 R]/ToUnicode 7 0 R>>"
    yield _broken("endless-cmap.pdf", ".pdf", _pdf({3: font, 7: _stream(unicode)}))
    secured = b"<</Filter/Standard/V 2/R 3/Length 128/P -44/O<" + b"41" * 32 + b">/U<" + b"42" * 32 + b">>>"
    trailer = b"/Encrypt 7 0 R/ID[<41><41>]"
    yield _broken("password.pdf", ".pdf", _pdf({7: secured}, trailer), frozenset({Reason.ENCRYPTED}))
    yield _broken(
        "unknown-security.pdf", ".pdf", _pdf({7: b"<</Filter/Own/V 9>>"}, trailer), frozenset({Reason.ENCRYPTED})
    )


_OLE = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(600)


def _broken(name: str, extension: str, data: bytes, said: frozenset[Reason] | None = None) -> Hostile:
    return Hostile(name, extension, lambda: data, said)


def _cut(file: Made, share: float) -> bytes:
    return file.data[: int(len(file.data) * share)]


def _fuzzed(file: Made, seed: int) -> bytes:
    chance = random.Random(seed)
    changed = bytearray(file.data)
    for _ in range(max(1, len(changed) // 200)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _member(name: str, content: bytes) -> Callable[[], bytes]:
    return lambda: office.zipped({name: content})


def _entities(name: str, rest: str) -> Callable[[], bytes]:
    return _member(name, f"<?xml version='1.0'?><!DOCTYPE r [{rest}".encode())


def _zip_bomb(name: str) -> Callable[[], bytes]:
    def make() -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(name, "w") as member:
            member.write(b"<a>")
            for _ in range(100):
                member.write(b" " * 1_000_000)
        return out.getvalue()

    return make


def _flagged(name: str) -> Callable[[], bytes]:
    """The flag for encryption, in both places of an archive that has one member."""

    def make() -> bytes:
        data = bytearray(office.zipped({name: "<a/>"}))
        data[6] |= 1
        data[data.index(b"PK\x01\x02") + 8] |= 1
        return bytes(data)

    return make


def _overlapping() -> bytes:
    """A thousand names for the same bytes."""
    data = office.zipped({"word/document.xml": b"<a>" + b" " * 100_000 + b"</a>"})
    begin = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entry, ending = data[begin:end], bytearray(data[end:])
    ending[8:12] = (1_000).to_bytes(2, "little") * 2
    ending[12:16] = (len(entry) * 1_000).to_bytes(4, "little")
    return data[:begin] + entry * 1_000 + bytes(ending)


def _expanding_drawing() -> bytes:
    """LZString that makes ever longer entries of nothing but "a"."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
    bits: list[int] = []

    def put(value: int, width: int) -> None:
        bits.extend(value >> at & 1 for at in range(width))

    put(0, 2)
    put(ord("a"), 8)
    entries, width, room = 4, 3, 4
    for _ in range(20_000):
        put(entries, width)
        entries += 1
        room -= 1
        if not room:
            room, width = 1 << width, width + 1
    bits += [0] * (-len(bits) % 6)
    coded = "".join(alphabet[int("".join(map(str, bits[at : at + 6])), 2)] for at in range(0, len(bits), 6))
    return f"# Excalidraw Data\n## Drawing\n```compressed-json\n{coded}\n```\n".encode()


def _page(resources: str, box: str = "[0 0 595 842]") -> bytes:
    return f"<</Type/Page/Parent 2 0 R/MediaBox{box}/Resources<<{resources}>>/Contents 8 0 R>>".encode()


def _stream(content: bytes) -> bytes:
    return f"<</Length {len(content)}>>stream\n".encode() + content + b"\nendstream"


def _packed(content: bytes, filters: str = "/FlateDecode") -> bytes:
    packed = zlib.compress(content, 9)
    return f"<</Length {len(packed)}/Filter{filters}>>stream\n".encode() + packed + b"\nendstream"


def _content_bomb() -> bytes:
    once = zlib.compress(bytes(200_000_000), 9)
    return _pdf({8: _packed(once, "[/FlateDecode/FlateDecode]")})


def _pdf(changed: dict[int, bytes], trailer: bytes = b"") -> bytes:
    """A file of one page whose objects can be replaced; without a table, so that readers must find them."""
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[6 0 R]/Count 1>>",
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        5: b"<<>>",
        6: _page("/Font<</L 3 0 R>>"),
        8: _stream(b"BT /L 9 Tf 50 700 Td (text) Tj ET"),
    }
    out = b"%PDF-1.7\n"
    for number, body in sorted({**objects, **changed}.items()):
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    return out + b"trailer<</Size 20/Root 1 0 R/Info 5 0 R" + trailer + b">>\nstartxref\n0\n%%EOF\n"
