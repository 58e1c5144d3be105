"""What can stand in names, texts and questions, on both kinds of store."""

import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.search.words.analysis import MAX_TERM_LENGTH, terms
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.filters import FileHas, HasProperty, HasTag, HasText, ModifiedBetween, NoteFilter, PathHas
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.rows import FailureRow, LinkRow, NoteMove
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import VAULT, bundle, digest

LAST = 2**63 - 1
ODD = {
    "quotes": "it's \"quoted\" ''twice'' `so`",
    "backslashes": r"C:\new\table \\ \' \" \0 \x41 ends with \ ",
    "marks": "100% of $1 and ?1, :name, ::text, {0} %s %(a)s @> -- no comment /* nor this */ ;",
    "control": "a\x01b\x02\x1f\x7f\x85 tab\there\vand\fthere\u2028\u2029",
    "right-to-left": "\u202eshalom \u05e9\u05dc\u05d5\u05dd\u202c \u200f\u0627\u0644\u0643\u062a\u0627\u0628",
    "joined": "\U0001f469\u200d\U0001f469\u200d\U0001f467 e\u0301\u0323 \u1100\u1161\u11a8 \ufeffbom \u00adsoft",
    "planes": "".join(f" x{chr(plane * 0x10000 + 0x41F)}y" for plane in range(17)),
    "unassigned": "\ufdd0 \uffff \U0001fffe \U0010ffff \ue000 \U000f0000",
    "scripts": "Straße İstanbul ΣΊΣΥΦΟΣ ǆ 数据库 ひらがな ไทย हिन्दी ﬁn Å",
    "nothing": "  \t\u00a0\u3000",
}


def test_odd_texts_come_back_and_are_found(store: Store) -> None:
    for text in ODD.values():
        is_kept_and_found(store, text)


def is_kept_and_found(store: Store, text: str) -> None:
    """Put a note that is made of a text, find it by all of it, move it, and forget it again."""
    name = text.replace("/", "_").strip() or "blank"
    note = bundle(
        f"{name}/{name}.md",
        text,
        title=text,
        headings=(text,),
        tags=(text, "plain"),
        aliases=(text,),
        properties={text: text, "other": (text, "")},
        links=[LinkRow(text, "wiki", 1, text, text, text)],
    )
    with store.writing() as writer:
        note_id = writer.put_note(note)
        writer.put_failure(FailureRow(VAULT, f"{name}.pdf", "odd", text))
        writer.refresh_anchors()
    [view] = store.read(reads.note_chunks, note_id)
    assert (view.text, view.headings, view.title, view.tags) == (text, (text,), text, (text, "plain"))
    assert store.read(reads.links_of, note_id) == note.links
    found = store.read(reads.note_by_path, VAULT, note.note.path)
    assert found is not None
    assert (found.aliases, found.properties) == ((text,), note.note.properties)
    assert store.read(reads.failures)[0].reason == text
    assert store.read(reads.known_notes, VAULT, [name]).keys() == {note.note.path}
    words = tuple(term for term in terms(text) if 0 < len(term) <= MAX_TERM_LENGTH)
    filters: list[NoteFilter] = [HasTag(text), PathHas(name), FileHas(name), HasText(text), HasProperty("other", text)]
    if "*" not in name and "?" not in name:  # which stand for others in a path
        assert [len(store.read(reads.recent, 5, where)) for where in filters] == [1] * len(filters)
    for word in words[:30]:
        assert len(store.lexical(LexicalQuery((Term(word),)), where=None, limit=5).hits) == 1, word
    if words:
        assert len(store.lexical(LexicalQuery((TypedPhrase(text),)), where=None, limit=5).hits) == 1
    store.near_terms(text)
    store.forms(text)
    with store.writing() as writer:
        writer.move_notes([NoteMove(note_id, f"moved/{name}.md", 1)])
    assert check(store, digest=digest) == ()
    with store.writing() as writer:
        writer.forget_notes([note_id])
        writer.clear_failure(VAULT, f"{name}.pdf")


def test_no_question_breaks_a_search(store: Store) -> None:
    with store.writing() as writer:
        writer.put_note(bundle("a.md", "a plain text", tags=("plain",)))
    for asked in (*ODD.values(), "\0", "a\0b", "%", "_", "'", '"', "\\", "*" * 50, "?[", "[[]"):
        filters: tuple[NoteFilter, ...] = (
            *(HasTag(asked), PathHas(asked), FileHas(asked), HasText(asked)),
            *(HasProperty(asked), HasProperty("a", asked), HasProperty("a", asked, "<=")),
        )
        for where in filters:
            store.read(reads.recent, 5, where)
        query = LexicalQuery(
            (Term("plain"), TypedPhrase(asked)), must_not=(TypedPhrase(f"{asked} nowhere"),), name=asked
        )
        assert len(store.lexical(query, where=None, limit=5).hits) == 1, asked
        assert store.read(reads.known_notes, VAULT, [asked]) == {}
        store.near_terms(asked)
        store.read(reads.newest_named, asked, 3)


def test_a_character_of_number_zero_is_no_obstacle(store: Store, store_kind: str) -> None:
    """YAML can name it in a property; texts never have it."""
    shown = "a\0b" if store_kind == "file" else "a\ufffdb"
    with store.writing() as writer:
        note_id = writer.put_note(
            bundle("z.md", "text", title="a\0b", tags=("a\0b",), properties={"a\0b": "a\0b"}, aliases=("a\0b",))
        )
        writer.refresh_anchors()
    [view] = store.read(reads.note_chunks, note_id)
    assert (view.title, view.tags, view.aliases) == (shown, ("a\0b",), ("a\0b",))
    assert (
        len(store.read(reads.recent, 5, HasTag("a\0b")))
        == len(store.read(reads.recent, 5, HasProperty("a\0b", "a\0b")))
        == 1
    )
    assert check(store, digest=digest) == ()


def test_numbers_at_the_edge_are_kept(store: Store) -> None:
    for number in (-(2**63), -1, 0, LAST):
        with store.writing() as writer:
            note_id = writer.put_note(bundle("a.md", "text", mtime_ns=number, created_ns=number))
            writer.put_note(bundle("b.pdf", "other text", mtime_ns=number, kind="pdf"))
            writer.touch_note(note_id, number, LAST, number)
        found = store.read(reads.note_by_path, VAULT, "a.md")
        assert found is not None
        assert (found.mtime_ns, found.created_ns) == (number, number)
        assert store.read(reads.known_notes, VAULT)["a.md"].changed_ns == number
        since = [note.path for note in store.read(reads.recent, 5, ModifiedBetween(number, None))]
        assert since == ["a.md", "b.pdf"] or number > 0
        assert {text.text for text in store.pending_embeddings("m", 5)} == {"text", "other text"}
        assert [(times.mtime_ns, times.created_ns) for times in store.read(reads.note_times)] == [(number, number)]


def test_names_of_four_thousand_characters(store: Store) -> None:
    parts = "/".join("unterverzeichnis" + "x" * 183 for _ in range(19))
    path, moved = f"{parts}/{'z' * 195}.md", f"moved/{parts}/{'ü' * 190}.md"
    with store.writing() as writer:
        note_id = writer.put_note(bundle(path, "text", tags=("t" * 4_000,), aliases=("n" * 4_000,)))
    assert len(path) > 3_900
    with store.writing() as writer:
        writer.move_notes([NoteMove(note_id, moved, 1)])
    assert list(store.read(reads.known_notes, VAULT)) == [moved]
    assert store.read(reads.folders)["moved"] == 1
    assert len(store.read(reads.recent, 5, HasTag("T" * 4_000))) == 1
    assert check(store) == ()


@pytest.mark.slow
def test_a_note_of_two_megabytes_in_one_passage(store: Store) -> None:
    text = " ".join(f"word{number}" for number in range(195_000)) + " last zebra crossing"
    assert len(text) > 1_900_000
    with store.writing() as writer:
        note_id = writer.put_note(bundle("a.md", text))
    assert store.read(reads.note_chunks, note_id)[0].text == text
    for found, phrase in (
        (1, "zebra crossing"),
        (0, "crossing zebra"),
        (1, "word99999 word100000"),
        (0, "word9 word11"),
    ):
        assert len(store.lexical(LexicalQuery((TypedPhrase(phrase),)), where=None, limit=5).hits) == found, phrase
    with store.writing() as writer:
        writer.put_note(bundle("a.md", "short"))
    assert store.lexical(LexicalQuery((Term("zebra"),)), where=None, limit=5).hits == []
    assert check(store, digest=digest) == ()


def test_phrases_far_into_a_passage_and_of_its_commonest_words(store: Store) -> None:
    words = [f"w{number % 97}" if number % 2 else "same" for number in range(20_000)]
    with store.writing() as writer:
        writer.put_note(bundle("a.md", " ".join([*words, "the very end"]), headings=(" ".join(words), "in headings")))
        writer.put_note(bundle("b.md", "b", title="x" * 3_000 + " title", tags=tuple(f"tag {n}" for n in range(9_000))))
    for found, phrase in (
        *(
            (1, "very end"),
            (0, "end very"),
            (1, "same w3 same"),
            (1, "w95 same w0"),
            (0, "w95 same w2"),
            (1, "in headings"),
        ),
        *((1, f"{'x' * 3_000} title"), (0, f"{'y' * 3_000} title"), (1, "tag 8999"), (0, "8999 tag")),
    ):
        assert len(store.read(reads.recent, 5, HasText(phrase))) == found, phrase[-30:]
    assert check(store, digest=digest) == ()


@pytest.mark.slow
def test_a_hundred_thousand_tags(store: Store) -> None:
    tags = tuple(f"tag/{number}" for number in range(100_000))
    with store.writing() as writer:
        note_id = writer.put_note(bundle("a.md", "text", tags=tags))
    assert len(store.read(reads.tags)) == 100_000
    assert len(store.read(reads.recent, 5, HasTag("tag/77777"))) == 1
    assert len(store.read(reads.recent, 5, HasText("tag 99999"))) == 1
    with store.writing() as writer:
        writer.forget_notes([note_id])
    assert store.read(reads.tags) == {}
    assert check(store) == ()


def test_half_a_character_that_is_asked_for_says_nothing_of_what_is_stored(file_store: Store) -> None:
    with file_store.writing() as writer:
        writer.put_note(bundle("a.md", "a plain text"))
    with pytest.raises(StoreError, match="half a character"):
        file_store.read(reads.note_by_path, VAULT, "\ud800.md")
    assert not file_store.suspect
    assert file_store.read(reads.note_by_path, VAULT, "a.md")
