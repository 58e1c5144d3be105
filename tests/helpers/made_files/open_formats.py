"""OpenDocument files and books as tests need them."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from tests.helpers.made_files.office import Sections, zipped

_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{uri}:1.0"'
    for name, uri in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "presentation": "presentation",
        "style": "style",
        "meta": "meta",
    }.items()
)


def open_document(
    body: str, *, metadata: Mapping[str, str] | None = None, styles: str = "", stored: bool = False
) -> bytes:
    told = "".join(f"<dc:{key}>{escape(value)}</dc:{key}>" for key, value in (metadata or {}).items())
    dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument",
            "META-INF/manifest.xml": "<manifest/>",
            "content.xml": (
                f"<office:document-content {_ODF} {dc}><office:automatic-styles>{styles}</office:automatic-styles>"
                f"<office:body>{body}</office:body></office:document-content>"
            ),
            "meta.xml": f"<office:document-meta {_ODF} {dc}><office:meta>{told}</office:meta></office:document-meta>",
        },
        stored=stored,
    )


def odt(
    sections: Sections,
    *,
    metadata: Mapping[str, str] | None = None,
    comment: str = "",
    footnote: str = "",
    deleted: str = "",
    stored: bool = False,
) -> bytes:
    body = f"<text:tracked-changes><text:p>{escape(deleted)}</text:p></text:tracked-changes>" if deleted else ""
    for heading, text in sections:
        spaced = "<text:s/>".join(f"<text:span>{escape(word)}</text:span>" for word in text.split(" "))
        body += f'<text:h text:outline-level="1">{escape(heading)}</text:h><text:p>{spaced}</text:p>'
    if comment:
        said = f"<dc:creator>Ada</dc:creator><text:p>{escape(comment)}</text:p>"
        body += f"<text:p>Commented<office:annotation>{said}</office:annotation></text:p>"
    if footnote:
        said = f"<text:note-body><text:p>{escape(footnote)}</text:p></text:note-body>"
        note = f"<text:note-citation>1</text:note-citation>{said}"
        body += f"<text:p>Noted<text:note>{note}</text:note></text:p>"
    return open_document(f"<office:text>{body}</office:text>", metadata=metadata, stored=stored)


def odp(
    sections: Sections,
    *,
    metadata: Mapping[str, str] | None = None,
    notes: Mapping[int, str] | None = None,
    stored: bool = False,
) -> bytes:
    body = ""
    for at, (heading, text) in enumerate(sections):
        said = (notes or {}).get(at, "")
        speaker = f"<presentation:notes><draw:frame><text:p>{escape(said)}</text:p></draw:frame></presentation:notes>"
        shown = f"<text:p>{escape(heading)}</text:p><text:p>{escape(text)}</text:p>"
        body += f"<draw:page><draw:frame>{shown}</draw:frame>{speaker if said else ''}</draw:page>"
    return open_document(f"<office:presentation>{body}</office:presentation>", metadata=metadata, stored=stored)


def ods(
    sheets: Mapping[str, Sequence[Sequence[str]]],
    *,
    metadata: Mapping[str, str] | None = None,
    hidden: frozenset[str] = frozenset(),
    comments: Mapping[str, str] | None = None,
    stored: bool = False,
) -> bytes:
    styles = '<style:style style:name="ta9"><style:table-properties table:display="false"/></style:style>'
    body = ""
    for name, rows in sheets.items():
        made = ""
        for row in rows:
            cells = "".join(f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>" for cell in row)
            made += (
                f'<table:table-row>{cells}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
            )
        if comment := (comments or {}).get(name):
            said = f"<office:annotation><text:p>{escape(comment)}</text:p></office:annotation><text:p>seen</text:p>"
            made += f"<table:table-row><table:table-cell>{said}</table:table-cell></table:table-row>"
        made += '<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>'
        style = ' table:style-name="ta9"' if name in hidden else ""
        body += f"<table:table table:name={quoteattr(name)}{style}>{made}</table:table>"
    return open_document(
        f"<office:spreadsheet>{body}</office:spreadsheet>", metadata=metadata, styles=styles, stored=stored
    )


def epub(
    sections: Sections,
    *,
    metadata: Mapping[str, str] | None = None,
    version: int = 3,
    encrypted: str = "",
    stored: bool = False,
) -> bytes:
    """version: 3 has its contents as links, 2 as an NCX. encrypted: the member that DRM keeps."""
    told = "".join(f"<dc:{key}>{escape(value)}</dc:{key}>" for key, value in (metadata or {}).items())
    chapters = [f"text/c{len(sections) - at}.xhtml" for at in range(len(sections))]
    listed = "".join(
        f'<item id="i{at}" href="{each}" media-type="application/xhtml+xml"/>' for at, each in enumerate(chapters)
    )
    members: dict[str, str | bytes] = {
        f"OEBPS/{name}": (
            "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head>"
            f"<body><h1>{escape(heading)}</h1><p>{escape(text)}&nbsp;</p></body></html>"
        )
        for name, (heading, text) in zip(chapters, sections, strict=True)
    }
    if version == 3:
        links = "".join(
            f'<li><a href="{each}#a">{escape(h)}</a></li>' for each, (h, _) in zip(chapters, sections, strict=True)
        )
        members["OEBPS/nav.xhtml"] = f"<html><body><nav><ol>{links}</ol></nav></body></html>"
        contents = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    else:
        points = "".join(
            f'<navPoint><navLabel><text>{escape(h)}</text></navLabel><content src="{each}"/></navPoint>'
            for each, (h, _) in zip(chapters, sections, strict=True)
        )
        members["OEBPS/toc.ncx"] = f"<ncx><navMap>{points}</navMap></ncx>"
        contents = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    if encrypted:
        reference = f'<CipherReference URI="{encrypted}"/>'
        members["META-INF/encryption.xml"] = f"<encryption><EncryptedData>{reference}</EncryptedData></encryption>"
    spine = "".join(f'<itemref idref="i{at}"/>' for at in range(len(chapters)))
    package = (
        f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>{told}</metadata>'
        f"<manifest>{listed}{contents}</manifest><spine>{spine}</spine></package>"
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OEBPS/p.opf"/></container>',
            "OEBPS/p.opf": package,
            **members,
        },
        stored=stored,
    )
