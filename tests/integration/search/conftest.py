"""Real stores with a few notes, and a searcher over them."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

import pytest

from scrubjay.profiles.search.searcher import Circumstances, Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, NoteRow
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stores import NewStore

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)
VAULT = "0a1b2c3d"
NAMED = Circumstances(lambda _profiles: {VAULT: "Notes"})

MakeStore = Callable[..., Store]
Over = Callable[..., Searcher]


def note(path: str, *texts: str, title: str = "", tags: Sequence[str] = (), day: int = 1, lang: str = "") -> NoteBundle:
    """A note of some passages, modified on a day of March 2026."""
    row = NoteRow(
        vault=VAULT,
        path=path,
        title=title or path.rsplit("/", 1)[-1].removesuffix(".md"),
        mtime_ns=int(datetime(2026, 3, day, tzinfo=UTC).timestamp()) * 10**9,
        size=1,
        digest=_digest("".join(texts)),
        fingerprint="",
        tags=tuple(tags),
        lang=lang,
    )
    chunks = tuple(ChunkRow(_digest(text), text, (), line, line) for line, text in enumerate(texts, start=1))
    return NoteBundle(row, chunks)


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def fill(store: Store, bundles: Sequence[NoteBundle], encoder: HashEncoder, *, embedded: bool = True) -> Store:
    """Put notes into an empty store."""
    with store.writing() as writer:
        for bundle in bundles:
            writer.put_note(bundle)
    model = encoder.spec.fingerprint
    pending = store.pending_embeddings(model, 1000)
    if embedded and pending:
        with store.writing() as writer:
            vectors = encoder.embed_passages([chunk.text for chunk in pending])
            writer.put_embeddings(model, [chunk.digest for chunk in pending], vectors)
    return store


def paths(searcher: Searcher, query: str, **options: object) -> list[str]:
    return [result.path for result in searcher.search(SearchRequest(query, **options)).results]  # type: ignore[arg-type]


@pytest.fixture
def encoder() -> HashEncoder:
    return HashEncoder()


@pytest.fixture
def make_store(new_store: NewStore, encoder: HashEncoder) -> MakeStore:
    """Make a store of some notes, embedded unless said otherwise."""

    def make(*bundles: NoteBundle, embedded: bool = True) -> Store:
        return fill(new_store(), bundles, encoder, embedded=embedded)

    return make


@pytest.fixture
def searcher_over(encoder: HashEncoder) -> Iterator[Over]:
    """A searcher over stores by profile name."""
    made: list[Searcher] = []

    def over(**stores: Store) -> Searcher:
        made.append(Searcher(lambda: stores, encoder, circumstances=NAMED, clock=lambda: NOW))
        return made[-1]

    yield over
    for searcher in made:
        searcher.close()


@pytest.fixture(scope="module")
def over(new_module_store: NewStore) -> Iterator[Over]:
    """over(*notes) searches a profile p of these notes, over(home=notes, work=notes) several: made once for a module.

    Who takes it only reads.
    """
    made: dict[str, Searcher] = {}
    encoder = HashEncoder()

    def over(*notes: NoteBundle, embedded: bool = True, **profiles: Sequence[NoteBundle]) -> Searcher:
        key = repr((notes, embedded, profiles))
        if key not in made:
            stores = {
                name: fill(new_module_store(), bundles, encoder, embedded=embedded)
                for name, bundles in (profiles or {"p": notes}).items()
            }
            made[key] = Searcher(lambda: stores, encoder, circumstances=NAMED, clock=lambda: NOW)
        return made[key]

    yield over
    for searcher in made.values():
        searcher.close()
