"""Whether a word that is searched by its stem stands in the notes as it was typed."""

from collections.abc import Sequence

from scrubjay.profiles.search.words.analysis import words
from scrubjay.profiles.search.words.evidence import Evidence, EvidenceReader, Term
from scrubjay.profiles.search.words.postings import CHUNK_FIELDS, NOTE_FIELDS, Field
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.statements import Connection, generation_of


def spells(connection: Connection, reader: EvidenceReader, word: str) -> bool:
    """Whether a word that is the same as a stem stands as it is, or as its plural, in a note of the store."""
    [evidence] = reader.read(connection, generation_of(connection), [Term(word)])
    texts = [
        f"{chunk.text} {' '.join(chunk.headings)}"
        for chunk in reads.chunks(connection, _ids(evidence, CHUNK_FIELDS)).values()
    ]
    notes = reads.notes(connection, _ids(evidence, NOTE_FIELDS), None).values()
    texts += [" ".join((note.title, note.path, *note.aliases, *note.tags)) for note in notes]
    spelt = {word, f"{word}s"}
    return any(spelt.intersection(words(text)) for text in texts)


def _ids(evidence: Evidence, fields: Sequence[Field]) -> list[int]:
    ids: set[int] = set()
    for postings in (each for field in fields for each in evidence.get(field, ())):
        ids.update(postings.ids.tolist())
    return sorted(ids)
