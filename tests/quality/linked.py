"""Labels that a vault's own links are: what stands around a link, the link taken out, is to find the linked note.

Whoever linked has judged, in whatever language the vault is. The note that a paragraph stands in counts as no answer.
"""

from hashlib import blake2b
from pathlib import Path

from scrubjay.daemon.links.linked_paragraphs import LinkedParagraph, linked_paragraphs
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store
from tests.quality.beir import Collection, LabelledQuery
from tests.quality.index import Index

MOST = 300  # questions of a vault


def linked(vault: str, store: Store) -> tuple[Collection, Index]:
    """A vault's paragraphs around links as a collection, one a linked note, drawn by their text alone."""
    by_note: dict[str, LinkedParagraph] = {}
    for paragraph in sorted(linked_paragraphs(store), key=_chance):
        by_note.setdefault(paragraph.linked, paragraph)
    drawn = sorted(by_note.values(), key=_chance)[:MOST]
    queries = tuple(
        LabelledQuery(str(number), each.text, {each.linked: 1.0}, (), within=each.within)
        for number, each in enumerate(drawn)
    )
    documents = {note.path: note.path for note in store.read(reads.recent)}
    return Collection(f"{vault}, links", Path(vault), (), queries), Index(store, documents)


def _chance(paragraph: LinkedParagraph) -> bytes:
    return blake2b(paragraph.text.encode("utf-8", "replace"), digest_size=8).digest()
