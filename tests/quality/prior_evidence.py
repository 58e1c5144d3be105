"""What collections know beside their texts: links between documents, dates, authors."""

import json
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scrubjay.daemon.graph.keeper import MeasuredGraph
from scrubjay.daemon.graph.link_graph import LinkGraph, NoteLinks, property_links
from scrubjay.daemon.graph.resolve import NoteName
from scrubjay.daemon.vault.parse import parse_note
from scrubjay.profiles.store.file_store import FileStore
from tests.quality.beir import Collection, Document
from tests.quality.index import Index

_SESSION_DATE = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Evidence:
    """An index, the graph of its notes, and the time at which its questions are asked."""

    index: Index
    graph: MeasuredGraph
    asked_at: datetime


def linked_vault(index: Index, vault: Path) -> Evidence:
    """The links of a vault on disk between the notes that the index holds at the same paths."""
    return Evidence(index, _measured(_vault_links(index, vault)), datetime.now(UTC))


def conversations(collection: Collection, index: Index) -> Evidence:
    """Turns linked with the turn that they answer, dated with their session, by their speaker. Changes a copy.

    A document's id is `conversation/Dsession:turn`, its title ends with the session's date, its text begins with the
    speaker's name.
    """
    path = index.store.path.with_name("dated.sqlite3")
    index.store.close()
    shutil.copyfile(index.store.path, path)
    path_of = {document: path for path, document in index.document_of.items()}
    rows: list[tuple[int, str, str]] = [
        (_ns(doc), json.dumps({"author": _speaker(doc)}), path_of[doc.id])
        for doc in collection.documents
        if doc.id in path_of
    ]
    connection = sqlite3.connect(path)
    with connection:
        connection.executemany("UPDATE note SET mtime_ns = ?, properties = ? WHERE path = ?", rows)
    connection.close()
    dated = Index(FileStore.open(path), index.document_of)
    last = max(_date(document) for document in collection.documents)
    return Evidence(dated, _measured(_answers(dated, collection.documents)), last)


def _vault_links(index: Index, vault: Path) -> Iterator[NoteLinks]:
    for note in index.store.recent():
        file = vault / note.path
        parsed = parse_note(file.read_text("utf-8", "replace"), note.path)
        targets = (*(link.target for link in parsed.links), *property_links(parsed.properties))
        yield NoteLinks(NoteName(note.note_id, note.vault, note.path, parsed.aliases), targets, parsed.tags)


def _answers(index: Index, documents: Iterable[Document]) -> Iterator[NoteLinks]:
    ids = {index.document_of[note.path]: note for note in index.store.recent()}
    before: Document | None = None
    for document in documents:
        note = ids[document.id]
        answered = before is not None and _session(before) == _session(document)
        targets = (f"/{ids[before.id].path}",) if before is not None and answered else ()
        yield NoteLinks(NoteName(note.note_id, note.vault, note.path), targets)
        before = document


def _measured(notes: Iterable[NoteLinks]) -> MeasuredGraph:
    return MeasuredGraph.of(LinkGraph(notes).frozen())


def _session(document: Document) -> str:
    return document.id.rpartition(":")[0]


def _speaker(document: Document) -> str:
    return f"{document.id.partition('/')[0]} {document.text.partition(':')[0]}"


def _date(document: Document) -> datetime:
    return datetime.strptime(document.title.split(" ", 2)[2], _SESSION_DATE).replace(tzinfo=UTC)


def _ns(document: Document) -> int:
    return int(_date(document).timestamp()) * 1_000_000_000
