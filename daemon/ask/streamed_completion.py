"""A streamed chat completion, from the bytes of server-sent events to the text that the model writes. No network here.

What Ollama, llama.cpp's server and LM Studio send alike: `data: {"choices": [{"delta": {"content": "…"}}]}` for each
piece, and `data: [DONE]` at the end. An error in the middle is an event of its own, with an object or a text below
`error`, or a line that begins with `error:`; thinking comes below other names than `content`, and is passed over.
"""

from collections.abc import Iterator

import msgspec

from scrubjay.daemon.ask.model_server import ModelTrouble
from scrubjay.daemon.printable import one_line

MOST_BYTES = 8_000_000  # of a whole answer: a thinking model sends some hundred bytes for each token
_LONGEST_LINE = 65_536
_LONGEST_SAID = 200  # code points of a server's own words that are passed on

NOT_UNDERSTOOD = "The language model's answer can't be understood. Another model may do better."
CUT_OFF = "The language model's answer was cut off before its end."


class _Delta(msgspec.Struct, frozen=True):
    content: str | None = None


class _Choice(msgspec.Struct, frozen=True):
    delta: _Delta | None = None


class _Error(msgspec.Struct, frozen=True):
    message: str = ""


class _Chunk(msgspec.Struct, frozen=True):
    choices: tuple[_Choice, ...] | None = None
    error: _Error | str | None = None


class Completion:
    """Takes the bytes of one reply in whatever pieces they come."""

    def __init__(self) -> None:
        self.done = False  # the server says that this was all
        self._rest = b""
        self._size = 0

    def feed(self, data: bytes) -> Iterator[str]:
        """What the model wrote, as far as it is in these bytes. Raises ModelTrouble."""
        self._size += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        if self._size > MOST_BYTES or len(self._rest) > _LONGEST_LINE:
            raise ModelTrouble("The language model's answer has no end, so it was broken off.")
        for line in lines:
            if self.done:
                return
            if text := self._text_of(line):
                yield text

    def _text_of(self, line: bytes) -> str:
        """Of one line; empty for comments, names of events and what else a line may hold."""
        name, _, value = line.partition(b":")
        payload = value.strip()
        if name == b"error":
            raise ModelTrouble(said_by_server(b'{"error": %s}' % payload))
        if name != b"data" or not payload:
            return ""
        if payload == b"[DONE]":
            self.done = True
            return ""
        try:
            chunk = msgspec.json.decode(payload, type=_Chunk)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise ModelTrouble(NOT_UNDERSTOOD) from None
        if chunk.error is not None:
            raise ModelTrouble(said_by_server(payload))
        return "".join(choice.delta.content or "" for choice in (chunk.choices or ())[:1] if choice.delta)


def said_by_server(body: bytes, status: int | None = None, secret: str = "") -> str:
    """A sentence with the reason that a server gives, as far as there is one. secret: is left out of it."""
    try:
        error = msgspec.json.decode(body, type=_Chunk).error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        error = None
    reason = one_line(error if isinstance(error, str) else error.message if error else "")
    reason = (reason.replace(secret, "…") if secret else reason)[:_LONGEST_SAID]
    code = "" if status is None else f" ({status})"
    return f"The model server reports an error{code}" + (f": {reason}" if reason else ".")
