"""A model hub on loopback that speaks as much of Hugging Face's protocol as a download needs."""

import hashlib
import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

REVISION = "0" * 39 + "1"


@contextmanager
def model_hub(repo: str, files: Mapping[str, Path]) -> Generator[tuple[str, list[str]]]:
    """Serve `files` (name in the repository -> file here) as `repo`; gives its address and the requests it saw."""
    seen: list[str] = []

    class Hub(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def log_message(self, format: str, *args: object) -> None:
            pass

        def _answer(self, *, with_body: bool) -> None:
            path = unquote(urlsplit(self.path).path)
            seen.append(f"{self.command} {path} {self.headers.get('authorization', '')}".rstrip())
            if path.startswith(f"/{repo}/resolve/"):
                name = path.split("/", 5)[5]
                self._send(files[name].read_bytes() if name in files else None, with_body)
            elif path == f"/api/models/{repo}/tree/{REVISION}":
                self._send(json.dumps([_entry(name, file) for name, file in files.items()]).encode(), with_body)
            elif path in (f"/api/models/{repo}", f"/api/models/{repo}/revision/main"):
                about = {"id": repo, "sha": REVISION, "siblings": [{"rfilename": name} for name in files]}
                self._send(json.dumps(about).encode(), with_body)
            else:
                self._send(None, with_body)

        def _send(self, body: bytes | None, with_body: bool) -> None:
            self.send_response(200 if body is not None else 404)
            content = body or b""
            self.send_header("Content-Length", str(len(content)))
            self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.send_header("X-Repo-Commit", REVISION)
            self.end_headers()
            if with_body:
                self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _entry(name: str, file: Path) -> dict[str, object]:
    content = file.read_bytes()
    return {"type": "file", "path": name, "size": len(content), "oid": hashlib.sha256(content).hexdigest()}
