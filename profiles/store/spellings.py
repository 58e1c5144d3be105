"""How the notes of a store spell what the index has as one term."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.evidence import Evidence, EvidenceReader, Term
from scrubjay.profiles.search.words.postings import CHUNK_FIELDS, NOTE_FIELDS, Field
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.statements import Connection, generation_of

_READ = 6  # passages, or notes where it stands in none; others seldom spell it in yet another way


def forms(connection: Connection, reader: EvidenceReader, term: str, languages: Sequence[str]) -> Mapping[str, int]:
    """The words that a term stands for in the first passages that have it, by how often they are there."""
    [evidence] = reader.read(connection, generation_of(connection), [Term(term)])
    passages = reads.chunks(connection, _ids(evidence, CHUNK_FIELDS)).values()
    texts = [f"{passage.text}\n{' '.join(passage.headings)}" for passage in passages]
    if not texts:
        notes = reads.notes(connection, _ids(evidence, NOTE_FIELDS), None).values()
        texts = [" ".join((note.title, note.path, *note.aliases, *note.tags)) for note in notes]
    return Counter(chain.from_iterable(analysis.forms(text, term, languages) for text in texts))


def _ids(evidence: Evidence, fields: Sequence[Field]) -> list[int]:
    ids: set[int] = set()
    for postings in (each for field in fields for each in evidence.get(field, ())):
        ids.update(postings.ids[:_READ].tolist())
    return sorted(ids)[:_READ]
