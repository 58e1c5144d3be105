"""The sentences of an answer in JSON, each as soon as it is whole. No network here, and nothing is believed."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

MOST_CHARACTERS = 32_000
_BEGIN = re.compile(r'"sentences"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_THOUGHT = re.compile(r"\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)


class Quoted(msgspec.Struct, frozen=True):
    """Words that the model says are in a passage."""

    passage: str
    quote: str


class Said(msgspec.Struct, frozen=True):
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
        self._taken: Said | None = None

    def feed(self, piece: str) -> Iterator[Said]:
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
            self._taken = msgspec.convert(_clean(value), type=Said)
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
