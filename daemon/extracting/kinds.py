"""Which files are read, by their names, and how large they may be."""

from types import MappingProxyType

from scrubjay.daemon.extracting.extracted import Kind

_EXTENSIONS = MappingProxyType(
    {
        Kind.PDF: (".pdf",),
        Kind.DOCUMENT: (".docx", ".odt"),
        Kind.SLIDES: (".pptx", ".odp"),
        Kind.SHEET: (".xlsx", ".ods", ".csv", ".tsv"),
        Kind.BOOK: (".epub",),
        Kind.WEB: (".html", ".htm", ".xhtml"),
        Kind.CANVAS: (".canvas",),
        Kind.BASE: (".base",),
        Kind.DRAWING: (".excalidraw", ".excalidraw.md"),
        Kind.TEXT: (".txt", ".org", ".rst", ".tex"),
        Kind.NOTEBOOK: (".ipynb",),
        Kind.CODE: (
            *(".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".java", ".c", ".h", ".go", ".rs"),
            *(".cpp", ".hpp", ".cc", ".cs", ".rb", ".php", ".swift", ".kt", ".scala", ".lua", ".r", ".jl", ".sh"),
            *(".sql", ".css", ".toml", ".yaml", ".yml", ".json", ".xml"),
        ),
        Kind.IMAGE: (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"),
    }
)
_KIND_OF = {extension: kind for kind, extensions in _EXTENSIONS.items() for extension in extensions}

_MB = 1_000_000
_LIMITS = MappingProxyType(
    {
        Kind.PDF: 100 * _MB,
        Kind.DOCUMENT: 50 * _MB,
        Kind.SLIDES: 100 * _MB,
        Kind.SHEET: 25 * _MB,
        Kind.BOOK: 50 * _MB,
        Kind.WEB: 10 * _MB,
        Kind.CANVAS: 5 * _MB,
        Kind.BASE: 1 * _MB,
        Kind.DRAWING: 10 * _MB,
        Kind.TEXT: 5 * _MB,
        Kind.NOTEBOOK: 20 * _MB,
        Kind.CODE: 1 * _MB,
        Kind.IMAGE: 25 * _MB,
    }
)


def extension_of(name: str) -> str:
    """The extension that decides how a file is read, in lower case, with its dot; "" where it is not read."""
    lower = name.rpartition("/")[2].lower()
    if lower.endswith(".excalidraw.md"):
        return ".excalidraw.md"
    stem, dot, extension = lower.rpartition(".")
    return dot + extension if stem and dot + extension in _KIND_OF else ""


def kind_of(name: str) -> Kind | None:
    """What a file of this name is; None where it is not read as text. A Markdown note is no kind."""
    return _KIND_OF.get(extension_of(name))


def extensions_of(kind: Kind) -> tuple[str, ...]:
    """The extensions of a kind, with their dots."""
    return _EXTENSIONS[kind]


def byte_limit(kind: Kind) -> int:
    """How large a file of this kind may be, in bytes."""
    return _LIMITS[kind]
