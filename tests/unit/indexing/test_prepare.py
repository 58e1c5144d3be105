"""From raw notes to what is stored: nothing passes that the filter hides, and nothing else is lost."""

import base64
import pickle
import random
import re
import string
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.prepare import FlawedBundle, PrepareContext, Skipped, prepare_many
from scrubjay.daemon.vault.markdown.payloads import LONGEST_RUN
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle

TOKEN = "ghp" + "_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))
KEY = b"k" * 32


def count_many(texts: list[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


CONTEXT = PrepareContext(KEY, BUILT_IN, count_many, 100)


def raw(text: str, path: str = "Folder/Note.md") -> RawNote:
    return RawNote("0a1b2c3d", path, text, len(text.encode()), 1_700_000_000_000_000_000, b"digest")


def prepare(text: str, path: str = "Folder/Note.md") -> NoteBundle:
    bundle = prepare_many([raw(text, path)], CONTEXT)[0]
    assert isinstance(bundle, NoteBundle)
    return bundle


def test_a_note_becomes_rows() -> None:
    text = "---\naliases: [Other]\ncreated: 2024-03-05T00:00:00Z\nlang: en\n---\nHello #tag [[Link|x]]\n"
    bundle = prepare(text)
    assert bundle.chunks == (ChunkRow(text_digest("Hello #tag [[Link|x]]", KEY), "Hello #tag [[Link|x]]", (), 6, 6),)
    note = bundle.note
    assert (note.vault, note.path, note.title, note.size) == ("0a1b2c3d", "Folder/Note.md", "Note", len(text))
    assert (note.mtime_ns, note.digest, note.fingerprint) == (1_700_000_000_000_000_000, b"digest", CONTEXT.fingerprint)
    assert (note.aliases, note.tags, note.lang) == (("Other",), ("tag",), "en")
    assert note.created_ns == 1_709_596_800_000_000_000
    assert note.properties["aliases"] == ("Other",)
    assert [(link.target, link.line) for link in bundle.links] == [("Link", 6)]
    assert bundle.redactions == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"The key is {TOKEN}.", id="prose"),
        pytest.param(
            f"---\ntitle: {TOKEN}\naliases: ['{TOKEN}']\ntags: [{TOKEN}]\nkey: {TOKEN}\n---\n", id="frontmatter"
        ),
        pytest.param(f"# {TOKEN}\n## **{TOKEN}**\n", id="headings"),
        pytest.param(f"[[{TOKEN}]] [[a|{TOKEN}]] [[a#{TOKEN}]] ![[{TOKEN}.png]]", id="wikilinks"),
        pytest.param(f"[{TOKEN}](b.md) [a]({TOKEN}.md) [a](b.md#{TOKEN})", id="markdown-links"),
        pytest.param(f"[a]({TOKEN[:9]}%{ord(TOKEN[9]):x}{TOKEN[10:]}.md)", id="percent-sign-in-a-link"),
        pytest.param(f'---\ntitle: "{TOKEN[:9]}\\x{ord(TOKEN[9]):x}{TOKEN[10:]}"\n---\n', id="escape-in-yaml"),
        pytest.param(f"#{TOKEN}", id="tag"),
        pytest.param(f"```\n{TOKEN}\n```\n| a |\n|---|\n| {TOKEN} |\n", id="fence-and-table"),
        pytest.param(f"{'word ' * 95}{TOKEN}{' word' * 95}", id="at-the-edge-of-a-passage"),
    ],
)
def test_no_credential_passes(text: str) -> None:
    bundle = prepare(text)
    assert TOKEN not in repr(bundle)
    assert {row.rule for row in bundle.redactions} != set()
    assert all(row.line <= text.count("\n") + 1 for row in bundle.redactions)


def drawing(secret: str = "") -> str:
    """An Excalidraw note of some 40 kB, as the plugin writes it."""
    noise = base64.b64encode(random.Random(5).randbytes(30_000)).decode()
    scene = "\n\n".join(noise[at : at + 256] for at in range(0, len(noise), 256))
    texts = "Where the jay hides acorns ^Ab3dE6gH\n\nThe old oak ^Zy9xW7vU\n"
    return (
        "---\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n---\n# Excalidraw Data\n\n## Text Elements\n"
        f"{texts}\n%%\n## Drawing\n```compressed-json\n{scene}\n{secret}\n```\n%%\n"
    )


def test_of_a_drawing_its_texts_are_indexed_and_its_data_is_not() -> None:
    bundle = prepare(drawing())
    (passage,) = bundle.chunks
    assert "Where the jay hides acorns" in passage.text
    assert max(map(len, passage.text.split())) <= LONGEST_RUN
    assert bundle.note.payload > 39_000
    assert prepare("Nothing but words").note.payload == 0
    assert [row.line for row in prepare(drawing(f"token: {TOKEN}")).redactions] == [drawing().count("\n") - 2]


@pytest.mark.parametrize("path", [f"{TOKEN}.md", f"Keys/{TOKEN}/Note.md", f"My {TOKEN} key.md"])
def test_a_note_with_a_credential_in_its_name_is_skipped(path: str) -> None:
    skipped = prepare_many([raw("Harmless", path)], CONTEXT)[0]
    assert isinstance(skipped, Skipped)
    assert (skipped.code, TOKEN in repr(skipped), skipped.path.endswith(".md")) == ("secret-in-name", False, True)


def test_a_note_with_broken_frontmatter_is_prepared_and_its_flaw_named() -> None:
    bundle = prepare("---\na: [\n---\nbody", "a.md")
    assert isinstance(bundle, FlawedBundle)
    assert [chunk.text for chunk in bundle.chunks] == ["body"]
    assert (bundle.flaw.path, bundle.flaw.code, bundle.flaw.size) == ("a.md", "broken-frontmatter", bundle.note.size)


def test_results_come_in_the_order_of_the_notes() -> None:
    raws = [raw("one", "1.md"), raw("---\nscrubjay: no\n---\n", "2.md"), raw("x", f"{TOKEN}.md"), raw("four", "4.md")]
    kinds = [type(result) for result in prepare_many(raws, CONTEXT)]
    assert kinds == [NoteBundle, Skipped, Skipped, NoteBundle]
    assert prepare_many([], CONTEXT) == []


@settings(deadline=None)
@given(st.lists(st.text(max_size=200), max_size=4))
def test_a_note_is_prepared_the_same_in_any_company_and_any_process(texts: list[str]) -> None:
    raws = [raw(text, f"{number}.md") for number, text in enumerate(texts)]
    together = prepare_many(raws, CONTEXT)
    alone = [prepare_many([each], CONTEXT)[0] for each in raws]
    sent, context = pickle.loads(pickle.dumps((raws, CONTEXT)))
    assert together == alone == pickle.loads(pickle.dumps(prepare_many(sent, context)))


@pytest.mark.parametrize(
    "other",
    [
        replace(CONTEXT, max_tokens=200),
        replace(CONTEXT, tokenizer="another"),
        replace(CONTEXT, rules=BUILT_IN.with_allow([TOKEN])),
    ],
    ids=["window", "tokenizer", "rules"],
)
def test_the_fingerprint_tells_what_preparing_depends_on(other: PrepareContext) -> None:
    assert other.fingerprint != CONTEXT.fingerprint
    assert replace(CONTEXT, key=b"o" * 32).fingerprint == CONTEXT.fingerprint
