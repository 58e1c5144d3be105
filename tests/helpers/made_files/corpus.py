"""A corpus of files with known phrases at known places: each format in many shapes."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from urllib.parse import quote

from tests.helpers.made_files import office, open_formats
from tests.helpers.made_files.office import Sections
from tests.helpers.made_files.pdf import Pdf

PHRASES = (
    "the ferry leaves the northern pier at nine",
    "brass lanterns need a drop of oil each month",
    "der Fährmann grüßt die Möwen über dem Fluss",
    "la forêt s'éveille près du vieux château",
    "el niño pequeño sueña con montañas",
    "paní v červeném plášti šla přes náměstí",
    "żółta łódź płynie przez spokojną rzekę",
    "Ο φάρος ανάβει όταν πέφτει η νύχτα",
    "паром отходит от северного причала",
    "渡船每天早上九点离开码头",
    "灯台の光が夜の海を照らす",
    "등대의 불빛이 밤바다를 비춘다",
    "rye bread rises slowly in a cold kitchen",
    "the ledger of 1887 lists forty barrels",
    "compost turns warm within three days",
    "a heron waits where the stream bends",
    "ropes are coiled clockwise on this deck",
    "the archive keeps maps of drowned villages",
    "yeast, flour, water, salt and patience",
    "tide tables hang beside the harbour clock",
)
HEADINGS = tuple(f"Heading {number:02} {phrase.split()[0]}" for number, phrase in enumerate(PHRASES))


@dataclass(frozen=True)
class Expected:
    """Where a phrase must be found; None: anywhere."""

    phrase: str
    place: str | None = None
    label: str | None = None


@dataclass(frozen=True)
class Made:
    """A file of the corpus."""

    name: str
    extension: str
    make: Callable[[], bytes]
    expected: tuple[Expected, ...]

    @cached_property
    def data(self) -> bytes:
        """Its bytes, made when they are wanted: whoever collects tests has to know the names alone."""
        return self.make()


Maker = Callable[[Sections, int], bytes]


@cache
def made_files() -> tuple[Made, ...]:
    """Fourteen shapes of each format, the first with all phrases."""
    return tuple(_made_files())


def _made_files() -> Iterator[Made]:
    for extension, (make, expected) in _FORMATS.items():
        for shape in range(14):
            chosen = range(20) if shape < 4 else range(shape % 5, 20, 1 + shape % 6)
            sections = [(HEADINGS[at], PHRASES[at]) for at in chosen]
            wanted = tuple(expected(at, number) for number, at in enumerate(chosen, 1))
            yield Made(f"{extension[1:]}-{shape}", extension, partial(make, sections, shape), wanted)


def _numbered(at: int, number: int) -> Expected:
    return Expected(PHRASES[at], str(number))


def _labelled(at: int, _: int) -> Expected:
    return Expected(PHRASES[at], None, HEADINGS[at])


def _sheet(at: int, _: int) -> Expected:
    return Expected(PHRASES[at], HEADINGS[at])


def _anywhere(at: int, _: int) -> Expected:
    return Expected(PHRASES[at])


def _told(shape: int) -> dict[str, str]:
    return {"title": f"File {shape}", "creator": "Ada"} if shape % 2 else {}


def _pdf(sections: Sections, shape: int) -> bytes:
    pages = ["\n".join((heading, *([""] * (shape % 4)), text)) for heading, text in sections]
    return Pdf(
        pages,
        titles=[heading for heading, _ in sections] if shape % 3 == 1 else (),
        metadata={"Title": f"File {shape}"} if shape % 2 else {},
        compressed=shape % 4 != 2,
        object_stream=shape % 5 == 3,
    ).bytes()


def _sheets(sections: Sections, shape: int) -> dict[str, Sequence[Sequence[str]]]:
    filler = [[f"row {row}", f"={row}"] for row in range(shape * 20)]
    return {heading: [["Name", "What is said"], *filler, ["here", text]] for heading, text in sections}


def _delimited(delimiter: str) -> Maker:
    def make(sections: Sections, shape: int) -> bytes:
        out = io.StringIO()
        rows = [["number", "heading", "text"], *([str(at), *section] for at, section in enumerate(sections))]
        csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL if shape % 2 else csv.QUOTE_MINIMAL).writerows(rows)
        return _encoded(out.getvalue(), shape)

    return make


def _encoded(text: str, shape: int) -> bytes:
    """UTF-8 with and without its mark, UTF-16 either way round; line ends of all systems."""
    text = text.replace("\r\n", "\n").replace("\n", ("\n", "\r\n", "\r")[shape % 3])
    return text.encode(("utf-8", "utf-8-sig", "utf-16", "utf-8")[shape % 4])


def _html(sections: Sections, shape: int) -> bytes:
    body = "".join(f"<h2>{heading}</h2><p>{text.replace(' ', '<b> </b>', shape % 3)}</p>" for heading, text in sections)
    menu = "<nav><ul>" + "".join(f'<li><a href="/{at}">menu {at}</a></li>' for at in range(shape * 3)) + "</ul></nav>"
    page = f"{menu}<script>var no = '<p>never read</p>';</script><main>{body}</main><footer>imprint</footer>"
    if shape % 2:
        page = body
    head = f"<head><meta charset='{'utf-8' if shape % 4 else 'gb18030'}'><title>File {shape}</title></head>"
    return f"<!doctype html><html>{head}<body>{page}</body></html>".encode("utf-8" if shape % 4 else "gb18030")


def _canvas(sections: Sections, shape: int) -> bytes:
    nodes = [
        {"id": heading, "type": "text", "text": text, "x": 0, "y": 100 * at, "width": 90, "height": 90}
        for at, (heading, text) in enumerate(sections)
    ]
    edges = [{"id": "e", "fromNode": nodes[0]["id"], "toNode": nodes[-1]["id"]}]
    return json.dumps({"nodes": nodes, "edges": edges if shape % 2 else []}, ensure_ascii=bool(shape % 3)).encode()


def _elements(sections: Sections) -> Sequence[Mapping[str, object]]:
    frames = [{"type": "frame", "id": heading, "name": heading, "y": 0} for heading, _ in sections]
    texts = [{"type": "text", "id": f"t{h}", "text": t, "frameId": h, "y": at} for at, (h, t) in enumerate(sections)]
    return [*frames, *texts]


def _excalidraw(sections: Sections, shape: int) -> bytes:
    return json.dumps({"type": "excalidraw", "elements": _elements(sections)}, indent=shape % 3 or None).encode()


def _excalidraw_note(sections: Sections, shape: int) -> bytes:
    drawing = json.dumps({"elements": _elements(sections) if shape % 2 else []})
    listed = "\n\n".join(f"{text} ^abcd{at:04}" for at, (_, text) in enumerate(sections))
    return (
        "---\nexcalidraw-plugin: parsed\n---\n==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu ⚠==\n\n\n"
        f"# Excalidraw Data\n\n## Text Elements\n{listed}\n\n%%\n## Drawing\n```json\n{drawing}\n```\n%%"
    ).encode()


def _text(mark: Callable[[str], str]) -> Maker:
    def make(sections: Sections, shape: int) -> bytes:
        return _encoded("\n\n".join(f"{mark(heading)}\n\n{text}" for heading, text in sections), shape)

    return make


def _notebook(sections: Sections, shape: int) -> bytes:
    cells: list[Mapping[str, object]] = []
    for at, (heading, text) in enumerate(sections):
        kind = ("markdown", "code", "raw")[(at + shape) % 3]
        source = [f"# {heading}\n", text] if shape % 2 else f"# {heading}\n{text}"
        printed = [{"output_type": "stream", "text": [text]}]
        cells.append({"cell_type": kind, "source": source, "outputs": printed if kind == "code" else []})
    return json.dumps({"nbformat": 4, "cells": cells}, ensure_ascii=bool(shape % 3)).encode()


def _base(sections: Sections, shape: int) -> bytes:
    views = "".join(
        f'  - type: table\n    name: "{heading}"\n    filters: note.contains("{text}")\n    order:\n      - file.name\n'
        for heading, text in sections
    )
    return f"{'filters: file.hasTag(1)' if shape % 2 else 'formulas:'}\nviews:\n{views}".encode()


def _epub(sections: Sections, shape: int) -> bytes:
    return open_formats.epub(sections, metadata=_told(shape), version=2 + shape % 2, stored=shape % 3 == 0)


def _function(style: str) -> tuple[Maker, Callable[[int, int], Expected]]:
    """Code of a language: `style` has NAME and TEXT in it."""

    def name(heading: str) -> str:
        return "f" + quote(heading.split()[1])

    def make(sections: Sections, shape: int) -> bytes:
        made = [style.replace("NAME", name(heading)).replace("TEXT", text) for heading, text in sections]
        return ("\n" * (1 + shape % 3)).join(made).encode()

    return make, lambda at, _: Expected(PHRASES[at], None, name(HEADINGS[at]))


_FORMATS: dict[str, tuple[Maker, Callable[[int, int], Expected]]] = {
    ".pdf": (_pdf, _numbered),
    ".docx": (lambda made, n: office.docx(made, metadata=_told(n), absolute=n % 3 == 1, stored=n % 4 == 2), _numbered),
    ".odt": (lambda made, n: open_formats.odt(made, metadata=_told(n), stored=n % 4 == 2), _numbered),
    ".pptx": (lambda made, n: office.pptx(made, metadata=_told(n), hidden=frozenset({n % 3})), _numbered),
    ".odp": (lambda made, n: open_formats.odp(made, metadata=_told(n)), _numbered),
    ".xlsx": (lambda made, n: office.xlsx(_sheets(made, n), metadata=_told(n), inline=n % 2 == 0), _sheet),
    ".ods": (lambda made, n: open_formats.ods(_sheets(made, n), metadata=_told(n)), _sheet),
    ".csv": (_delimited(","), _anywhere),
    ".tsv": (_delimited("\t"), _anywhere),
    ".epub": (_epub, _sheet),
    ".html": (_html, _numbered),
    ".canvas": (_canvas, _sheet),
    ".base": (_base, _labelled),
    ".excalidraw": (_excalidraw, _labelled),
    ".excalidraw.md": (_excalidraw_note, _anywhere),
    ".txt": (_text(str), _anywhere),
    ".org": (_text(lambda heading: f"* {heading}"), _labelled),
    ".rst": (_text(lambda heading: f"{heading}\n{'=' * len(heading)}"), _labelled),
    ".tex": (_text(lambda heading: f"\\section{{{heading}}}"), _labelled),
    ".ipynb": (_notebook, _numbered),
    ".py": _function('def NAME(x):\n    """TEXT"""\n    return x\n'),
    ".ts": _function("/** TEXT */\nexport function NAME(x: number) {\n\treturn x;\n}\n"),
    ".c": _function('int *NAME(int x) {\n  puts("TEXT");\n  return x;\n}\n'),
    ".go": _function("// TEXT\nfunc NAME(x int) int {\n\treturn x\n}\n"),
    ".rs": _function('fn NAME(x: i32) -> i32 {\n    println!("TEXT");\n    x\n}\n'),
}
