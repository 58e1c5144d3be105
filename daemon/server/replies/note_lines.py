"""Lines of a note out of its passages, within a budget of tokens. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.daemon.answers.context_block import estimated_tokens
from scrubjay.daemon.server.endpoints.notes import Passage
from scrubjay.profiles.search.named_notes import ID_LENGTH
from scrubjay.profiles.store.rows import ChunkView

AROUND = 20
"""Lines before and after one that is asked for with what is around it."""
_HEAD_TOKENS = 12  # what stands above a passage: its id and line
_LINE_TOKENS = 1  # the mark of a quotation, and the line's end


@dataclass(frozen=True, slots=True)
class Cut:
    """What was taken of a note. next_line: where to go on, None where nothing wanted is left."""

    passages: tuple[Passage, ...]
    tokens: int
    next_line: int | None
    lines_left: int


@dataclass(frozen=True, slots=True)
class _Line:
    chunk: ChunkView
    number: int
    text: str


def last_line(chunks: Sequence[ChunkView]) -> int:
    """The last line of the file that any passage has."""
    return max((chunk.end_line for chunk in chunks), default=0)


def cut(chunks: Sequence[ChunkView], first: int, last: int, max_tokens: int) -> Cut:
    """The lines from `first` to `last`, both included, as far as `max_tokens` go.

    A single line that is too long for the whole budget is cut, so that reading goes on after it.
    """
    wanted = [line for line in _lines(chunks) if first <= line.number <= last]
    taken: list[_Line] = []
    left = max_tokens
    for line in wanted:
        tokens = _tokens(line, taken[-1] if taken else None)
        if tokens > left and taken and line.number != taken[0].number:
            break
        if tokens > left:
            text = _beginning(line.text, left)
            if text:
                taken.append(_Line(line.chunk, line.number, text))
            left = 0
            continue
        taken.append(line)
        left -= tokens
    end = taken[-1].number if taken else 0
    rest = sorted({line.number for line in wanted if line.number > end}) if taken else []
    return Cut(_passages(taken), max_tokens - max(left, 0), rest[0] if rest else None, len(rest))


def _lines(chunks: Sequence[ChunkView]) -> Iterator[_Line]:
    """Lines by number. The heading rows that a later passage of a table repeats are left out."""
    for chunk in chunks:
        lines = chunk.text.split("\n")
        repeated = max(len(lines) - (chunk.end_line - chunk.line + 1), 0)
        for number, text in enumerate(lines[repeated:], chunk.line):
            yield _Line(chunk, number, text)


def _tokens(line: _Line, before: _Line | None) -> int:
    tokens = estimated_tokens(line.text) + _LINE_TOKENS
    if before is None or before.chunk is not line.chunk:
        tokens += _HEAD_TOKENS + estimated_tokens(" › ".join(line.chunk.headings))
    return tokens


def _beginning(text: str, tokens: int) -> str:
    """As much of a line as has room, at least a quarter of the tokens' worth of characters."""
    kept = text[: max(tokens - _HEAD_TOKENS, 0) * 4]
    while kept and estimated_tokens(kept) + _HEAD_TOKENS > tokens:
        kept = kept[: len(kept) * 3 // 4]
    return f"{kept}…" if kept else ""


def _passages(lines: Sequence[_Line]) -> tuple[Passage, ...]:
    """Lines of one passage together."""
    parts: list[tuple[ChunkView, int, list[str]]] = []
    for line in lines:
        if not parts or parts[-1][0] is not line.chunk:
            parts.append((line.chunk, line.number, []))
        parts[-1][2].append(line.text)
    return tuple(
        Passage(
            id=chunk.digest.hex()[:ID_LENGTH],
            headings=chunk.headings,
            line=number,
            text="\n".join(texts),
            place=chunk.place,
        )
        for chunk, number, texts in parts
    )
