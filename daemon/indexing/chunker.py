"""Cutting notes into passages that fit the model's window and can stand alone.

Sections are cut at their headings: an H2 with all below it is one passage if that fits, else its H3 are, and so on
down to paragraphs, sentences and, where nothing else is left, stretches of a line. Small neighbours are merged. A
passage is a stretch of the file as it stands, without the headings that its heading path tells; only rows of a table
that was cut get the table's heading rows put before them, and items of a list what they are indented under. There is no
overlap. Code is cut at its definitions.

All notes of a call are counted together: one call of the counter for everything, and one more for each round in which
something too long is cut finer. Last, what the model will read of each finished passage is counted, so that nothing
of it lies beyond the window.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scrubjay.daemon.indexing.model_input import SPECIAL_TOKENS, embedding_input, within
from scrubjay.daemon.indexing.outline import Outline, Section, outline
from scrubjay.daemon.vault.markdown.blocks import Piece, finer
from scrubjay.daemon.vault.parse import ParsedNote

CHUNKER_VERSION = "2"  # raise it when the same note would be cut differently: notes are then cut again

MERGE_BELOW = 64  # tokens: a section smaller than this says too little by itself and joins its neighbour
_WHOLE_FROM = 2  # heading level from which a section with all below it makes one passage where it fits
_LARGEST_HEADER = 1 / 3  # share of the budget that a table's heading rows may take to be repeated

CountMany = Callable[[list[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One stretch of a note. Its text is never blank."""

    text: str
    headings: tuple[str, ...]  # from the outermost on; an H1 that repeats the note's title is left out
    line: int  # 1-based line of the file
    end_line: int  # 1-based, inclusive


def chunk_notes(notes: Sequence[ParsedNote], count_many: CountMany, max_tokens: int) -> list[tuple[Chunk, ...]]:
    """Cut each note into its passages, in the order of the text; one at least, of the title if nothing else is there.

    count_many: tokens of each text, without the special ones; those of two texts joined by a line end must be about the
    sum of theirs. max_tokens: the model's window, special tokens included, without what a prefix takes.
    The `embedding_input` of every passage fits the window, unless a single character does not. Left out are sections
    that are mere lists of links, frontmatter and blank lines.
    """
    outlines = [outline(note, max_tokens) for note in notes]
    found = [tuple[Chunk, ...]()] * len(outlines)
    work = list(range(len(outlines)))
    while work:
        _count([outlines[at] for at in work], count_many)
        for at in work:
            found[at] = tuple(_chunks_of(outlines[at]))
        work = _overfull(work, outlines, found, count_many)
    return found


def _overfull(
    work: Sequence[int], outlines: Sequence[Outline], found: Sequence[Sequence[Chunk]], count_many: CountMany
) -> list[int]:
    """Which of the notes in `work` have a passage beyond the window; their outlines then spare what it has too much.

    Tokens of pieces do not add up exactly where a word was cut, and with some tokenizers nowhere.
    """
    inputs = [
        embedding_input(outlines[at].note.title, chunk.headings, chunk.text) for at in work for chunk in found[at]
    ]
    counts = iter(count_many(inputs))
    again: list[int] = []
    for at in work:
        each = outlines[at]
        over = max([next(counts) for _ in found[at]]) + SPECIAL_TOKENS - each.max_tokens
        if over > 0 and each.spare < each.max_tokens:
            each.spare += over
            again.append(at)
    return again


def _count(outlines: Sequence[Outline], count_many: CountMany) -> None:
    """Count everything, cutting finer what is too long, until each piece fits the budget of its section."""
    names = list(dict.fromkeys(name for each in outlines for name in each.names()))
    work = [(each, section) for each in outlines for section in each.sections if section.pieces]
    counts = _count_pieces(work, count_many, names)
    tokens_of = dict(zip(names, counts, strict=True))
    for each in outlines:
        each.tokens_of = tokens_of
        for section in each.sections:
            marks = section.text_start - section.start - len(section.heading)
            section.heading_tokens = tokens_of[section.heading] + max(0, marks) if section.level else 0
    while work := [(each, section) for each, section in work if _cut_unfit(each, section)]:
        _count_pieces(work, count_many, [])
    for each in outlines:
        for section in each.sections:
            section.tokens = sum([piece.tokens for piece in section.pieces])


def _count_pieces(work: Sequence[tuple[Outline, Section]], count_many: CountMany, names: list[str]) -> list[int]:
    """Count the pieces that have no number yet, and the names in the same call; returns the numbers of the names."""
    new = [(each.note.body, piece) for each, section in work for piece in section.pieces if piece.tokens < 0]
    counts = count_many([*names, *[body[piece.start : piece.end] for body, piece in new]])
    for (_, piece), tokens in zip(new, counts[len(names) :], strict=True):
        piece.tokens = tokens
    return counts[: len(names)]


def _cut_unfit(each: Outline, section: Section) -> bool:
    """Replace the pieces that are too long by finer ones; whether there was one."""
    budget = each.budget(section.path)
    if max([piece.tokens for piece in section.pieces]) <= budget:
        return False
    note = each.note
    pieces: list[Piece] = []
    for piece in section.pieces:
        fits = piece.tokens <= budget or piece.end - piece.start == 1
        pieces.extend([piece] if fits else finer(note.body, piece, note.fences, budget))
    changed = len(pieces) != len(section.pieces)
    section.pieces = pieces
    return changed


@dataclass(frozen=True, slots=True)
class _Group:
    """Neighbouring sections, `first` up to but without `end`, that make one passage (or several, where one is long)."""

    first: int
    end: int
    path: tuple[str, ...]
    with_heading: bool  # the first section's heading stands in the text, since it is not in the path
    tokens: int


def _chunks_of(each: Outline) -> Iterator[Chunk]:
    groups: list[_Group] = []
    for group in _groups(each):
        merged = _merged(each, groups[-1], group) if groups else None
        if merged is None:
            groups.append(group)
        else:
            groups[-1] = merged
    body, line, counted = each.note.body, each.note.body_line, 0
    for group in groups:
        for start, end, header in _stretches(each, group):
            begin = end - len(body[start:end].lstrip())
            line += body.count("\n", counted, begin)
            counted = begin
            if header or _is_code(each.note, begin):  # the indentation says what the line belongs to
                begin = max(start, body.rfind("\n", 0, begin) + 1)
            bare = body[begin:end].rstrip()
            yield Chunk(header + bare, group.path, line, line + bare.count("\n"))
    if not groups:
        yield Chunk(within(each.note.title, each.budget(())), (), 1, 1)


def _is_code(note: ParsedNote, at: int) -> bool:
    return any(start < at < end for start, end in note.fences)


def _groups(each: Outline) -> Iterator[_Group]:
    """The sections by themselves, or whole with all below them where that fits the window."""
    sections = each.sections
    at = 0
    while at < len(sections):
        section = sections[at]
        end = _end_of_whole(each, at)
        alone = end == at + 1
        if section.is_link_list or (alone and not section.pieces and _is_covered_below(sections, at)):
            at += 1
            continue
        empty = alone and not section.pieces
        path = section.path[:-1] if empty else section.path
        yield _Group(at, end, path, empty, _tokens(sections, at, end, with_heading=empty))
        at = end


def _is_covered_below(sections: Sequence[Section], at: int) -> bool:
    """Whether a section without text needs no passage: nothing is its heading, or the next section's path tells it."""
    path = sections[at].path
    below = sections[at + 1] if at + 1 < len(sections) else None
    return not path or (below is not None and not below.is_link_list and below.path[: len(path)] == path)


def _end_of_whole(each: Outline, at: int) -> int:
    """The end of the section with all below it if that may be one passage, else of the section alone."""
    sections = each.sections
    section = sections[at]
    if section.level < _WHOLE_FROM:
        return at + 1
    budget = each.budget(section.path)
    end, tokens = at + 1, section.tokens
    while end < len(sections) and sections[end].level > section.level:
        tokens += sections[end].tokens + sections[end].heading_tokens
        if tokens > budget or sections[end].is_link_list:
            return at + 1
        end += 1
    return end


def _tokens(sections: Sequence[Section], first: int, end: int, *, with_heading: bool) -> int:
    within = sum([section.tokens + section.heading_tokens for section in sections[first:end]])
    return within if with_heading else within - sections[first].heading_tokens


def _merged(each: Outline, left: _Group, right: _Group) -> _Group | None:
    """Both as one, if one of them is small, they stand beside each other and they fit the window together.

    The path keeps what both share. It may lose no more than the left one's own heading, which then stands in the text.
    """
    if min(left.tokens, right.tokens) >= MERGE_BELOW:
        return None
    if any(section.is_link_list for section in each.sections[left.end : right.first]):
        return None
    shared = _shared(left.path, right.path)
    lost = len(left.path) - len(shared)
    if lost > (0 if left.with_heading else 1):
        return None
    with_heading = left.with_heading or lost == 1
    tokens = _tokens(each.sections, left.first, right.end, with_heading=with_heading)
    if tokens > each.budget(shared):
        return None
    return _Group(left.first, right.end, shared, with_heading, tokens)


def _shared(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return left[:length]


def _stretches(each: Outline, group: _Group) -> Iterator[tuple[int, int, str]]:
    """Start and end of each passage of the group in the body, and what is put before it."""
    sections, budget = each.sections, each.budget(group.path)
    first = sections[group.first]
    if group.tokens <= budget or group.end > group.first + 1 or not first.pieces:
        yield first.start if group.with_heading else first.text_start, sections[group.end - 1].end, ""
        return
    target = first.tokens / -(-first.tokens // budget)  # of equal parts rather than full ones and a small rest
    for run in _runs_of_pieces(first.pieces, budget, target):
        header = _header(run[0], budget)
        text = f"{each.note.body[header.start : header.end].rstrip()}\n" if header else ""
        yield run[0].start, run[-1].end, text


def _runs_of_pieces(pieces: Sequence[Piece], budget: int, target: float) -> Iterator[list[Piece]]:
    run: list[Piece] = []
    tokens = 0
    for piece in pieces:
        if run and (tokens >= target or tokens + piece.tokens > budget):
            yield run
            run, tokens = [], 0
        if not run:
            header = _header(piece, budget)
            tokens = header.tokens if header else 0
        run.append(piece)
        tokens += piece.tokens
    yield run


def _header(piece: Piece, budget: int) -> Piece | None:
    """What is to be put before a row or an item, if it has been counted as a whole and there is room for both."""
    header = piece.header
    if (
        header is None
        or header.tokens < 0
        or header.tokens > budget * _LARGEST_HEADER
        or header.tokens + piece.tokens > budget
    ):
        return None
    return header
