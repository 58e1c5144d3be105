"""One profile's database, in a file or on a server: one door to it. All else in here are functions on a connection."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from scrubjay.profiles.errors import StoreError, StoreReadOnly
from scrubjay.profiles.search.meaning import calibration, semantic_leg, vectors
from scrubjay.profiles.search.meaning.calibration import Calibration
from scrubjay.profiles.search.words import lexical_leg, vault_language, word_index
from scrubjay.profiles.search.words.evidence import LexicalQuery
from scrubjay.profiles.search.words.vault_language import LanguageOf
from scrubjay.profiles.search.words.vocabulary import NearTerm, Vocabulary
from scrubjay.profiles.store import reads, spellings
from scrubjay.profiles.store.columns import Ids, Matches
from scrubjay.profiles.store.filter_sql import LookedAt, passing_in_time
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.integrity import IntegrityProblem
from scrubjay.profiles.store.note_facts import SortKey
from scrubjay.profiles.store.ownership import Ownership
from scrubjay.profiles.store.rows import PendingChunk, SemanticCandidates, SemanticHit, StoreCounts, TermStats, Vector
from scrubjay.profiles.store.search_arrays import ArraySizes, SearchArrays
from scrubjay.profiles.store.snapshots import Snapshots
from scrubjay.profiles.store.statements import Asked, Connection, counted, generation_of
from scrubjay.profiles.store.writer import Writer

UNREADABLE = (ArithmeticError, LookupError, TypeError, ValueError, msgspec.MsgspecError)
"""What reading rows raises that are not what was written: no database notices damage within a value."""
SOON_READ = 20_000
"""Passages whose words are read in less than a tenth of a second."""
WORDS_SECONDS = 0.05
"""How long a search of more passages waits for the words that mistyped ones are near to, while they are read."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoreFile:
    """What another process of ours opens a store by, beside this one."""

    path: Path
    key: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """How a server that a store is on is used by this process."""

    connections: int  # that are open to it, in use or not
    waiting: int  # uses that wait for one
    answer_seconds: float | None  # that it took for the first answer to the last search, way included; None before one


class Store(Snapshots):
    """Thread-safe: any number of readers beside one writer. See `FileStore` and `TeamStore`, which open it."""

    _words_behind = 0
    """Generations that the words which mistyped ones are near to may be behind."""
    is_shared = False
    """Whether other machines have it, too: its vaults are then known by their names."""
    machine = ""
    """Whose rows are those that each machine keeps for itself; "" where no other has the store."""
    digest_scope = ""
    """Whose key the digests of its texts are made with: this installation's, or a team's."""

    file: StoreFile | None = None
    """What `FileStore.beside` opens; None for a store that is in no file."""

    def __init__(self, path: Path, arrays: SearchArrays) -> None:
        super().__init__()
        self.path = path  # where its file is, or would be: what errors name it by
        self._arrays = arrays
        self.damaged = False  # whether damage has been come upon since it was opened
        self.suspect = False  # whether something could not be read for a reason that only a `check` can tell
        self.away: StoreError | None = None  # why a team's server does not answer, or lets us in no more
        self.read_only: StoreReadOnly | None = None  # why `writing` takes nothing here: others keep it up to date
        self._is_cleared = False  # of that suspicion, by a check that found nothing
        self._derived: dict[Callable[[Connection], object], tuple[int, object]] = {}  # with the generation

    def close(self) -> None:
        """Close it, once readers and the writer are done. May be called twice."""
        self._let_go()
        self._derived.clear()

    @abstractmethod
    def writing(self, *, durable: bool = False) -> AbstractContextManager[Writer]:
        """One transaction: committed at the end of the block, undone by an exception. One at a time, others wait.

        durable: a power cut right after the block can't undo it either, for the price of waiting for the disk; what can
        be read from the vault again need not be.
        Raises StoreBusy when another process writes for longer than ten seconds, and what `read_only` says. Not to be
        nested.
        """

    @abstractmethod
    def inspecting(self) -> AbstractContextManager[Connection]:
        """As `reading`, on a fresh connection: FTS5's integrity check trusts what a used one has cached."""

    @abstractmethod
    def damage(self, connection: Connection) -> Iterable[IntegrityProblem]:
        """What makes all else not worth looking at: what can't be read, and rows that belong to nothing."""

    @abstractmethod
    def phrase_problems(self) -> Iterable[IntegrityProblem]:
        """What phrases are found by, against the rows of notes and chunks."""

    @abstractmethod
    def rebuild(self, connection: Connection) -> None:
        """Delete the rows that belong to nothing, and build anew what the database can build by itself."""

    @abstractmethod
    def _bytes_stored(self, connection: Connection) -> int: ...

    def server_figures(self) -> ServerFigures | None:
        """How its server is used; None where it is on none."""
        return None

    def release_memory(self) -> None:
        """Give up what makes searches quick and is there again in a moment: pages, the last postings, orders."""
        self._derived.clear()
        self._arrays.release_memory()

    def array_sizes(self) -> ArraySizes:
        """What is kept in RAM for searches takes now."""
        return self._arrays.sizes()

    def clear_suspicion(self) -> None:
        """Nothing is wrong with what is stored; whatever can't be read from now on is the program's fault."""
        self.suspect, self._is_cleared = False, True

    def told(self, *, damaged: bool, suspect: bool) -> None:
        """Take in what another process has come upon that reads it, too."""
        self.damaged = self.damaged or damaged
        self.suspect = self.suspect or (suspect and not self._is_cleared)

    def load_arrays(self, before_words: Callable[[], None] = lambda: None) -> None:
        """Have in RAM what searches need: 0.1 s for 10,000 chunks, nothing where it is there. From then on it is kept
        up to date with each transaction of this process.

        before_words: called when all is there but the words that mistyped ones are near to, half of the time.
        """
        with self.reading() as connection:
            self._arrays.load(connection)
            generation = generation_of(connection)
        before_words()
        self._arrays.words.load(self._read_words, generation - self._words_behind)

    def forget_arrays(self) -> None:
        """Build what is kept in RAM for search anew when it is next needed."""
        self._arrays.forget()

    # Reads

    def set_meta(self, name: str, value: str) -> None:
        """Keep a value under a name, in a transaction of its own."""
        with self.writing() as writer:
            writer.set_meta(name, value)

    def refresh_anchors(self, goes_on: Callable[[], bool]) -> None:
        """`Writer.refresh_anchors` for as long as notes wait for it; others can write in between."""
        while goes_on() and self.read(word_index.is_stale):
            with self.writing() as writer:
                writer.refresh_anchors()

    def merge_phrases(self, goes_on: Callable[[], bool]) -> None:
        """Take what went from the index of phrases off the disk, where it is only marked there as gone.

        In transactions of bounded size, for as long as `goes_on`: others can write in between. To be called once all is
        forgotten, moved or put that goes at once.
        """

    def refresh_language(self, vault: str, language_of: LanguageOf, goes_on: Callable[[], bool]) -> None:
        """`Writer.refresh_language` for as long as notes wait for it; others can write in between."""
        while goes_on() and self.read(vault_language.is_stale, vault, language_of):
            with self.writing() as writer:
                writer.refresh_language(vault, language_of)

    def derived(self, function: Callable[[Connection], T]) -> T:
        """As `read`, kept until something of notes or about them is written: not to be changed by who gets it.

        function: one of a module, by which what it gave is known again. It depends on no vector, and on nothing that a
        review found.
        """
        with self.reading(short=True) as connection:
            generation = self._arrays.notes_generation(connection)
        known = self._derived.get(function)
        if known is None or known[0] != generation:
            known = self._derived[function] = (generation, self.read(function))
        return cast("T", known[1])

    def counts(self) -> StoreCounts:
        """Sizes, for `status`."""
        with self.reading(short=True) as connection:
            sizes = self._arrays.remembered(connection, "counts", lambda: reads.counts(connection))
            return replace(sizes, bytes_on_disk=self._bytes_stored(connection))

    def note_digests(self, note_id: int) -> frozenset[bytes]:
        """The digests of a note's chunks; none for an unknown note."""
        with self.reading() as connection:
            current = self._arrays.columns(connection)
            return frozenset(current.digests_of(current.chunks_of(note_id)))

    def own_meta(self, name: str) -> str | None:
        """As `reads.meta`, of what concerns this machine alone, where several write."""
        return self.read(reads.meta, self._own(name))

    def set_own_meta(self, name: str, value: str) -> None:
        """As `set_meta`, likewise."""
        self.set_meta(self._own(name), value)

    def _own(self, name: str) -> str:
        return name

    @property
    def vault_names(self) -> Mapping[str, str]:
        """What the vaults are called that those who share it have brought, by id, as it was last read."""
        return {}

    def vault_name(self, vault: str, here: Mapping[str, str]) -> str:
        """What a vault is called: on this computer (here: by id), or by who brought it; its id where nobody told."""
        return here.get(vault) or self.vault_names.get(vault, vault)

    def name_vault(self, vault: str, name: str) -> None:
        """Tell those who share it what a vault of this computer is called. Raises StoreError."""

    def forget_vault_name(self, writer: Writer, vault: str) -> None:
        """Tell those who share it no more what a vault is called, if there is no note of it any more."""

    def ownership(self) -> Ownership:
        """Which of its notes this machine looks after, for one pass after the other."""
        return Ownership(self)

    def say_seen(self) -> None:
        """Tell the other machines that write here that this one lives, once a minute at most. Raises StoreError."""

    # Embeddings

    def pending_embeddings(self, model: str, limit: int) -> list[PendingChunk]:
        """The texts that `model` (its fingerprint) has not embedded, those of the newest notes first.

        A model other than the last one becomes the one in use: not to be called inside `writing()`. Where others write,
        too, it does so once: nothing waits for a model that another machine has changed since.
        """
        return self._with_model(model, lambda connection: vectors.pending(connection, limit), [])

    def pending_of_notes(self, model: str, paths: Collection[str], limit: int) -> list[PendingChunk]:
        """As `pending_embeddings`, of the notes at these paths, whichever vault they are in."""
        return self._with_model(
            model,
            lambda connection: vectors.pending_of_notes(connection, reads.ids_at(connection, paths), limit),
            [],
        )

    def pending_of_vault(self, model: str, vault: str, limit: int) -> list[PendingChunk]:
        """As `pending_embeddings`, of the notes of one vault. It looks at all of its passages."""
        return self._with_model(model, lambda connection: vectors.pending_of_vault(connection, vault, limit), [])

    def index_vectors(self, model: str, told: Callable[[int], bool]) -> None:
        """Have an index of a model's vectors where they are many; takes minutes. Call it when none is pending.

        told: is given every other second how many vectors are not in it yet; what is built is dropped where it says no.
        """

    def calibrate(self, model: str) -> None:
        """Measure what a model's similarities say, on its vectors, where they are many more than the last time.

        Not for the model that ranking was tuned with: where nothing was measured, similarities are taken as they are.
        """
        with self.reading() as connection:
            if not vectors.calibration_is_due(connection, model):
                return
        with self.writing() as writer:
            writer.calibrate(model)
            writer.changes.beside_notes = True

    def calibration(self, model: str) -> Calibration | None:
        """What was measured so; None before that."""
        with self.reading() as connection:
            return self._arrays.remembered(
                connection, f"calibration {model}", lambda: calibration.load(connection, model)
            )

    def embedded_count(self, model: str) -> int:
        """How many texts `model` has embedded, whether it is the one in use or not."""
        with self.reading() as connection:
            return self._arrays.embedded(connection, model)

    def pending_count(self, model: str) -> int:
        """How many texts `model` has not embedded. As `pending_embeddings`."""
        return self._with_model(model, self._arrays.pending, 0)

    # Search

    def languages(self) -> tuple[str, ...]:
        """The languages in which words of this store's notes are stemmed beside English, as far as many notes are."""
        with self.reading() as connection:
            return self._arrays.remembered(connection, "languages", lambda: reads.stemmed_languages(connection))

    def note_languages(self) -> Mapping[str, int]:
        """How many notes are in each language that is known, by its code."""
        with self.reading() as connection:
            return self._arrays.remembered(connection, "note languages", lambda: reads.note_languages(connection))

    def term_stats(self, terms: Sequence[str]) -> TermStats:
        """Document frequencies of `LexicalQuery.keys`, to be added up over several stores."""
        with self.reading() as connection:
            return lexical_leg.term_stats(connection, self._arrays.evidence, terms)

    def ahead_of(self, query: LexicalQuery) -> Sequence[Asked]:
        """What `term_stats` and `lexical` will probably read of this query, where that has a long way."""
        del query
        return ()

    def lately_stemmed(self) -> tuple[str, ...]:
        """As `languages`, as they were when that was last asked for; nothing is read."""
        return self._arrays.lately("languages", ())

    def lexical(
        self, query: LexicalQuery, *, where: NoteFilter | None, limit: int, stats: TermStats | None = None
    ) -> lexical_leg.LexicalCandidates:
        """What words find: the best `limit` chunks, best first, equal scores by id, and all matches.

        where: acts before anything is cut off. stats: document frequencies to score with, for hits that compare with
        other stores'; None: this store's own.
        """
        with self.reading() as connection:
            arrays = self._arrays
            return lexical_leg.search(
                connection, arrays.evidence, arrays.columns(connection), query, where, limit, stats
            )

    def passing_in_time(self, where: NoteFilter, is_over: Callable[[], bool], *, as_before: bool = False) -> LookedAt:
        """The notes that pass a filter that looks into their parts, as far as they are looked at until `is_over`.

        Goes on where the last search with this filter ended. as_before: does not, where there was one.
        """
        with self.reading() as connection:
            facts = self._arrays.facts(connection)
            before = facts.looked_at(where)
            if before is not None and as_before:
                return before
            found = passing_in_time(connection, where, is_over, before)
            facts.keep(where, found)
            return found

    def passing(self, where: NoteFilter) -> Matches:
        """All notes that pass, as matches of a query without words."""
        with self.reading() as connection:
            return lexical_leg.passing(connection, self._arrays.columns(connection), where)

    def sorted_notes(
        self, notes: Ids, by: SortKey, limit: int, *, descending: bool
    ) -> list[tuple[int | str | None, int]]:
        """The first `limit` of these notes in this order, as (what they are sorted by, note id); equal ones by path.

        Titles and paths compare without case and accents. Notes without a date of creation come last, as None.
        """
        with self.reading() as connection:
            facts = self._arrays.facts(connection)
            first = facts.sorted(connection, notes, by, descending=descending)[:limit]
            return reads.sort_keys(connection, first, by)

    def facet_counts(self, notes: Ids, facet: str) -> dict[str, int]:
        """How many of these notes have each value of `folder`, `tag`, `kind` or `property:NAME`, as filters count."""
        with self.reading() as connection:
            return self._arrays.facts(connection).counts(connection, notes, facet)

    def near_copies(self) -> Mapping[int, tuple[int, ...]]:
        """By note: those that are known to say nearly the same. Notes without any are left out."""
        with self.reading() as connection:
            return self._arrays.facts(connection).near_copies(connection)

    def modified(self, notes: Ids) -> Ids:
        """When each of these notes was modified, Unix nanoseconds, in no order; notes that are gone are left out."""
        with self.reading() as connection:
            return self._arrays.facts(connection).modified(connection, notes)

    def semantic(self, model: str, vector: Vector, *, where: NoteFilter | None, limit: int) -> list[SemanticHit]:
        """The nearest `limit` chunks by exact cosine distance, nearest first; `where` acts before the cut.

        model: the fingerprint whose vectors to compare with; none for a model that has embedded nothing here.
        """
        return list(self.nearest(model, vector, where=where, limit=limit).hits)

    def nearest(
        self,
        model: str,
        vector: Vector,
        *,
        where: NoteFilter | None,
        limit: int,
        also: Sequence[int] = (),
        store_count: int = 1,
    ) -> SemanticCandidates:
        """As `semantic`, with the vectors of the hits and of the chunks `also`, read in the same go.

        store_count: how many stores are searched together, and share the work.
        """
        with self.reading() as connection:
            return self._arrays.nearest(connection, model, vector, where, limit, also, store_count)

    def scan(self, model: str, vector: Vector, *, where: NoteFilter | None, limit: int) -> list[SemanticHit]:
        """As `semantic`, over every vector by sqlite-vec alone: slower, and certain."""
        with self.reading() as connection:
            current = self._arrays.columns(connection)
            allowed = semantic_leg.allowed_chunks(connection, current, where)
            return semantic_leg.scan(connection, current, model, vector, allowed, limit)

    def forms(self, term: str) -> Mapping[str, int]:
        """The words, folded, that an index term stands for in the first notes that have it, by how often they do."""
        with self.reading() as connection:
            languages = self._arrays.remembered(connection, "languages", lambda: reads.stemmed_languages(connection))
            return self._arrays.remembered(
                connection,
                f"forms of {term}",
                lambda: spellings.forms(connection, self._arrays.evidence, term, languages),
            )

    def near_terms(self, word: str, limit: int = 5, *, typed: str = "") -> list[NearTerm]:
        """Words of the store near to an analysed one (typos), itself left out: nearest, then most frequent first.

        typed: the word before it was stemmed; a typo in its ending is found by this alone. None for a moment after
        the file was opened, where the store is large: the words are being read.
        """
        return self._arrays.words.near(self._read_words, word, limit, typed=typed, patience=self._patience)

    def compounds(self, word: str, limit: int, languages: tuple[str, ...]) -> list[str]:
        """The commonest words of the store that are put together of an analysed one and another; as `near_terms`."""
        return self._arrays.words.compounds(self._read_words, word, limit, languages, patience=self._patience)

    def _patience(self) -> float | None:
        """How long to wait for the words that mistyped ones are near to; as long as it takes where that is not long."""
        with self.reading() as connection:
            return None if counted(connection, "chunks") <= SOON_READ else WORDS_SECONDS

    def _read_words(self) -> tuple[int, Vocabulary]:
        with self.reading() as connection:
            return generation_of(connection), Vocabulary(connection)

    def _with_model(self, model: str, read: Callable[[Connection], T], nothing: T) -> T:
        """What is read where `model` is the one in use, which it becomes if it is not; `nothing` where it may not."""
        with self.reading() as connection:
            if self._is_current(connection, model):
                return read(connection)
        self._use_model(model)
        with self.reading() as connection:
            return read(connection) if self._is_current(connection, model) else nothing

    def _is_current(self, connection: Connection, model: str) -> bool:
        """Whether a model is the one in use."""
        name = f"is current: {model}"
        return self._arrays.remembered(connection, name, lambda: vectors.is_current(connection, model))

    def _use_model(self, model: str) -> None:
        with self.writing() as writer:
            writer.use_model(model)
            writer.changes.beside_notes = True
