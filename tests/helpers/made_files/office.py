"""Microsoft's office files as tests need them: zip archives of the few members that matter."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Sections = Sequence[tuple[str, str]]  # headings and what stands below them

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS_OF_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/">{}</cp:coreProperties>'
)


def zipped(members: Mapping[str, str | bytes], *, stored: bool = False) -> bytes:
    """An archive of these members; XML may be given without its declaration."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            member = zipfile.ZipInfo(name)  # of 1980, so that the same file is made each time
            member.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return out.getvalue()


def relations(targets: Mapping[str, tuple[str, str]]) -> str:
    """id -> (kind, target)."""
    made = "".join(
        f'<Relationship Id="{key}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_RELATIONS_OF_PACKAGE}">{made}</Relationships>'


def core(metadata: Mapping[str, str]) -> str:
    return _CORE.format("".join(f"<dc:{key}>{escape(value)}</dc:{key}>" for key, value in metadata.items()))


def docx(
    sections: Sections,
    *,
    metadata: Mapping[str, str] | None = None,
    comment: str = "",
    footnote: str = "",
    header: str = "",
    deleted: str = "",
    rows: Sequence[Sequence[str]] = (),
    text_box: str = "",
    absolute: bool = False,
    stored: bool = False,
) -> bytes:
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="Berschrift1"/></w:pPr><w:r><w:t>{escape(heading)}</w:t></w:r></w:p>{_runs(text)}'
        for heading, text in sections
    )
    if rows:
        cells = ("".join(f"<w:tc>{_runs(cell)}</w:tc>" for cell in row) for row in rows)
        body += f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"
    if deleted:
        body += f"<w:p><w:del><w:r><w:delText>{escape(deleted)}</w:delText></w:r></w:del></w:p>"
    if text_box:
        body += f"<w:p><w:r><w:pict><w:txbxContent>{_runs(text_box)}</w:txbxContent></w:pict></w:r></w:p>"
    beside = {"comments": comment, "footnotes": footnote, "header": header}
    folder = "/word/" if absolute else ""
    targets = {kind: (kind, f"{folder}{kind}.xml") for kind, text in beside.items() if text}
    style = '<w:style w:styleId="Berschrift1"><w:name w:val="heading 1"/></w:style>'
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(
                {"r1": ("officeDocument", "/word/document.xml" if absolute else "word/document.xml")}
            ),
            "word/document.xml": f"<w:document {w}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": relations({"s": ("styles", f"{folder}styles.xml"), **targets}),
            "word/styles.xml": f"<w:styles {w}>{style}</w:styles>",
            **{f"word/{kind}.xml": f"<w:{kind} {w}>{_runs(text)}</w:{kind}>" for kind, text in beside.items() if text},
            "docProps/core.xml": core(metadata or {}),
        },
        stored=stored,
    )


def _runs(text: str) -> str:
    """A paragraph for each line, each word in a run of its own, as editing leaves them."""
    paragraphs: list[str] = []
    for line in text.split("\n"):
        runs = "".join(f'<w:r><w:t xml:space="preserve">{escape(word)} </w:t></w:r>' for word in line.split(" "))
        paragraphs.append(f"<w:p>{runs}</w:p>")
    return "".join(paragraphs)


def pptx(
    sections: Sections,
    *,
    metadata: Mapping[str, str] | None = None,
    notes: Mapping[int, str] | None = None,
    comments: Mapping[int, str] | None = None,
    hidden: frozenset[int] = frozenset(),
    stored: bool = False,
) -> bytes:
    """The slides' files are numbered against their order, which the presentation alone says."""
    ns = f'xmlns:p="p" xmlns:a="a" xmlns:r="{RELATIONS}"'
    count = len(sections)
    members: dict[str, str] = {}
    listed: dict[str, tuple[str, str]] = {}
    for at, (heading, text) in enumerate(sections):
        name = f"slide{count - at}.xml"
        listed[f"rId{at}"] = ("slide", f"slides/{name}")
        shapes = _shape("title", heading) + _shape("body", text) + _shape("sldNum", "999")
        show = ' show="0"' if at in hidden else ""
        members[f"ppt/slides/{name}"] = f"<p:sld {ns}{show}><p:cSld>{shapes}</p:cSld></p:sld>"
        beside = {"notesSlide": (notes or {}).get(at, ""), "comments": (comments or {}).get(at, "")}
        targets = {kind: (kind, f"../{kind}/{kind}{at}.xml") for kind, said in beside.items() if said}
        members[f"ppt/slides/_rels/{name}.rels"] = relations(targets)
        if beside["notesSlide"]:
            members[f"ppt/notesSlide/notesSlide{at}.xml"] = (
                f"<p:notes {ns}>{_shape('body', beside['notesSlide'])}</p:notes>"
            )
        if beside["comments"]:
            said = f"<p:cm><p:text>{escape(beside['comments'])}</p:text></p:cm>"
            members[f"ppt/comments/comments{at}.xml"] = f"<p:cmLst {ns}>{said}</p:cmLst>"
    ids = "".join(f'<p:sldId id="{256 + at}" r:id="rId{at}"/>' for at in range(count))
    return zipped(
        {
            "_rels/.rels": relations({"r1": ("officeDocument", "ppt/presentation.xml")}),
            "ppt/presentation.xml": f"<p:presentation {ns}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(listed),
            **members,
            "docProps/core.xml": core(metadata or {}),
        },
        stored=stored,
    )


def _shape(kind: str, text: str) -> str:
    paragraphs = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>'


def xlsx(
    sheets: Mapping[str, Sequence[Sequence[str]]],
    *,
    metadata: Mapping[str, str] | None = None,
    hidden: frozenset[str] = frozenset(),
    comments: Mapping[str, str] | None = None,
    inline: bool = False,
    stored: bool = False,
) -> bytes:
    """Cells that begin with "#" are dates (their serial number), those with "=" numbers."""
    strings: list[str] = []
    ns = f'xmlns:r="{RELATIONS}"'
    members: dict[str, str] = {}
    listed = {"st": ("styles", "styles.xml")}
    for at, (name, rows) in enumerate(sheets.items()):
        listed[f"rId{at}"] = ("worksheet", f"worksheets/sheet{at}.xml")
        made = "".join(_row(number, row, strings, inline) for number, row in enumerate(rows, 1))
        members[f"xl/worksheets/sheet{at}.xml"] = f"<worksheet><sheetData>{made}</sheetData></worksheet>"
        if comment := (comments or {}).get(name):
            members[f"xl/worksheets/_rels/sheet{at}.xml.rels"] = relations({"c": ("comments", f"../comments{at}.xml")})
            members[f"xl/comments{at}.xml"] = (
                f"<comments><comment><text><t>{escape(comment)}</t></text></comment></comments>"
            )
    if not inline:
        listed["ss"] = ("sharedStrings", "sharedStrings.xml")
        items = "".join(
            f"<si><r><t>{escape(text[:3])}</t></r><r><t>{escape(text[3:])}</t></r></si>" for text in strings
        )
        members["xl/sharedStrings.xml"] = f"<sst>{items}</sst>"
    states = {name: ' state="hidden"' if name in hidden else "" for name in sheets}
    sheet_list = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{at + 1}" r:id="rId{at}"{states[name]}/>'
        for at, name in enumerate(sheets)
    )
    cell_formats = '<xf numFmtId="0"/><xf numFmtId="164"/>'
    formats = '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/></numFmts>'
    return zipped(
        {
            "_rels/.rels": relations({"r1": ("officeDocument", "xl/workbook.xml")}),
            "xl/workbook.xml": f"<workbook {ns}><sheets>{sheet_list}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(listed),
            "xl/styles.xml": f"<styleSheet>{formats}<cellXfs>{cell_formats}</cellXfs></styleSheet>",
            **members,
            "docProps/core.xml": core(metadata or {}),
        },
        stored=stored,
    )


def _row(number: int, row: Sequence[str], strings: list[str], inline: bool) -> str:
    cells: list[str] = []
    for at, cell in enumerate(row):
        place = f'r="{chr(ord("A") + at)}{number}"'
        if not cell:
            continue
        if cell[0] in "#=":
            cells.append(f'<c {place} s="{int(cell[0] == "#")}"><v>{escape(cell[1:])}</v></c>')
        elif inline:
            cells.append(f'<c {place} t="inlineStr"><is><t>{escape(cell)}</t></is></c>')
        else:
            strings.append(cell)
            cells.append(f'<c {place} t="s"><v>{len(strings) - 1}</v></c>')
    return f'<row r="{number}">{"".join(cells)}</row>'
