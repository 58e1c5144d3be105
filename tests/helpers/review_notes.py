"""Notes as finders get them, from their texts: redacted, parsed, cut and stored by the way that all notes take."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.links.link_graph import read_graph
from scrubjay.daemon.review.finder import Finder, FoundProposal
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.daemon.vault.read import RawNote, decode
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.note_texts import stored_notes
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store

VAULT_ID = "vault000"
VAULT = "Notes"
_KEY = bytes(32)
_LONGEST = 200


def _count(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


_CONTEXT = PrepareContext(_KEY, BUILT_IN, _count, _LONGEST)


def stored(folder: Path, texts: Mapping[str, str]) -> Store:
    """A new store in `folder` with a note of each text, by path. No note has a vector."""
    store = FileStore.open(folder / "index.sqlite3")
    put(store, texts)
    return store


def put(store: Store, texts: Mapping[str, str], vault: str = VAULT_ID, *, longest: int = _LONGEST) -> None:
    """Store notes, new ones or ones that have changed. longest: words of a passage."""
    raws = [_raw(path, text, vault) for path, text in texts.items()]
    with store.writing() as writer:
        for bundle in prepare_many(raws, replace(_CONTEXT, max_tokens=longest)):
            if isinstance(bundle, NoteBundle):
                writer.put_note(bundle)


def found_by(finder: Finder, folder: Path, texts: Mapping[str, str]) -> list[FoundProposal]:
    """What a finder finds among such notes."""
    store = stored(folder, texts)
    try:
        return list(finder.find(view_of(store)))
    finally:
        store.close()


def view_of(store: Store, inbox: str = "") -> ReviewNotes:
    """A store's notes as finders get them."""
    inboxes = {VAULT_ID: inbox} if inbox else {}
    graph = read_graph(store)
    return ReviewNotes(stored_notes(store), graph, {VAULT_ID: VAULT}, 0, store, inboxes)


def _raw(path: str, text: str, vault: str = VAULT_ID) -> RawNote:
    data = text.encode()
    return RawNote(vault, path, decode(data), len(data), 1, bytes_digest(data, _KEY))
