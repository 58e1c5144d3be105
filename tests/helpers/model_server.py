"""A model server for tests, as a process of its own: it frames its replies as Ollama, llama.cpp and LM Studio do.

The name of the model that is asked for says what the server does: `ollama`, `llama.cpp` and `lm-studio` answer, each in
its frames, with the first words of the first passage that they are sent; `says:TEXT` writes that text; the others in
`_TROUBLES` go wrong. Every request is kept, for a test to look at. Nothing here needs more than the standard library.
"""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FAMILIES = ("ollama", "llama.cpp", "lm-studio")
"""The three servers whose frames this one can send."""


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A server that runs."""

    url: str
    kept: Path

    @property
    def requests(self) -> list[dict[str, Any]]:
        """What it was sent so far: path, headers and body of each request."""
        return [json.loads(line) for line in self.kept.read_text("utf-8").splitlines()]


@contextlib.contextmanager
def model_server(folder: Path) -> Generator[ModelServer]:
    """Run the server until the block ends. folder: for the requests that it keeps."""
    kept = folder / "requests.jsonl"
    kept.touch()
    process = subprocess.Popen([sys.executable, __file__, str(kept)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield ModelServer(f"http://127.0.0.1:{int(process.stdout.readline())}/v1", kept)
    finally:
        process.kill()
        process.communicate()


def chunk(family: str, text: str) -> str:
    """A piece of an answer, framed as that server frames it."""
    match family:
        case "ollama":
            delta = {"role": "assistant", "content": text}
            choice = {"index": 0, "delta": delta, "finish_reason": None}
            extra = {"system_fingerprint": "fp_ollama"}
        case "llama.cpp":
            choice = {"finish_reason": None, "index": 0, "delta": {"content": text}}
            extra = {"system_fingerprint": "b6210-a094f381"}
        case _:
            delta = {"role": "assistant", "content": text}
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
            extra = {"system_fingerprint": "a-model"}
    head = {"id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1755667673, "model": "a-model"}
    return f"data: {json.dumps({**head, **extra, 'choices': [choice]})}\n\n"


def frames(family: str, answer: str) -> Iterator[str]:
    """A whole answer as that server streams it, thinking before it and its end included."""
    empty = {"index": 0, "delta": {"role": "assistant", "content": None}, "finish_reason": None}
    thought = "reasoning" if family == "ollama" else "reasoning_content"
    yield f"data: {json.dumps({'choices': [empty]})}\n\n"
    yield f"data: {json.dumps({'choices': [{'index': 0, 'delta': {'content': '', thought: '{Hm}'}}]})}\n\n"
    for start in range(0, len(answer), 7):
        yield chunk(family, answer[start : start + 7])
    last: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    if family == "llama.cpp":
        last |= {"usage": {"completion_tokens": 11}, "timings": {"prompt_n": 14, "prompt_ms": 53.734}}
    yield f"data: {json.dumps(last)}\n\n"
    yield "data: [DONE]\n\n"


def answer_in_json(*sentences: tuple[str, list[tuple[str, str]]]) -> str:
    """An answer as the model is told to write it: each sentence with its quotations (passage, words)."""
    said = [
        {"quotes": [{"passage": number, "quote": words} for number, words in quotes], "text": text}
        for text, quotes in sentences
    ]
    return json.dumps({"sentences": said}, ensure_ascii=False)


def _from_first_passage(body: dict[str, Any]) -> str:
    prompt: str = body["messages"][-1]["content"]
    words = next(line for line in prompt.splitlines() if line.startswith("> ") and len(line) > 30)[2:]
    return answer_in_json(("The notes say so.", [("1", words)]), ("And this is made up.", []))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kept: Path

    def do_GET(self) -> None:
        self._keep(b"")
        self._send(200, {"object": "list", "data": [{"id": "ollama", "object": "model", "owned_by": "library"}]})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        body = self._keep(data)
        model: str = body["model"]
        if model in FAMILIES:
            self._stream(frames(model, _from_first_passage(body)))
        elif model.startswith("says:"):
            self._stream(frames("ollama", model.removeprefix("says:")))
        else:
            getattr(self, f"_{model.replace('-', '_')}")()

    def _keep(self, data: bytes) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(data) if data else {}
        entry = {"path": self.path, "headers": dict(self.headers), "body": body}
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        return body

    def _send(self, status: int, value: Any, **headers: str) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, value_of_header in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value_of_header)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, parts: Iterator[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in parts:
            self._piece(part.encode())
        self._piece(b"")

    def _piece(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    # What goes wrong, by the name of the model.

    def _hangs(self) -> None:
        time.sleep(600)

    def _hangs_in_the_middle(self) -> None:
        self._stream(_and_then(_begun(), lambda: time.sleep(600)))

    def _drips(self) -> None:
        def drops() -> Iterator[str]:
            while True:
                yield ": still thinking\n\n"
                time.sleep(0.02)

        self._stream(drops())

    def _has_no_end(self) -> None:
        def flood() -> Iterator[str]:
            while True:
                yield chunk("ollama", "and so on " * 100)

        self._stream(flood())

    def _has_no_line(self) -> None:
        def flood() -> Iterator[str]:
            while True:
                yield "x" * 10_000

        self._stream(flood())

    def _hangs_up(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._piece(chunk("ollama", '{"sentences": [').encode())
        self.close_connection = True

    def _speaks_no_json(self) -> None:
        self._stream(iter([chunk("ollama", "Gladly! The answer is 42."), "data: [DONE]\n\n"]))

    def _sends_a_page(self) -> None:
        self._stream(iter(["<html><body>Welcome to the router</body></html>\n"]))

    def _sends_broken_events(self) -> None:
        self._stream(iter(['data: {"choices": [\n\n']))

    def _fails(self) -> None:
        self._send(500, {"error": {"message": "model runner has stopped", "type": "api_error", "code": None}})

    def _fails_in_the_middle(self) -> None:
        self._stream(iter(['event: error\ndata: {"error": {"message": "out of memory"}}\n\n']))

    def _fails_in_the_old_way(self) -> None:
        self._stream(iter(['error: {"code": 500, "message": "out of memory"}\n\n']))

    def _is_not_loaded(self) -> None:
        message = "No models loaded. Please load a model in the developer page."
        self._send(404, {"error": {"message": message, "type": "invalid_request_error", "code": "model_not_found"}})

    def _knows_no_schema(self) -> None:
        message = 'response_format type must be one of "text" or "json_object"'
        self._send(400, {"error": {"code": 400, "message": message, "type": "invalid_request_error"}})

    def _wants_a_key(self) -> None:
        self._send(401, {"error": "Incorrect API key"})

    def _points_elsewhere(self) -> None:
        self._send(307, {}, Location="http://notes.example/v1/chat/completions")

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


def _begun() -> Iterator[str]:
    whole = answer_in_json(("Half of it.", []), ("Never whole.", []))
    yield chunk("ollama", whole[: whole.index("Never")])


def _and_then(parts: Iterator[str], then: Any) -> Iterator[str]:
    yield from parts
    then()


def _main() -> None:
    _Handler.kept = Path(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.handle_error = lambda request, client_address: None  # who asked has hung up
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    _main()
