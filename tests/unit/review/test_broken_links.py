"""Links that lead nowhere, and the note that was meant."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.broken_links import HINT_FROM, BrokenLinks, NameIndex
from tests.helpers.review_notes import found_by

Finding = Callable[[Mapping[str, str]], list[FoundProposal]]


@pytest.fixture
def find(tmp_path: Path) -> Finding:
    return partial(found_by, BrokenLinks(), tmp_path)


OTHERS = {f"{name}.md": "Text." for name in ("Bread", "Ferry times", "Garden in spring", "Mill wheel", "读书笔记")}


@pytest.mark.parametrize(
    ("link", "note", "after", "is_taken"),
    [
        ("[[Hreon Weir]]", "Heron Weir.md", "[[Heron Weir]]", True),
        ("[[heron-weir|there]]", "Heron Weir.md", "[[Heron Weir|there]]", True),
        ("[[Weir, Heron#Eels]]", "Heron Weir.md", "[[Heron Weir#Eels]]", False),
        ("[[Heron Weirs]]", "Heron Weir.md", "[[Heron Weir]]", False),
        ("![[Heeron Weir]]", "Heron Weir.md", "[[Heron Weir]]", True),  # the "!" before it stays
        ("[[old/Heron Weir]]", "new/Heron Weir.md", "[[new/Heron Weir]]", True),
        ("[there](old/Heron%20Weir.md#Eels)", "new/Heron Weir.md", "[there](new/Heron%20Weir.md#Eels)", True),
        ("[there](<old/Heron Weir.md>)", "new/Heron Weir.md", "[there](<new/Heron Weir.md>)", True),
        ("[[2024-05-01 Heron Weir]]", "Heron Weir.md", "[[Heron Weir]]", False),
        ("[[深度学习笔己本]]", "深度学习笔记本.md", "[[深度学习笔记本]]", True),
        ("[[Grey Heron]]", "Ardea.md", "[[Ardea|Grey Heron]]", False),  # an alias, which Obsidian does not follow
        # The name that it may have had, which is its heading now.
        ("[[Kingfisher Bridge]]", "Place 7.md", "[[Place 7|Kingfisher Bridge]]", False),
    ],
)
def test_the_note_that_was_meant_is_named_first(
    find: Finding, link: str, note: str, after: str, is_taken: bool
) -> None:
    text = {
        "Ardea.md": "---\naliases: [Grey Heron]\n---\nA bird.",
        "Place 7.md": "# Kingfisher Bridge\n\nOf wood.\n\n## Below\n\nWater.",
    }.get(note, "Below the mill.")
    (found,) = find({**OTHERS, "a.md": f"By the river.\nSee {link} for it.", note: text})
    option = found.options[0]
    (change,) = option.changes
    assert (option.id, change.after, option.chosen) == (note, after, is_taken)
    assert f"See {link}"[change.column - 1 :].startswith(change.before)
    assert [each.chosen for each in found.options[1:]] == [False] * len(found.options[1:])


@pytest.mark.parametrize(
    ("link", "texts"),
    [
        pytest.param("link", {"Midjourney.md": "# Links\n\n[a](https://example.org)"}, id="a heading of one word"),
        pytest.param(
            "Useful link", {f"{n}.md": "# Useful links\n\nx" for n in ("Grafana", "Tinybird")}, id="shared heading"
        ),
        pytest.param("Example", {"Bases syntax.md": "# Example\n\nx"}, id="an example in prose"),
    ],
)
def test_what_notes_begin_with_is_no_name(find: Finding, link: str, texts: Mapping[str, str]) -> None:
    assert find({**OTHERS, **texts, "a.md": f"Write [[{link}]] for a link."}) == []


@pytest.mark.parametrize(
    ("link", "others"),
    [
        pytest.param("Language", ["languages.md"], id="one of many is another word"),
        pytest.param("Russia", ["Russian.md"], id="a letter more at the end"),
        pytest.param("old/Heron Weir", ["a/Heron Weir.md", "b/Heron Weir.md"], id="two of that name"),
        pytest.param("Hreon Weir", ["a/Heron Weir.md", "b/Heron Weir.md"], id="two of the name that it misspells"),
        pytest.param("Review 2023-01", ["Review 2023-02.md"], id="another number"),
        pytest.param("Chapter 11", ["Chapter 1.md"], id="a number of which one is the beginning"),
        pytest.param("Mole", ["Mule.md"], id="short names"),
        pytest.param("GitHub links", ["GitHub link.md"], id="the plural of a name"),
        pytest.param("People", ["🗂️ People.md"], id="a sign before it"),
        pytest.param("obsidian-zoom", ["Obsidian Boom.md"], id="another beginning"),
        pytest.param("Heron Miur", ["Heron Weir.md"], id="more than one letter"),
        pytest.param("data blog", ["datalog.md"], id="two words and one"),
    ],
)
def test_what_may_have_meant_another_note_is_never_taken_beforehand(
    find: Finding, link: str, others: list[str]
) -> None:
    found = find({**OTHERS, **dict.fromkeys(others, "Text."), "a.md": f"See [[{link}]]."})
    assert [option.id for each in found for option in each.options if option.chosen] == []


@pytest.mark.parametrize(
    "link",
    [
        "[[Submarine cables]]",  # not written yet
        "![[heron.png]]",
        "[pdf](Heron%20Wier.pdf)",
        "[[<% tp.date.now() %>]]",
        "[[#Below]]",
        "`[[Heron Wier]]`",
        "[web](https://example.org/Heron%20Wier.md)",
    ],
)
def test_what_is_no_broken_link_to_a_known_note_is_left(find: Finding, link: str) -> None:
    assert find({**OTHERS, "Heron Weir.md": "Below the mill.", "a.md": f"See {link} for it."}) == []


def test_all_links_to_a_renamed_note_are_one_decision(find: Finding) -> None:
    links = {f"day {n}.md": f"Went to [[Heron Wier]] on day {n}.\n\nAgain [[heron wier|there]]." for n in range(5)}
    (found,) = find({**OTHERS, **links, "Heron Weir.md": "Below the mill."})
    assert [(c.path, c.line, c.after) for c in found.options[0].changes] == [
        (f"day {n}.md", line, after)
        for n in range(5)
        for line, after in ((1, "[[Heron Weir]]"), (3, "[[Heron Weir|there]]"))
    ]


def test_a_link_beside_a_credential_is_left_and_holds_up_no_other(find: Finding) -> None:
    word = "hunter" + "2rabbit9"
    texts = {"a.md": f"[[Hreon Weir]] password: {word}", "b.md": "By the [[Hreon Weir]] it is."}
    (found,) = find({**OTHERS, **texts, "Heron Weir.md": "Below the mill."})
    assert [change.path for change in found.options[0].changes] == ["b.md"]


def test_a_link_in_a_list_of_links_is_known_by_its_line(find: Finding) -> None:
    (found,) = find({"a.md": "Text.\n\n## See also\n\n- [[Heron Wier]]\n", "Heron Weir.md": "Below the mill."})
    (change,) = found.options[0].changes
    assert (change.line, change.column, change.before, change.after) == (5, 0, "[[Heron Wier]]", "[[Heron Weir]]")


@pytest.mark.parametrize("count", [HINT_FROM - 1, HINT_FROM])
def test_a_name_that_many_want_and_no_note_has_is_a_hint(find: Finding, count: int) -> None:
    found = find({**OTHERS, **{f"{n}.md": "About [[Submarine cables]]." for n in range(count)}})
    assert [(each.detail, each.options, len(each.others)) for each in found] == (
        [("Submarine cables", (), count)] if count >= HINT_FROM else []
    )


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("heron_weir", "Heron Weir"),
        ("HeronWeir", "Heron Weir"),
        ("Hern Weir", "Heron Weir"),
        ("Weir of herons", "Heron Weir"),
    ],
)
def test_names_are_alike_whatever_parts_their_words(wanted: str, nearest: str) -> None:
    names = ["Heron", "Weir fishing", "Heron Weir", "Bread"]
    assert names[NameIndex(names).nearest(wanted, 1)[0][0]] == nearest


_WRITTEN = st.text("abeln é湖-", min_size=1, max_size=14)


@given(_WRITTEN, st.lists(_WRITTEN, min_size=1, max_size=30), st.integers(1, 4), st.floats(0, 1))
def test_the_nearest_names_are_the_first_of_all(wanted: str, names: list[str], limit: int, least: float) -> None:
    index = NameIndex(names)
    everything = index.nearest(wanted, len(names))
    assert index.nearest(wanted, limit) == everything[:limit], "those that need not be compared are none of them"
    assert everything == sorted(everything, key=lambda pair: (-pair[1], pair[0]))
    found = index.nearest(wanted, limit, least)
    assert found == everything[:limit] or (found == [] and everything[0][1] < least)


def test_a_name_of_marks_alone_is_like_none() -> None:
    assert NameIndex(["a", "🦆"]).nearest("🦆🦆", 3) == []
