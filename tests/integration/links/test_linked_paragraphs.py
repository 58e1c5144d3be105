"""What notes say around their links, through the real preparing of notes."""

from pathlib import Path

import pytest

from scrubjay.daemon.links.linked_paragraphs import linked_paragraphs
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault
from tests.helpers.stores import NewStore

SAID = "a long walk along the river to the old mill"
LONG = " ".join(f"{SAID} {number}" for number in range(10))

WRITTEN = [
    (f"We went for {SAID} with [[Ada Lovelace]].", f"We went for {SAID} with"),
    (f"[[Ada Lovelace|She]] went for {SAID}.", f"went for {SAID}"),
    (f"With [her](People/Ada%20Lovelace.md) {SAID}.", f"With {SAID}"),
    (f"- [[Nowhere]] one\n- [[Ada Lovelace]]: **{SAID}**\n- [[Plan]]", SAID),
    (f"First, not this.\n\n{SAID}, [[ada lovelace#Life]].\n\nLast.", SAID),
    (f"| who | what |\n| --- | --- |\n| [[Ada Lovelace]] | {SAID} |", SAID),
    (f"[[Ada Lovelace]] {SAID}; [[Ada Lovelace|she]] liked it.", f"{SAID} liked it"),
    (f'"Why" OR (not) path:x, {SAID} -- [[Ada Lovelace]]', f"Why or not path x {SAID}"),
    ("昨天下午我们沿着河边走了很久，[[Ada Lovelace]]", "昨天下午我们沿着河边走了很久"),
]
TELLS_NOTHING = [
    "See [[Ada Lovelace]].",
    f"[[Ada Lovelace]] and [[Plan]]: {SAID}.",
    f"[[Here]], {SAID}.",
    f"[[Nowhere]], {SAID}.",
    f"![[Ada Lovelace]] {SAID}",
    f"`[[Ada Lovelace]]` {SAID}",
    f"```\n[[Ada Lovelace]] {SAID}\n```",
    f"[[Ada Lovelace]] [REDACTED:password] {SAID}",
]


def vault(folder: Path, **texts: str) -> Path:
    named = {"People/Ada Lovelace.md": "Counted.", "Plan.md": "Planned.", **{f"{k}.md": v for k, v in texts.items()}}
    for path, text in named.items():
        file = folder / "vault" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "vault"


def indexed(store: Store, folder: Path, **texts: str) -> Store:
    index_vault(store, vault(folder, **texts))
    return store


@pytest.mark.parametrize(("written", "said"), WRITTEN)
def test_a_paragraph_says_what_the_note_that_it_links_to_is_looked_for_by(
    new_store: NewStore, tmp_path: Path, written: str, said: str
) -> None:
    found = list(linked_paragraphs(indexed(new_store(), tmp_path, Here=written)))
    assert [(each.text, each.within, each.linked) for each in found] == [(said, "Here.md", "People/Ada Lovelace.md")]


@pytest.mark.parametrize("written", TELLS_NOTHING)
def test_what_is_short_or_links_elsewhere_or_to_several_notes_tells_nothing(
    new_store: NewStore, tmp_path: Path, written: str
) -> None:
    assert list(linked_paragraphs(indexed(new_store(), tmp_path, Here=written))) == []


def test_a_sentence_that_stands_around_links_to_several_notes_tells_none_of_them(
    new_store: NewStore, tmp_path: Path
) -> None:
    made = indexed(new_store(), tmp_path, A=f"[[Plan]] {SAID}", B=f"[[Ada Lovelace]] {SAID}", C=f"[[Plan]] it {SAID}")
    assert [(each.text, each.linked) for each in linked_paragraphs(made)] == [(f"it {SAID}", "Plan.md")]


def test_of_a_long_paragraph_whole_words_on_either_side_of_the_link_are_taken(
    new_store: NewStore, tmp_path: Path
) -> None:
    [found] = linked_paragraphs(indexed(new_store(), tmp_path, Here=f"{LONG} [[Plan]] {LONG}"))
    assert 200 < len(found.text) <= 2 * 120 + 1
    assert f"{LONG} {LONG}".count(found.text) == 1
    assert set(found.text.split()) <= set(LONG.split())
