"""From a note as it is on disk to what is stored of it: redact, parse, cut, digest. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

from scrubjay.credential_filter import Finding, Redacted, Rules, redact, value_digest, values_of
from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.chunker import CHUNKER_VERSION, Chunk, chunk_notes
from scrubjay.daemon.indexing.plan import SECRET_IN_NAME_REASON
from scrubjay.daemon.vault.markdown.payloads import without_payloads
from scrubjay.daemon.vault.parse import PARSER_VERSION, ParsedNote, parse_note
from scrubjay.daemon.vault.read import RawNote, redact_path
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.store.rows import (
    NO_DECISIONS,
    ChunkRow,
    Decisions,
    FailureRow,
    NoteBundle,
    NoteRow,
    RedactionRow,
    Standing,
)

_STANDS = frozenset({"allowed", "everywhere"})


@dataclass(frozen=True, slots=True)
class CredentialFinding:
    """A value that the rules take for a credential: where it is, how it stands, and the keyed digest that names it."""

    row: RedactionRow
    digest: str


class NoteFilter:
    """Hides what is to be hidden of one note's texts, and gathers what was found in `found`.

    everywhere: digests of values that stand in all notes of the profile. A value that is allowed stands by itself:
    another one that comes to the same line is hidden.
    """

    def __init__(self, rules: Rules, key: bytes, everywhere: frozenset[str], decisions: Decisions) -> None:
        self._rules = rules
        self._key = key
        self._everywhere = everywhere
        self._decisions = decisions
        self.found: list[CredentialFinding] = []

    def whole(self, text: str) -> str:
        """The note's text without its credentials."""
        return self._filtered(text)

    def decoded(self, text: str, line: int) -> str:
        """A text that decoding brought to light on a line of the note, without its credentials."""
        return self._filtered(text, line)

    def _filtered(self, text: str, line: int | None = None) -> str:
        redacted = redact(text, self._rules)
        if not redacted.findings:
            return text
        digests = [value_digest(value, self._key) for value in values_of(text, redacted.findings)]
        standings: list[Standing] = [self._standing(digest) for digest in digests]
        stands = frozenset(digest for digest, one in zip(digests, standings, strict=True) if one in _STANDS)
        shown = redact(text, _allowing(self._rules, self._key, stands)) if stands else redacted
        self._gather(redacted.findings, shown, digests, standings, line)
        return shown.text

    def _gather(
        self,
        findings: Sequence[Finding],
        shown: Redacted,
        digests: Sequence[str],
        standings: Sequence[Standing],
        line: int | None,
    ) -> None:
        hidden = {(finding.line, finding.column) for finding in shown.findings}
        for finding, digest, standing in zip(findings, digests, standings, strict=True):
            is_hidden = (finding.line, finding.column) in hidden
            told = "open" if is_hidden and standing in _STANDS else standing  # what is hidden is never told as allowed
            place = (finding.line, finding.column) if line is None else (line, 1)
            self.found.append(CredentialFinding(RedactionRow(finding.rule, *place, finding.length, told), digest))

    def _standing(self, digest: str) -> Standing:
        if digest in self._everywhere:
            return "everywhere"
        if digest in self._decisions.allowed:
            return "allowed"
        return "done" if digest in self._decisions.done else "open"


@lru_cache(maxsize=8)
def _allowing(rules: Rules, key: bytes, digests: frozenset[str]) -> Rules:
    """The rules with values that stand; kept, since making them ready takes 14 ms."""
    return rules.with_digests(key, digests)


@dataclass(frozen=True, slots=True)
class PrepareContext:
    """What preparing depends on beside the note. Picklable if `count_many` is."""

    key: bytes  # for digests: the installation's, or a team's
    rules: Rules
    count_many: Callable[[list[str]], list[int]]  # tokens of texts, see `chunker.chunk_notes`
    max_tokens: int  # the model's window, without what its prefix for passages takes
    max_chunks: int = 20_000  # that are kept of one note
    tokenizer: str = ""  # names the tokenizer behind `count_many`; another one cuts differently
    everywhere: frozenset[str] = frozenset()  # keyed digests of values that the user lets stand in all notes
    fingerprint: str = field(init=False)  # changes whenever the same note would be prepared differently, by one key

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
    """A note that could not be prepared, and why; what was indexed of it stays where that passes."""

    vault: str
    path: str  # redacted
    code: FailureReason
    reason: str


@dataclass(frozen=True, slots=True)
class FlawedBundle(NoteBundle):
    """A note that is indexed, though a part of it could not be read."""

    flaw: FailureRow = field(kw_only=True)  # code broken-frontmatter or too-many-passages


Prepared: TypeAlias = list[NoteBundle | Skipped]
Preparing: TypeAlias = Callable[[Sequence[RawNote], PrepareContext], Prepared]


def prepare_many(raws: Sequence[RawNote], context: PrepareContext) -> Prepared:
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
    found: tuple[CredentialFinding, ...]
    left_out: int  # code points that only programs read


def _draft(raw: RawNote, context: PrepareContext) -> _Draft | Skipped:
    shown, secrets = redact_path(raw.path, context.rules)
    if secrets:
        return Skipped(raw.vault, shown, FailureReason.SECRET_IN_NAME, SECRET_IN_NAME_REASON)
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
        return Skipped(raw.vault, raw.path, FailureReason.OPTED_OUT, "The note says `scrubjay: false`.")
    return _Draft(raw, note, tuple(credentials.found), readable.left_out)


def find_credentials(raw: RawNote, context: PrepareContext) -> tuple[CredentialFinding, ...]:
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
        code = FailureReason.TOO_MANY_PASSAGES
        reason = (
            f"Only the first {context.max_chunks:,} of its {len(passages):,} passages are indexed. "
            "Split the note, or raise limits.chunks_per_note in settings.toml."
        )
    elif note.frontmatter_problem:
        code, reason = FailureReason.BROKEN_FRONTMATTER, note.frontmatter_problem
    else:
        return NoteBundle(row, chunks, note.links, redactions)
    flaw = FailureRow(raw.vault, raw.path, code, reason, raw.mtime_ns, raw.size, raw.changed_ns)
    return FlawedBundle(row, chunks, note.links, redactions, flaw=flaw)
