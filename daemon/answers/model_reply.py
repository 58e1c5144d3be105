"""The sentences of a streamed chat completion, each as soon as it is whole. No network here."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from scrubjay.daemon.answers.model_server import ModelTrouble
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


class CompletionReader:
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


MOST_CHARACTERS = 32_000
_BEGIN = re.compile(r'"sentences"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_THOUGHT = re.compile(r"\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


class Quoted(msgspec.Struct, frozen=True):
    """Words that the model says are in a passage."""

    passage: str
    quote: str


class WrittenSentence(msgspec.Struct, frozen=True):
    """One sentence, as the model wrote it."""

    text: str
    quotes: tuple[Quoted, ...] = ()


class SentenceReader:
    """Takes the text of an answer in whatever pieces it comes."""

    def __init__(self) -> None:
        self.complete = False  # the list of sentences is closed, or is read no further
        self.odd = False  # something in it is no sentence, or it has no end
        self._text = ""
        self._begun = False
        self._at = 0  # where the next sentence begins
        self._taken: WrittenSentence | None = None

    def feed(self, piece: str) -> Iterator[WrittenSentence]:
        """The sentences that became whole."""
        if self.complete:
            return
        self._text += piece
        if len(self._text) > MOST_CHARACTERS:
            self.odd = self.complete = True
            return
        if not self._begun and (begin := _BEGIN.search(self._text, self._past_thoughts())):
            self._begun, self._at = True, begin.end()
        while self._begun and not self.complete:
            if between := _BETWEEN.match(self._text, self._at):
                self._at = between.end()
            if self._text.startswith("]", self._at):
                self.complete = True
            elif "}" not in piece or not self._take_value():  # without one, nothing has become whole
                return
            elif self._taken is not None:
                yield self._taken

    def _past_thoughts(self) -> int:
        thought = _THOUGHT.match(self._text)
        return thought.end() if thought else 0

    def _take_value(self) -> bool:
        """Take the value that begins here, which may be no sentence; False if it is not whole."""
        self._taken = None
        try:
            value, self._at = _DECODER.raw_decode(self._text, self._at)
            self._taken = msgspec.convert(_clean(value), type=WrittenSentence)
        except msgspec.ValidationError:
            self.odd = True
        except RecursionError:
            self.odd = self.complete = True
        except ValueError:
            return False
        return True


def _clean(value: Any) -> Any:
    """A value of JSON without half characters, which no reply can hold."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
