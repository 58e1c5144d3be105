"""`/` and `/assets/…`: the search page's own files. They hold nothing of the user's, so they need no token."""

import hashlib
from pathlib import Path
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, HeaderParameter

_FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_NOT_BUILT = b"""<!doctype html><meta charset="utf-8"><title>Scrubjay</title>
<h1>Scrubjay is running</h1><p>The search page is not built in this checkout: run <code>make setup</code>.
Search works in the terminal: <code>scrubjay search "words"</code>.</p>
"""
IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match", max_length=1_000)]


@get("/", include_in_schema=False, sync_to_thread=True)
def page(if_none_match: IfNoneMatch = None) -> Response[bytes]:
    """The search page."""
    content = _NOT_BUILT if not (_FOLDER / "index.html").is_file() else _read("index.html")
    return _reply(content, ".html", if_none_match)


@get("/assets/{name:str}", include_in_schema=False, sync_to_thread=True)
def asset(name: FromPath[str], if_none_match: IfNoneMatch = None) -> Response[bytes]:
    """A file that the page loads; only those that the build put there."""
    if name not in _built() or name == "index.html":
        raise NotFoundException
    return _reply(_read(name), Path(name).suffix, if_none_match)


def _reply(content: bytes, suffix: str, if_none_match: str | None) -> Response[bytes]:
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Content-Security-Policy": _PAGE_CSP}
    if if_none_match is not None and tag in (known.strip() for known in if_none_match.split(",")):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=_TYPES[suffix])


def _built() -> frozenset[str]:
    """Names of the files that may be asked for: a name from outside is only ever compared, never made into a path."""
    if not _FOLDER.is_dir():
        return frozenset()
    return frozenset(file.name for file in _FOLDER.iterdir() if file.suffix in _TYPES and file.is_file())


def _read(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


ROUTES = (page, asset)
