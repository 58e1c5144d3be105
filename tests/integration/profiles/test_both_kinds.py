"""A file and a server that are written the same say the same, bit for bit, to everybody who asks."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.profiles.store.columns import Columns
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.filters import AllOf
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.rows import LinkRow, NoteBundle, NoteMove, RedactionRow, Vector
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.writer import Writer
from scrubjay.profiles.team import search_arrays
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.search_arrays import from_server
from scrubjay.profiles.team.vault_names import VaultNames
from tests.helpers.everything_read import MODELS, everything
from tests.helpers.stores import another, team_store
from tests.helpers.team_server import TeamServer, fresh_database
from tests.integration.profiles.notes import bundle, digest, vector

PATHS = ("a.md", "A.md", "Work/a.md", "Work/Bäume 2026-03-14.md", "Work/deep/c.md", "scan.pdf")
TEXTS = (
    "a red apple tree stands here",
    "The trees are red, the apples ripe. getUserName",
    "使用数据库管理笔记 red",
    "Die Häuser und das Haus mit Datenbank",
    "red\ntree\n\n## tree\n\nred apple red apple red",
    "nothing of this",
    "",
)


Operation = Callable[[Writer], None]


@dataclass(frozen=True)
class Transaction:
    member: int  # which of the server's two members writes it
    operations: tuple[Operation, ...]


LINKS = st.builds(
    LinkRow,
    st.sampled_from(["a", "Work/a", "bäume 2026-03-14", "nowhere", "Alpha"]),
    st.sampled_from(["wiki", "markdown", "embed"]),
    st.integers(1, 9),
    text=st.sampled_from(["", "the apple", "unser Haus", "a"]),
)
REDACTIONS = st.builds(
    RedactionRow,
    st.sampled_from(["key", "token"]),
    st.integers(1, 3),
    st.just(1),
    st.just(9),
    st.sampled_from(["open", "done", "allowed"]),
)


@st.composite
def notes(draw: st.DrawFn) -> NoteBundle:
    path = draw(st.sampled_from(PATHS))
    made = bundle(
        path,
        *draw(st.lists(st.sampled_from(TEXTS), max_size=4)),
        title=draw(st.sampled_from(["Apple tree", "Haus", "tree", "库"])),
        headings=draw(st.sampled_from([(), ("Top",), ("Top", "red apple")])),
        tags=draw(st.sampled_from([(), ("red",), ("Red/Dark", "work"), ("RED", "red")])),
        aliases=draw(st.sampled_from([(), ("Alpha",), ("alpha", "Älpha")])),
        properties=draw(
            st.sampled_from([{}, {"status": "open", "rating": "5"}, {"Status": ("Open", "done"), "due": ""}])
        ),
        links=draw(st.lists(LINKS, max_size=3)),
        redactions=draw(st.lists(REDACTIONS, max_size=2)),
        mtime_ns=draw(st.integers(0, 9)),
        created_ns=draw(st.none() | st.integers(0, 9)),
        lang=draw(st.sampled_from(["", "de", "en"])),
        kind="pdf" if path.endswith("pdf") else "",
    )
    return replace(made, note=replace(made.note, fingerprint=draw(st.sampled_from(["f1", "f2"]))))


class _AbortedError(Exception):
    """What the transaction wrote until here is undone."""


def ids(writer: Writer) -> dict[str, int]:
    rows = writer.connection.execute("SELECT path, id FROM note").fetchall()
    return {str(path): int(note_id) for path, note_id in rows}


def put(note: NoteBundle, writer: Writer) -> None:
    writer.put_note(note)


def forget(paths: tuple[str, ...], writer: Writer) -> None:
    writer.forget_notes([known for path, known in ids(writer).items() if path in paths])


def move(path: str, to: str, mtime_ns: int, writer: Writer) -> None:
    known = ids(writer)
    if path in known and to not in known:
        writer.move_notes([NoteMove(known[path], to, mtime_ns)])


def touch(path: str, mtime_ns: int, writer: Writer) -> None:
    if (note_id := ids(writer).get(path)) is not None:
        writer.touch_note(note_id, mtime_ns, 7, mtime_ns)


def embed(model: str, most: int, writer: Writer) -> None:
    writer.use_model(model)
    sql = (
        "SELECT digest, unpacked(packed) FROM chunk WHERE digest IN"
        " (SELECT digest FROM pending_embedding ORDER BY mtime_ns DESC, digest LIMIT ?) ORDER BY digest, id"
    )
    texts: dict[bytes, str] = dict(writer.connection.execute(sql, (most,)).fetchall())
    vectors: list[Vector] = [vector(f"{model} {text}") for text in texts.values()]
    if texts:
        writer.put_embeddings(model, list(texts), np.stack(vectors))


def forget_models(but: str, writer: Writer) -> None:
    writer.use_model(but)
    writer.forget_other_models(but)


def refresh_anchors(writer: Writer) -> None:
    writer.refresh_anchors()


def abort(_: Writer) -> None:
    raise _AbortedError


TIMES = st.integers(0, 9)
OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    *[st.builds(partial, st.just(put), notes())] * 3,
    st.builds(
        partial, st.just(forget), st.lists(st.sampled_from(PATHS), min_size=1, max_size=3, unique=True).map(tuple)
    ),
    st.builds(partial, st.just(move), st.sampled_from(PATHS), st.sampled_from([*PATHS, "new/place.md"]), TIMES),
    st.builds(partial, st.just(touch), st.sampled_from(PATHS), TIMES),
    st.builds(partial, st.just(embed), st.sampled_from(MODELS), st.integers(1, 4)),
    st.builds(partial, st.just(embed), st.just(MODELS[0]), st.integers(1, 9)),
    st.builds(partial, st.just(forget_models), st.sampled_from(MODELS)),
    st.sampled_from([refresh_anchors, abort]),
)
HISTORIES = st.lists(
    st.builds(Transaction, st.integers(0, 1), st.lists(OPERATIONS, min_size=1, max_size=4).map(tuple)),
    min_size=2,
    max_size=6,
)


def run(store: Store, operations: Sequence[Operation]) -> None:
    with suppress(_AbortedError), store.writing() as writer:
        for operation in operations:
            operation(writer)


def compare_histories(server: TeamServer, history: Sequence[Transaction]) -> None:
    with TemporaryDirectory() as folder, fresh_database(server) as database, ExitStack() as stack:
        path = Path(folder) / "index.sqlite3"
        file: Store = FileStore.open(path)
        stack.callback(file.close)
        members = [team_store(path, database, name) for name in ("anna", "ben")]
        for member in members:
            stack.callback(member.close)
        known = [loaded(member) for member in members]
        for number, transaction in enumerate(history):
            run(file, transaction.operations)
            run(members[transaction.member], transaction.operations)
            said = everything(file)
            assert everything(members[number % 2]) == said
            assert everything(members[(number + 1) % 2]) == said
            if number % 2:  # some bring up to date what several transactions did
                known = [brought_up_to_date(member, before) for member, before in zip(members, known, strict=True)]
        fresh = another(members[0])
        stack.callback(fresh.close)
        assert everything(fresh) == everything(file)
        for member, before in zip(members, known, strict=True):
            brought_up_to_date(member, before)
        assert check(members[0], digest=digest) == check(file, digest=digest) == ()


def loaded(store: Store) -> Columns:
    with store.reading() as connection:
        return from_server(cast("ProfileConnection", connection))


def brought_up_to_date(store: Store, before: Columns) -> Columns:
    """The columns brought up to date, which are those loaded anew, and those of the store itself."""
    with store.reading() as connection:
        server = cast("ProfileConnection", connection)
        found, anew = search_arrays.brought_up_to_date(server, before, VaultNames(b"")), from_server(server)
    own = store.passing(AllOf(())).columns
    for each in (found, own):
        assert each.generation == anew.generation
        for name in ("note_of", "tokens", "digests", "first_chunk", "title_tokens"):
            one, other = getattr(each, name), getattr(anew, name)
            size = min(len(one), len(other))
            assert np.array_equal(one[:size], other[:size]), name
            assert not one[size:].any(), name
            assert not other[size:].any(), name
    return found


_A = partial(put, bundle("a.md", *TEXTS, tags=("red",), links=(LinkRow("Work/a", "wiki", 1, text="the apple"),)))
_A_AGAIN = partial(put, bundle("a.md", *TEXTS[3:], *TEXTS[:2]))
_MOVED = partial(move, "Work/a.md", "new/place.md", 8)
HISTORY = (
    Transaction(0, (_A,)),
    Transaction(1, (partial(put, bundle("Work/a.md", *TEXTS[:3])), refresh_anchors, partial(embed, "m", 9))),
    Transaction(0, (_A_AGAIN, _MOVED, abort)),
    Transaction(0, (_A_AGAIN, _MOVED)),
    Transaction(1, (partial(forget, ("a.md",)), partial(put, bundle("a.md", TEXTS[1])), partial(embed, "n", 3))),
    Transaction(
        1, (partial(embed, "n", 9), partial(forget_models, "n"), partial(forget, ("new/place.md",)), refresh_anchors)
    ),
)


def test_a_file_and_two_members_of_a_server_agree_after_each_step(team_server: TeamServer) -> None:
    compare_histories(team_server, HISTORY)


@pytest.mark.slow
def test_a_file_and_a_server_agree_where_it_begins_with_each_note_at_once(
    team_server: TeamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrubjay.profiles.store.writer._AT_ONCE", 1)
    monkeypatch.setattr("scrubjay.profiles.search.words.postings._BEGIN_AT", 0)
    compare_histories(team_server, HISTORY)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=False)
@given(st.lists(HISTORIES, min_size=2, max_size=4).map(lambda parts: [each for part in parts for each in part]))
def test_a_file_and_two_members_of_a_server_agree_after_long_histories(
    team_server: TeamServer, history: list[Transaction]
) -> None:
    compare_histories(team_server, history)
