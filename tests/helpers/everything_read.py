"""All that a store of notes says of itself, with paths in place of ids: two stores of one history say the same."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import msgspec
import numpy as np

from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.search.words.note_parts import PartCondition
from scrubjay.profiles.store import near_copies, reads, review_answers
from scrubjay.profiles.store.filters import (
    AllOf,
    AnyOf,
    CreatedBetween,
    FileHas,
    HasKind,
    HasLang,
    HasPart,
    HasProperty,
    HasTag,
    HasText,
    ModifiedBetween,
    Not,
    NoteFilter,
    PathHas,
)
from scrubjay.profiles.store.rows import KnownNote
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import vector

MODELS = ("m", "n")
ORDERS: tuple[Literal["modified", "created", "title", "path"], ...] = ("modified", "created", "title", "path")
FACETS = ("folder", "tag", "kind", "property:status", "property:rating")
FILTERS: tuple[NoteFilter | None, ...] = (
    None,
    PathHas("work/"),
    FileHas("a*"),
    HasTag("Red"),
    Not(HasTag("red/dark")),
    HasProperty("status", "open"),
    HasProperty("rating", "5", ">="),
    HasLang("de"),
    HasKind("pdf"),
    HasText("red apple"),
    HasText("数据"),
    HasPart("line", PartCondition(("red", "tree"))),
    Not(HasPart("section", PartCondition((), ("t.ee",)))),
    AllOf((ModifiedBetween(2, 7), AnyOf((CreatedBetween(3, None), HasText("haus"))))),
)
QUERIES = (
    LexicalQuery((Term("red"), Term("appl"))),
    LexicalQuery((Term("tree", prefix=True), Term("haus", others=("haeus",)))),
    LexicalQuery((Term("appl"),), must=(TypedPhrase("red apple"),)),
    LexicalQuery((Term("red"),), must_not=(TypedPhrase("tree"),)),
    LexicalQuery((TypedPhrase("数据库"), TypedPhrase("库"), Term("t", prefix=True)), name="tree"),
)
WORDS = ("aple", "haus", "tre", "datenbnk", "red")


def everything(store: Store) -> dict[str, object]:
    """What the reads of a store and its searches say, by what was asked."""
    notes = {note.note_id: (note.vault, note.path) for note in store.read(reads.recent, 10_000)}
    files = {
        known.id: (vault, path)
        for vault in store.read(reads.vaults)
        for path, known in store.read(reads.known_notes, vault, files=True).items()
    }
    names = notes | files
    views = {view.chunk_id: view for note in names for view in store.read(reads.note_chunks, note)}
    places = {chunk: (names[view.note_id], view.position) for chunk, view in views.items()}
    ids = np.array(sorted(names), np.int64)

    by_id: tuple[tuple[str, Mapping[Any, object]], ...] = (("note_id", names), ("id", names), ("chunk_id", places))

    def of(rows: Iterable[object]) -> list[object]:
        """Rows with the places of their notes and chunks."""
        found: list[object] = []
        for row in rows:
            values = dict[str, Any](_values(row))
            for name, known in by_id:
                if name in values:
                    values[name] = known[values[name]]
            found.append(values)
        return found

    said: dict[str, object] = {
        "meta": [store.read(reads.meta, name) for name in ("generation", "chunks", "tokens", "embedding_model")],
        "notes": of(store.read(reads.recent, 10_000)),
        "recent": [of(store.read(reads.recent, 3, where)) for where in FILTERS],
        "known": {vault: of(_by_path(store.read(reads.known_notes, vault))) for vault in store.read(reads.vaults)},
        "files": {
            vault: of(_by_path(store.read(reads.known_notes, vault, files=True))) for vault in store.read(reads.vaults)
        },
        "below": [
            of(_by_path(store.read(reads.known_notes, vault, ["work", "A.md"]))) for vault in store.read(reads.vaults)
        ],
        "kinds": store.read(reads.kind_counts),
        "languages": (store.languages(), store.read(reads.passage_languages)),
        "samples": [len(store.read(reads.sample_texts, language, 3)) for language in ("", "de", "en")],
        "failures": store.read(reads.failures),
        "redactions": [_values(row) for row in store.read(reads.redactions)],
        "chunks": of(views.values()),
        "by digest": [of(store.read(reads.chunks_by_digest, view.digest[:2])) for view in views.values()],
        "digests": {names[note]: store.note_digests(note) for note in names},
        "paths": {places[chunk]: path for chunk, path in store.read(reads.paths_of, list(views)).items()},
        "views": of(store.read(reads.chunks, list(views)).values()),
        "times": sorted(map(str, of(store.read(reads.note_times)))),
        "first": {names[note]: of((view,)) for note, view in store.read(reads.first_chunks, list(names)).items()},
        "newest": store.read(reads.newest_named, "a", 5),
        "targets": {names[note]: targets for note, targets in store.read(reads.link_targets).items()},
        "links": {names[note]: store.read(reads.links_of, note) for note in names},
        "tags": store.read(reads.tags),
        "folders": store.read(reads.folders),
        "properties": store.read(reads.properties),
        "counts": replace(store.counts(), bytes_on_disk=0),
        "answers": [_values(row) for row in review_answers.answers(store)],
        "near": [(names[pair.note_id], names[pair.other_id], pair.likeness) for pair in near_copies.near_copies(store)],
        "near by note": {
            names[note]: [names[other] for other in others] for note, others in store.near_copies().items()
        },
        "stale": sorted(names[note] for note in near_copies.stale_sketches(store, all_notes=False)),
        "sorted": {
            (by, descending): [
                (key, names[note]) for key, note in store.sorted_notes(ids, by, 100, descending=descending)
            ]
            for by, descending in product(ORDERS, (False, True))
        },
        "facets": {facet: store.facet_counts(ids, facet) for facet in FACETS},
        "modified": sorted(store.modified(ids).tolist()),
        "typos": {word: [_values(near) for near in store.near_terms(word)] for word in WORDS},
        "compounds": {word: store.compounds(word, 5, ()) for word in WORDS},
        "forms": {word: dict(store.forms(word)) for word in WORDS},
        "passing": [sorted(map(str, (names[n] for n in store.passing(f).notes().tolist()))) for f in FILTERS if f],
    }
    for number, query in enumerate(QUERIES):
        said[f"statistics {number}"] = _values(store.term_stats(query.keys))
    for (number, query), (place, where) in product(enumerate(QUERIES), enumerate(FILTERS)):
        found = store.lexical(query, where=where, limit=5)
        matches = found.matches
        said[f"lexical {number}, {place}"] = (
            of(found.hits),
            [(places[chunk], float(matches.scores[chunk])) for chunk in matches.all_passages().tolist()],
            [names[note] for note in matches.notes().tolist()],
        )
    for model in MODELS:
        for place, where in enumerate(FILTERS):
            near = store.nearest(model, vector("red apple"), where=where, limit=4, also=list(views)[:2])
            said[f"semantic {model}, {place}"] = (
                of(near.hits),
                [(places[chunk], distance) for chunk, distance in zip(near.further, near.distances, strict=True)],
                {digest: known.tolist() for digest, known in near.vectors.items()},
            )
            if place < 2:
                said[f"scan {model}, {place}"] = of(store.scan(model, vector("red apple"), where=where, limit=50))
    return said


def _by_path(known: Mapping[str, KnownNote]) -> list[KnownNote]:
    return [known[path] for path in sorted(known)]


def _values(row: object) -> dict[str, object]:
    fields: Mapping[str, object] = getattr(type(row), "__dataclass_fields__", {})
    if fields:
        return {name: getattr(row, name) for name in fields}
    if isinstance(row, msgspec.Struct):
        return dict(msgspec.structs.asdict(row))
    return dict(enumerate(row)) if isinstance(row, tuple) else {"value": row}  # type: ignore[arg-type]
