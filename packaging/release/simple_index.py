"""`dist/` as a package index of its own (PEP 503), so that `uvx scrubjay` can be tried before anything is published."""

import hashlib
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@contextmanager
def serving(dist: Path) -> Generator[str]:
    """Serve the wheel and the source distribution on the loopback; yields the address of the index."""
    files = {file.name: file for kind in ("scrubjay-*.whl", "scrubjay-*.tar.gz") for file in dist.glob(kind)}
    released = {name: file for name, file in files.items() if re.fullmatch(r"scrubjay-[\d.]+(-py3.*|\.tar\.gz)", name)}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.strip("/").rpartition("/")[2]
            if self.path.rstrip("/") == "/simple/scrubjay":
                return self._answer("text/html", _page(released).encode())
            if self.path.startswith("/files/") and name in released:
                return self._answer("application/octet-stream", released[name].read_bytes())
            return self.send_error(404)

        def _answer(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/simple/"
        finally:
            server.shutdown()


def _page(files: dict[str, Path]) -> str:
    links = (
        f'<a href="/files/{name}#sha256={hashlib.sha256(file.read_bytes()).hexdigest()}">{name}</a>'
        for name, file in sorted(files.items())
    )
    return f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>"
