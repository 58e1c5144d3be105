"""From what was read in a file to what the store keeps of it: redact, cut with places, digest. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from scrubjay.daemon.documents.extracted import METADATA, DocumentPart
from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.chunker import chunk_notes
from scrubjay.daemon.indexing.model_input import context_of
from scrubjay.daemon.indexing.plan import SECRET_IN_NAME_REASON
from scrubjay.daemon.indexing.prepare import CredentialFinding, FlawedBundle, NoteFilter, PrepareContext, Skipped
from scrubjay.daemon.vault.frontmatter import read_frontmatter
from scrubjay.daemon.vault.language import language_of
from scrubjay.daemon.vault.parse import ParsedNote, created_ns
from scrubjay.daemon.vault.read import name_of, redact_path, stem_of, with_line_feeds
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.store.rows import NO_DECISIONS, ChunkRow, Decisions, FailureRow, LinkRow, NoteBundle, NoteRow

_CELL = " | "  # between the cells of a row, in whatever format
_RULE = "--- | ---"
_NAMED = frozenset({"sheet", "book"})  # kinds whose places have names that a user gave


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a part stands in the text. Lines are 1-based; 0: there is none."""

    place: str  # as in `DocumentPart`; "" where `place_line` has it. Has NOT been through the credential filter
    place_line: int  # where its place has a name
    label_line: int  # of its heading
    lines: tuple[int, ...]  # of its own text, in order

    @property
    def first_line(self) -> int:
        """The first line of all that is said of the part."""
        return self.place_line or self.label_line or self.lines[0]


@dataclass(frozen=True, slots=True)
class Layout:
    """All parts of a file as one text. It has NOT been through the credential filter."""

    text: str
    stretches: tuple[Stretch, ...]  # in the order of the text

    def part_at(self, line: int) -> int:
        """Which part a line belongs to, counted from 0. There must be one."""
        return max(bisect_right([stretch.first_line for stretch in self.stretches], line) - 1, 0)


def lay_out(kind: str, parts: Iterable[DocumentPart]) -> Layout:
    """Put the parts below one another, each below its heading. Parts without text are left out."""
    lines: list[str] = []
    stretches: list[Stretch] = []
    for part in parts:
        text = _clean(part.text).strip("\n")
        if not text.strip():
            continue
        place, label = _one_line(part.place), _one_line(part.label)
        has_name = kind in _NAMED and bool(place) and not place.isdecimal() and place != METADATA
        lines += [place] if has_name else []
        place_line = len(lines) if has_name else 0
        lines += [label] if label else []
        label_line = len(lines) if label else 0
        own: list[int] = []
        for line in _with_rules(text.split("\n")):
            lines.append(_RULE if line is None else line)
            own += [] if line is None else [len(lines)]
        stretches.append(Stretch("" if has_name else place, place_line, label_line, tuple(own)))
    return Layout("\n".join(lines), tuple(stretches))


def pages_in(parts: Iterable[DocumentPart]) -> int:
    """How many pages, slides, sheets or chapters the parts are of."""
    return len({part.place for part in parts} - {METADATA})


def _with_rules(lines: Sequence[str]) -> Iterator[str | None]:
    """The lines, with None after the first row of each table."""
    for at, line in enumerate(lines):
        yield line
        begins = _CELL in line and (at == 0 or _CELL not in lines[at - 1])
        if begins and at + 1 < len(lines) and _CELL in lines[at + 1]:
            yield None


def _one_line(text: str) -> str:
    return " ".join(_clean(text).split())


def _clean(text: str) -> str:
    """Without what no database can keep: NUL, and halves of characters."""
    plain = with_line_feeds(text).replace("\0", "")
    return plain.encode("utf-8", "replace").decode("utf-8")


_OPT_OUT = re.compile(r"\bscrubjay[ \t]*:[ \t]*(?:false|no|off|0)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Flaw:
    """What of a file could not be read, though it is found by its name or by its other parts."""

    code: FailureReason
    reason: str  # one sentence for a person, without text of the file


@dataclass(frozen=True, slots=True)
class RawFile:
    """What was read in a file that is no note. Its text has NOT been through the credential filter."""

    vault: str
    path: str
    kind: str
    size: int  # bytes
    mtime_ns: int
    changed_ns: int
    digest: bytes  # of the file's bytes
    reader: str  # which reader this was, and whether it recognised pictures; part of the fingerprint
    layout: Layout = field(default_factory=lambda: Layout("", ()))
    links: tuple[str, ...] = ()  # to other files, as written
    pages: int = 0
    scans: int = 0  # pages, or the file itself, that are pictures whose text was not recognised
    flaw: Flaw | None = None
    decisions: Decisions = NO_DECISIONS

    @property
    def text(self) -> str:
        """All of its text."""
        return self.layout.text


def prepare_files(raws: Sequence[RawFile], context: PrepareContext) -> list[NoteBundle | Skipped]:
    """Prepare files: one result for each, in their order.

    The whole text goes through the credential filter before it is cut. A file without text is kept by its name.
    """
    drafts = [_draft(raw, context) for raw in raws]
    notes = [part.note for draft in drafts if isinstance(draft, _Draft) for part in draft.parts]
    passages = iter(chunk_notes(notes, context.count_many, context.max_tokens))
    found: list[NoteBundle | Skipped] = []
    for draft in drafts:
        if isinstance(draft, Skipped):
            found.append(draft)
            continue
        chunks = [
            ChunkRow(
                text_digest(each.text, context.key), each.text, part.headings, each.line, each.end_line, part.place
            )
            for part in draft.parts
            for each in next(passages)
        ]
        found.append(_bundle(draft, chunks, context))
    return found


def find_credentials(raw: RawFile, context: PrepareContext) -> tuple[CredentialFinding, ...]:
    """What the filter finds in a file, each with its place, in no particular order; nothing in one that opts out."""
    draft = _draft(raw, context)
    return _found(draft) if isinstance(draft, _Draft) else ()


@dataclass(frozen=True, slots=True)
class _Part:
    note: ParsedNote  # its title is the file's with the part's heading
    headings: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class _Draft:
    raw: RawFile
    parts: tuple[_Part, ...]
    links: tuple[LinkRow, ...]
    credentials: NoteFilter
    lang: str


def _draft(raw: RawFile, context: PrepareContext) -> _Draft | Skipped:
    shown, secrets = redact_path(raw.path, context.rules)
    if secrets:
        return Skipped(raw.vault, shown, FailureReason.SECRET_IN_NAME, SECRET_IN_NAME_REASON)
    if _opts_out(raw.layout):
        return Skipped(raw.vault, raw.path, FailureReason.OPTED_OUT, "The file says `scrubjay: false`.")
    credentials = NoteFilter(context.rules, context.key, context.everywhere, raw.decisions)
    lines = credentials.whole(raw.text).split("\n")
    parts = tuple(_part(raw, stretch, lines, credentials) for stretch in raw.layout.stretches)
    links = tuple(_link(credentials.decoded(link, 1)) for link in raw.links)
    return _Draft(raw, parts, links, credentials, language_of("\n".join(lines)))


def _part(raw: RawFile, stretch: Stretch, lines: Sequence[str], credentials: NoteFilter) -> _Part:
    said = [lines[at - 1].strip() for at in (stretch.place_line, stretch.label_line) if at]
    place = said[0] if stretch.place_line else stretch.place
    if not stretch.place_line and not place.isdecimal():
        place = credentials.decoded(place, stretch.first_line)
    note = ParsedNote(
        title=context_of(name_of(raw.path), said),  # so that what the model reads is counted with the headings
        aliases=(),
        tags=(),
        properties={},
        created_ns=None,
        lang="",
        headings=(),
        links=(),
        fences=(),
        body="\n".join(lines[at - 1] for at in stretch.lines),
        body_line=stretch.lines[0],
        indexable=True,
    )
    return _Part(note, tuple(said), place)


def _found(draft: _Draft) -> tuple[CredentialFinding, ...]:
    """The findings, each told with the place of the part that it is in."""
    places = [part.place for part in draft.parts] or [""]
    at = draft.raw.layout.part_at
    return tuple(
        replace(each, row=replace(each.row, place=places[at(each.row.line)])) for each in draft.credentials.found
    )


def _opts_out(layout: Layout) -> bool:
    """Whether the file itself says that it is not to be read: in its frontmatter, or in its metadata's keywords."""
    if layout.text.startswith("---\n") and read_frontmatter(layout.text).opted_out:
        return True
    about = [each for each in layout.stretches if each.place == METADATA]
    lines = layout.text.split("\n") if about else []
    return any(_OPT_OUT.search(lines[at - 1]) for each in about for at in each.lines)


def _link(written: str) -> LinkRow:
    target, _, rest = written.partition("#")
    heading, _, block = rest.partition("^")
    return LinkRow(target, "wiki", 1, heading, block)


def _bundle(draft: _Draft, chunks: list[ChunkRow], context: PrepareContext) -> NoteBundle:
    raw = draft.raw
    name = name_of(raw.path)
    kept = tuple(chunks[: context.max_chunks]) or (ChunkRow(text_digest(name, context.key), name, (), 1, 1),)
    row = NoteRow(
        vault=raw.vault,
        path=raw.path,
        title=name,
        mtime_ns=raw.mtime_ns,
        changed_ns=raw.changed_ns,
        size=raw.size,
        digest=raw.digest,
        fingerprint=f"{context.fingerprint_of(raw.decisions)}/{raw.reader}",
        created_ns=created_ns({}, stem_of(raw.path)),
        lang=draft.lang,
        kind=raw.kind,
        parts=raw.pages,
        scans=raw.scans,
    )
    redactions = tuple(found.row for found in _found(draft))
    flaw = raw.flaw
    if len(chunks) > context.max_chunks:
        reason = f"Only the first {context.max_chunks:,} of its {len(chunks):,} passages are indexed. "
        flaw = Flaw(
            FailureReason.TOO_MANY_PASSAGES,
            f"{reason}Split the file, or raise limits.chunks_per_note in settings.toml.",
        )
    if flaw is None:
        return NoteBundle(row, kept, draft.links, redactions)
    stamps = (raw.mtime_ns, raw.size, raw.changed_ns)
    failure = FailureRow(raw.vault, raw.path, flaw.code, flaw.reason, *stamps, kind=raw.kind)
    return FlawedBundle(row, kept, draft.links, redactions, flaw=failure)
