"""A folder of notes as a store, by the way that notes take: redacted, parsed, cut, indexed and, if wanted, embedded."""

from pathlib import Path

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.model_input import embedding_input
from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.vault.language import language_of
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store

VAULT_ID = "sample00"
_KEY = bytes(32)
_BATCH = 256


def index_vault(store: Store, vault: Path, embedder: Embedder | None = None) -> None:
    """Put every note below `vault` into an empty store. embedder: None leaves them to be found by words alone."""
    spec = BUNDLED if embedder is None else embedder.spec
    context = PrepareContext(_KEY, BUILT_IN, TokenCounter(spec).count_many, spec.max_tokens)
    notes = [_raw(path, vault) for path in sorted(vault.rglob("*.md"))]
    for start in range(0, len(notes), _BATCH):
        with store.writing() as writer:
            for bundle in prepare_many(notes[start : start + _BATCH], context):
                if isinstance(bundle, NoteBundle):
                    writer.put_note(bundle)
    with store.writing() as writer:
        writer.refresh_anchors()
    store.refresh_language(VAULT_ID, language_of, lambda: True)
    while embedder is not None and (pending := store.pending_embeddings(spec.fingerprint, _BATCH)):
        vectors = embedder.embed_passages(
            [embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in pending]
        )
        with store.writing() as writer:
            writer.put_embeddings(spec.fingerprint, [chunk.digest for chunk in pending], vectors)
    if not spec.is_usual:
        store.calibrate(spec.fingerprint)


def _raw(path: Path, vault: Path) -> RawNote:
    data = path.read_bytes()
    text = data.decode("utf-8", "replace")
    mtime_ns = path.stat().st_mtime_ns
    return RawNote(VAULT_ID, path.relative_to(vault).as_posix(), text, len(data), mtime_ns, bytes_digest(data, _KEY))
