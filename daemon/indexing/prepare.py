"""From a note's redacted text to what the store keeps of it, with a limit on what one note may cost."""

import contextlib
import logging
import pickle
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Protocol, TypeAlias, TypeVar

from scrubjay.credential_filter import Rules
from scrubjay.daemon.errors import Unavailable
from scrubjay.daemon.indexing.chunker import CHUNKER_VERSION, Chunk, chunk_notes
from scrubjay.daemon.indexing.note_filter import Found, NoteFilter
from scrubjay.daemon.indexing.plan import SECRET_IN_NAME, SECRET_IN_NAME_REASON, text_digest
from scrubjay.daemon.markdown.payloads import without_payloads
from scrubjay.daemon.vault.parse import PARSER_VERSION, ParsedNote, parse_note
from scrubjay.daemon.vault.read import RawNote, redact_path
from scrubjay.daemon.workers.loops import Conditions
from scrubjay.daemon.workers.process import OnDemandProcess, TookTooLong, WorkerDied, WorkerProcess, worker_command
from scrubjay.profiles.database.rows import NO_DECISIONS, ChunkRow, Decisions, FailureRow, NoteBundle, NoteRow

# From a note as it is on disk to what is stored of it: redact, parse, cut, digest. Pure, and picklable in and out.


@dataclass(frozen=True, slots=True)
class PrepareContext:
    """What preparing depends on beside the note. Picklable if `count_many` is."""

    key: bytes  # the installation's, for digests
    rules: Rules
    count_many: Callable[[list[str]], list[int]]  # tokens of texts, see `chunker.chunk_notes`
    max_tokens: int  # the model's window, without what its prefix for passages takes
    max_chunks: int = 20_000  # that are kept of one note
    tokenizer: str = ""  # names the tokenizer behind `count_many`; another one cuts differently
    everywhere: frozenset[str] = frozenset()  # keyed digests of values that the user lets stand in all notes
    fingerprint: str = field(init=False)  # changes whenever the same note would be prepared differently

    def __post_init__(self) -> None:
        cut = (self.tokenizer, str(self.max_tokens), str(self.max_chunks))
        parts = (self.rules.fingerprint, PARSER_VERSION, CHUNKER_VERSION, *cut, *sorted(self.everywhere))
        digest = blake2b("\0".join(parts).encode(), digest_size=8)
        object.__setattr__(self, "fingerprint", digest.hexdigest())

    def fingerprint_of(self, decisions: Decisions) -> str:
        """The fingerprint of a note about whose credentials the user decided; it begins with the common one."""
        if decisions == NO_DECISIONS:
            return self.fingerprint
        parts = " ".join((*sorted(decisions.allowed), "done", *sorted(decisions.done)))
        return f"{self.fingerprint}+{blake2b(parts.encode(), digest_size=8).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A note that must not be in the index, and why."""

    vault: str
    path: str  # redacted
    code: str  # secret-in-name, opted-out
    reason: str


@dataclass(frozen=True, slots=True)
class FlawedBundle(NoteBundle):
    """A note that is indexed, though a part of it could not be read."""

    flaw: FailureRow = field(kw_only=True)  # code broken-frontmatter or too-many-passages


def prepare_many(raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
    """Prepare notes: one result for each, in their order. All are counted together, so give as many as memory allows.

    The whole text goes through the credential filter before anything else looks at it, and so does whatever decoding
    (escapes in YAML, percent signs in links) may bring to light.
    """
    drafts = [_draft(raw, context) for raw in raws]
    notes = [draft.note for draft in drafts if isinstance(draft, _Draft)]
    passages = iter(chunk_notes(notes, context.count_many, context.max_tokens))
    return [_bundle(draft, next(passages), context) if isinstance(draft, _Draft) else draft for draft in drafts]


@dataclass(frozen=True, slots=True)
class _Draft:
    raw: RawNote
    note: ParsedNote
    found: tuple[Found, ...]
    left_out: int  # code points that only programs read


def _draft(raw: RawNote, context: PrepareContext) -> _Draft | Skipped:
    shown, secrets = redact_path(raw.path, context.rules)
    if secrets:
        return Skipped(raw.vault, shown, SECRET_IN_NAME, SECRET_IN_NAME_REASON)
    credentials = NoteFilter(context.rules, context.key, context.everywhere, raw.decisions)
    readable = without_payloads(credentials.whole(raw.text))
    text = readable.text
    decoded: dict[str, str] = {}

    def scrub(part: str, line: int) -> str:
        if part in text:  # decoding changed nothing, so the filter has seen it
            return part
        if part not in decoded:
            decoded[part] = credentials.decoded(part, line)
        return decoded[part]

    note = parse_note(text, raw.path, scrub)
    if not note.indexable:
        return Skipped(raw.vault, raw.path, "opted-out", "The note says `scrubjay: false`.")
    return _Draft(raw, note, tuple(credentials.found), readable.left_out)


def find_credentials(raw: RawNote, context: PrepareContext) -> tuple[Found, ...]:
    """What the filter finds in a note, in no particular order; nothing in one that is not indexed."""
    draft = _draft(raw, context)
    return draft.found if isinstance(draft, _Draft) else ()


def _bundle(draft: _Draft, passages: Sequence[Chunk], context: PrepareContext) -> NoteBundle:
    raw, note = draft.raw, draft.note
    redactions = tuple(found.row for found in draft.found)
    row = NoteRow(
        vault=raw.vault,
        path=raw.path,
        title=note.title,
        mtime_ns=raw.mtime_ns,
        changed_ns=raw.changed_ns,
        size=raw.size,
        digest=raw.digest,
        fingerprint=context.fingerprint_of(raw.decisions),
        aliases=note.aliases,
        tags=note.tags,
        properties=note.properties,
        created_ns=note.created_ns,
        lang=note.lang,
        payload=draft.left_out,
    )
    chunks = tuple(
        ChunkRow(text_digest(each.text, context.key), each.text, each.headings, each.line, each.end_line)
        for each in passages[: context.max_chunks]
    )
    if len(passages) > context.max_chunks:
        code = "too-many-passages"
        reason = (
            f"Only the first {context.max_chunks:,} of its {len(passages):,} passages are indexed. "
            "Split the note, or raise limits.chunks_per_note in settings.toml."
        )
    elif note.frontmatter_problem:
        code, reason = "broken-frontmatter", note.frontmatter_problem
    else:
        return NoteBundle(row, chunks, note.links, redactions)
    flaw = FailureRow(raw.vault, raw.path, code, reason, raw.mtime_ns, raw.size, raw.changed_ns)
    return FlawedBundle(row, chunks, note.links, redactions, flaw=flaw)


# Preparing notes with a limit: a slow note can't block the others.

PREPARE_ARGUMENT = "--prepare-worker"  # a frozen build's entry point runs daemon.indexing.prepare_worker.main() on this
TOO_SLOW, PROCESS_ENDED = "too-slow", "process-ended"

# A note or two, as edits bring them. Every regex of ours over notes is linear, by test, and the other steps read a note
# a few times, so this much is over before a process would have started: 0.25 s for the worst text that was found.
_SMALL_CHARACTERS = 10_000
_CHARACTERS_A_SECOND = 100_000  # far slower than any machine is; the limit of a batch grows by this
_IDLE_SECONDS = 120.0  # from one edit to the next: starting it takes a third of a second
_START_SECONDS = 60.0
_ENDED = "Ended over notes"  # a part, for Conditions
_TRIES = 3  # with one note, where the process ends over it: what ended it may have meant another one; and to start it

Prepared: TypeAlias = list[NoteBundle | Skipped]


class Preparable(Protocol):
    """A note, or a file of another kind, as it was read; picklable."""

    @property
    def vault(self) -> str:
        """The vault's id."""
        ...

    @property
    def path(self) -> str:
        """Vault-relative."""
        ...

    @property
    def text(self) -> str:
        """All of its text, which has NOT been through the credential filter."""
        ...


_P = TypeVar("_P", bound=Preparable)

_log = logging.getLogger(__name__)


class PreparingEnded(Unavailable):
    """The preparer was closed while it worked."""

    code = "preparing-ended"


class CannotPrepare(Unavailable):
    """The process that prepares can't be started, or ends before it can do anything: no note is at fault."""

    code = "preparing-impossible"

    def __init__(self, how: str) -> None:
        """how: what is wrong with the process, as the end of a sentence."""
        super().__init__(
            f"Notes can't be read: the process that takes them apart {how}, at each start. It is tried again and again."
            " `scrubjay restart` may help; if it does not, install Scrubjay anew."
        )


class WatchedPreparer:
    """Prepares little text right here, if that is sure to be quick, and all other in a process of its own.

    A note that takes that process longer than `note_seconds` of processor time is skipped as `too-slow`, and one over
    which it ends again and again as `process-ended`; the others of its batch are prepared all the same. For as long as
    nothing but that happens, `conditions` says so. The process goes after `idle_seconds` with nothing to do.
    """

    def __init__(
        self,
        note_seconds: Callable[[], float],
        conditions: Conditions | None = None,
        *,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        self._note_seconds = note_seconds
        self._conditions = conditions or Conditions()
        self._lock = threading.Lock()  # one batch at a time; guards the fingerprint
        self._fingerprint = ""  # of what the process was started with
        self._worker = OnDemandProcess[Prepared](idle_seconds, self._conditions)

    def prepare(self, raws: Sequence[RawNote], context: PrepareContext) -> Prepared:
        """One result for each note, in their order; see `prepare_many`. Raises as `prepare_by`."""
        return self.prepare_by(prepare_many, raws, context)

    def prepare_by(
        self, how: Callable[[Sequence[_P], PrepareContext], Prepared], raws: Sequence[_P], context: PrepareContext
    ) -> Prepared:
        """What `how`, a function of a module, makes of `raws`. Thread-safe, one batch at a time.

        Raises PreparingEnded, CannotPrepare.
        """
        if _is_quick(raws, context):
            return how(raws, context)
        with self._lock:
            if self._fingerprint != context.fingerprint:
                self._worker.end()
                self._fingerprint = context.fingerprint
            if len(raws) > 1:
                with contextlib.suppress(WorkerDied, TookTooLong):
                    return self._in_process(how, raws, context)
            return [self._alone(how, raw, context) for raw in raws]

    def close(self) -> None:
        """End the process, if there is one, whatever it does."""
        self._worker.close()

    def _in_process(
        self, how: Callable[[Sequence[_P], PrepareContext], Prepared], raws: Sequence[_P], context: PrepareContext
    ) -> Prepared:
        """Prepared by the process, which is ended where it takes too long. Raises WorkerDied, TookTooLong."""
        seconds = self._note_seconds()
        if len(raws) > 1:
            seconds += sum(len(raw.text) for raw in raws) / _CHARACTERS_A_SECOND
        try:
            process = self._worker.running(lambda: self._started(context))
            batch = pickle.dumps((seconds, how, list(raws)), pickle.HIGHEST_PROTOCOL)
            prepared = process.ask_within(batch, seconds)
        except (WorkerDied, TookTooLong):
            if self._worker.closed:
                raise PreparingEnded("Notes are not prepared any more.") from None
            self._worker.end()
            raise
        self._conditions.clear(_ENDED)
        return prepared

    def _alone(
        self, how: Callable[[Sequence[_P], PrepareContext], Prepared], raw: _P, context: PrepareContext
    ) -> NoteBundle | Skipped:
        for _ in range(_TRIES):
            try:
                return self._in_process(how, (raw,), context)[0]
            except TookTooLong:
                _log.warning("a note took too long and is left out")
                reason = f"Taking this note apart took longer than {self._note_seconds():g} s; simplify it or split it."
                return Skipped(raw.vault, raw.path, TOO_SLOW, reason)
            except WorkerDied:
                _log.warning("the process that prepares notes was ended")
        self._conditions.put(
            _ENDED,
            "The process that takes notes apart is ended again and again, perhaps for want of memory or by a virus"
            " scanner: notes are left out, each by name, and tried again later.",
        )
        reason = (
            f"The process that takes notes apart was ended {_TRIES} times over this note, perhaps for want of memory. "
            "It is tried again later."
        )
        return Skipped(raw.vault, raw.path, PROCESS_ENDED, reason)

    def _started(self, context: PrepareContext) -> WorkerProcess[Prepared]:
        """A process that can work. Raises CannotPrepare where there is none to be had."""
        command = worker_command("scrubjay.daemon.indexing.prepare_worker", PREPARE_ARGUMENT)
        # The rules without what they have compiled, which no other process could use.
        greeting = pickle.dumps(replace(context, rules=replace(context.rules)))
        how = ""
        for _ in range(_TRIES):
            try:
                process = WorkerProcess("Preparing notes", command, _prepared, self._conditions)
            except OSError as error:
                raise CannotPrepare(f"can't be started ({error.strerror})") from None
            try:
                process.ask(greeting).result(_START_SECONDS)
            except WorkerDied:
                how = process.how_it_ended()
                process.close()
            except TimeoutError:
                process.close()
                raise CannotPrepare(f"does not answer within {_START_SECONDS:g} s") from None
            else:
                return process
        _log.error("the process that prepares notes can't work")
        raise CannotPrepare(how)


def _prepared(body: bytes) -> Prepared:
    return pickle.loads(body)  # noqa: S301 - the other end is this very program


def _is_quick(raws: Sequence[Preparable], context: PrepareContext) -> bool:
    """Whether they can't take long: short texts, and no regex that a user wrote."""
    ours = not context.rules.own and not context.rules.allow
    return ours and sum(len(raw.text) for raw in raws) <= _SMALL_CHARACTERS
