import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.highlights import Match
from scrubjay.profiles.search.results.snippet import make_snippet


def matches(text: str, *words: str, weight: float = 1.0) -> list[Match]:
    found: list[Match] = []
    for term, word in enumerate(words):
        at = text.find(word)
        while at >= 0:
            found.append(Match(at, at + len(word), term, weight))
            at = text.find(word, at + 1)
    return found


def shown(text: str, *words: str, length: int = 40) -> tuple[str, list[str]]:
    snippet = make_snippet(text, matches(text, *words), length)
    return snippet.text, [snippet.text[start:end] for start, end in snippet.highlights]


SHOWN: list[tuple[str, tuple[str, ...], tuple[str, list[str]]]] = [
    ("Short.", ("Short",), ("Short.", ["Short"])),
    ("", (), ("", [])),
    ("Nothing matched here.", (), ("Nothing matched here.", [])),
    (
        "First one, quite long. Second has gold. Third is long.",
        ("gold",),
        ("First one, quite long. Second has gold.", ["gold"]),
    ),
    ("First one, and much longer. Second has gold. Third one.", ("gold",), ("…Second has gold. Third one.", ["gold"])),
    ("two\n\n  lines\there", ("lines",), ("two lines here", ["lines"])),
    ("## Heading\n- item gold", ("gold",), ("Heading · item gold", ["gold"])),
    ("一句。滇池有红嘴鸥。三句。", ("红嘴", "嘴鸥"), ("一句。滇池有红嘴鸥。三句。", ["红嘴鸥"])),
]


@pytest.mark.parametrize(("text", "words", "expected"), SHOWN)
def test_best_sentences_are_shown_with_their_matches(
    text: str, words: tuple[str, ...], expected: tuple[str, list[str]]
) -> None:
    assert shown(text, *words) == expected


def test_two_terms_together_beat_one_said_often() -> None:
    text = "alpha alpha alpha alpha alpha alpha ok. Filler sentence in between them. Here alpha meets beta at last."
    assert shown(text, "alpha", "beta")[0] == "…Here alpha meets beta at last."


def test_no_sentence_that_is_too_long_makes_room_for_more_after_it() -> None:
    rest = " ".join(f"Here {word} is near the weir." for word in ("otter", "eel", "pike"))
    assert len(shown("alder " * 20 + "heron. " + rest, "heron", "otter", "eel", "pike")[0]) <= 42


def test_marks_that_a_cut_parts_are_reckoned_with() -> None:
    text = "gold " + "waits " * 4 + "==" + "abc " * 20 + "end=="
    assert len(shown(text, "gold")[0]) <= 42


def test_what_is_shown_of_a_long_sentence_fills_the_room_to_its_end() -> None:
    assert shown("alder " * 20 + "heron.", "heron")[0] == "…alder alder alder alder alder heron."


def test_a_heavier_term_draws_the_snippet() -> None:
    text = "common common here in the first one. A rare word in the second one."
    found = [*matches(text, "common", weight=0.5), *(Match(m.start, m.end, 1, 4.0) for m in matches(text, "rare"))]
    assert "rare" in make_snippet(text, found, 40).text


def test_a_sentence_without_end_is_cut_around_the_match_at_words() -> None:
    text = "word " * 100 + "needle " + "word " * 100
    snippet, highlighted = shown(text, "needle", length=60)
    assert highlighted == ["needle"]
    assert snippet.startswith("…word")
    assert snippet.endswith("word…")
    assert len(snippet) <= 62


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        (
            "Before it. [What is gold? And where?](https://e.org/gold) is a page.",
            40,
            "…What is gold? And where? is a page.",
        ),
        (
            "- [A gold rush](https://e.org/gold) (HN](https://e.org/an-address-without-a-beginning)",
            200,
            "A gold rush HN",
        ),
        (
            f"gold and more and more [a page with a long name](https://e.org/p) {'and more ' * 9}",
            40,
            "gold and more and more…",
        ),
        (
            "A word to begin with. (So it is, they say of it. But gold is dear.) End of it.",
            30,
            "…But gold is dear. End of it.",
        ),
        ("1) gold\n2) tin", 40, "…gold · tin"),
        ("a) gold and tin :)", 40, "a) gold and tin :)"),
        ("Of it, 12) gold", 40, "Of it, 12) gold"),
        ("some) gold and tin", 40, "some gold and tin"),
    ],
)
def test_no_half_of_a_link_or_of_a_bracket_is_shown(text: str, length: int, expected: str) -> None:
    assert shown(text, "gold", length=length)[0] == expected


TABLE = "Metals.\n\n| Metal | Colour |\n| --- | --- |\n| Gold | yellow. Really |\n| Tin | grey |\n"


def test_the_first_row_of_a_table_is_not_shown_without_another_and_no_row_is_cut() -> None:
    assert shown(TABLE, "Metals", length=30)[0] == "Metals."
    assert shown(TABLE, "Gold", length=100)[0] == "Metals. · Metal · Colour · Gold · yellow. Really · Tin · grey"


OPERATORS = [("file:", "Find text in the name"), ("tag:", "Find a tag"), ("task-todo:", "Find an open task")]
ROWS = "| Search operator | Description |\n| :-- | --- |\n" + "".join(f"| {one} | {two} |\n" for one, two in OPERATORS)


def test_a_row_is_shown_below_the_first_row_of_its_table_and_both_are_marked() -> None:
    text, marked = shown(f"Operators narrow it down.\n\n{ROWS}", "Search", "operator", "open", "task", length=80)
    assert text == "…Search operator · Description … task-todo: Find an open task"
    assert marked == ["Search", "operator", "task", "open", "task"]
    assert shown(ROWS, "open", length=50)[0] == "…task-todo: Find an open task", "no room for the first row"
    assert shown(re.sub("^", "> ", ROWS.strip(), flags=re.MULTILINE), "open", length=80)[0] == text[1:]


def test_an_item_of_a_list_that_reads_short_is_shown_to_its_end() -> None:
    links = " ".join(f"([{name}](https://{name.lower()}.example/{'x' * 15}))" for name in ("Docs", "Article", "Forum"))
    text = (
        f"- [Gold](https://gold.example/)\n- [Tin (soft metal)](https://tin.example/) {links}\n- [Iron](https://i.org)"
    )
    assert shown(text, "soft", "metal", length=60)[0] == "…Tin (soft metal) (Docs) (Article) (Forum)…"


def test_of_a_sentence_and_code_that_say_the_same_the_sentence_is_shown() -> None:
    text = "```sh\nmake gold gold\n```\n\nLead is heavy and dull. To make gold is hard."
    assert "is hard" in shown(text, "make", "gold", length=28)[0]


LINKS = "".join(f"- [Tool {number}](https://tools.example/{number})\n" for number in range(8))


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (f"Tools for gold:\n{LINKS}", ("gold",), "Tools for gold: Tool 0 · Tool 1…"),
        (f"{LINKS}\nAfter them gold is said.", ("gold",), "…After them gold is said."),
        (f"{LINKS}\nWith no word found prose is shown.", (), "…With no word found prose is shown."),
        ("- [[Gold]]\n- [[Tin]]\n\nOf gold there is much.", ("Gold", "gold"), "Gold · Tin Of gold there is much."),
        ("- [[gold]]\n" + LINKS + "\nOf gold there is much.", ("gold",), "…Of gold there is much."),
        (f"{LINKS}- [[Gold]]\n{LINKS}", ("Gold",), "…Gold…"),
        (LINKS, (), "Tool 0"),
        ("- [Gold](a.md): what it is\n- [Tin](b.md)", ("Gold",), "Gold: what it is · Tin"),
    ],
)
def test_of_a_list_of_links_no_more_is_shown_than_says_what_is_looked_for(
    text: str, words: tuple[str, ...], expected: str
) -> None:
    assert shown(text, *words, length=200)[0].startswith(expected)


@pytest.mark.parametrize(
    "character", ["か\u3099", "e\u0301\u0323", "👩\u200d🔬", "👍\U0001f3fd", "🇩🇪", "\u1100\u1161\u11a8"]
)
def test_a_character_and_its_marks_are_not_cut_apart(character: str) -> None:
    text = character * 60
    for length in range(20, 30):
        assert shown(text, length=length)[0].rstrip("…") == character * (length // len(character))


PARTS = [
    "[a b](https://x.example/b)",
    "[[b|a]]",
    "| a | b |\n",
    "| - | - |\n",
    "](u",
    "(",
    ")",
    "```\n",
    "a ",
    "b. ",
    "\n",
    "weir " * 12,
    "==mill weir==",
    "[mill](https://x.example/race/weir/eel)",
]
TEXTS = st.text("ab漢🦅é.!。 \n\t#-", max_size=400) | st.lists(st.sampled_from(PARTS), max_size=80).map("".join)


@given(TEXTS, st.data())
def test_highlights_show_what_matched(text: str, data: st.DataObject) -> None:
    found: list[Match] = []
    for term in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, max(0, len(text) - 1)))
        end = data.draw(st.integers(start, min(len(text), start + 10)))
        found.append(Match(start, end, term))
    snippet = make_snippet(text, found, 50)
    assert len(snippet.text) <= 52
    assert "\n" not in snippet.text
    matched = "".join(text[at] for at in sorted({at for match in found for at in range(match.start, match.end)}))
    rest, previous = iter(matched), -1
    for start, end in snippet.highlights:
        assert previous < start < end <= len(snippet.text)
        previous = end
        # What is not shown of a match, the brackets of a link, stood between.
        assert all(character.isspace() or character in rest for character in snippet.text[start:end])
