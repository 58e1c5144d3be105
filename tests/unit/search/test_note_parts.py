"""Parts of notes hold what is sought in them, as the simplest evaluation finds; sharing its work changes nothing."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.note_parts import CutPassage, NoteText, Part, PartCondition, Sought

KINDS: tuple[Part, ...] = ("text", "line", "block", "section", "task", "task-todo", "task-done")
SAID = "peat Peats the of ore rod rods readCsv read_csv naïve 数据 数 据库 MaxDepth"
WORDS = tuple(SAID.split())
MARKS = ("- [ ] ", "- [x] ", "## ", "> ", "", "", "")


def simply_held(part: Part, wanted: PartCondition, passages: Sequence[CutPassage]) -> bool:
    """Each part of the whole text, each word tokenised for it."""
    return any(_has(text, wanted) for text in _parts(part, passages))


def _has(text: str, wanted: PartCondition) -> bool:
    flags = "" if wanted.match_case else "(?i)"
    if not all(re.search(flags + pattern, text) for pattern in wanted.patterns):
        return False
    if wanted.match_case:
        return all(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) for phrase in wanted.phrases)
    said = f" {' '.join(analysis.terms(text))} "
    for phrase in wanted.phrases:
        terms = " ".join(analysis.phrase_terms(phrase))
        is_single = len(terms) == 1 and analysis.is_unspaced(terms)
        if not (terms in said if is_single or not terms else f" {terms} " in said):
            return False
    return True


def _parts(part: Part, passages: Sequence[CutPassage]) -> Iterator[str]:
    match part:
        case "text":
            yield _joined(passages)
        case "section":
            yield from _sections(passages)
        case "block":
            yield from re.split(r"\n[ \t]*\n", _joined(passages))
        case "line":
            yield from _joined(passages).split("\n")
        case _:
            for line in _joined(passages).split("\n"):
                task = re.match(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?:[ \t]+|$)(.*)", line)
                if task and (part == "task" or (task[1] == " ") == (part == "task-todo")):
                    yield task[2]


def _joined(passages: Sequence[CutPassage]) -> str:
    text, last = "", None
    for passage in passages:
        gap = 0 if last is None else passage.line - last
        text += ("" if last is None else " " if gap <= 0 else "\n" if gap == 1 else "\n\n") + passage.text
        last = passage.end_line
    return text


def _sections(passages: Sequence[CutPassage]) -> Iterator[str]:
    run: list[CutPassage] = []
    for passage in (*passages, None):
        if run and (passage is None or passage.headings != run[-1].headings):
            text = "\n".join((*run[0].headings[-1:], _joined(run)))
            starts = [0, *(match.start() for match in re.finditer(r"(?m)^#{1,6}[ \t]", text)), len(text)]
            yield from (text[start:end].rstrip("\n") for start, end in pairwise(starts))
            run = []
        if passage is not None:
            run.append(passage)


def _line(mark: str, words: list[str]) -> str:
    return mark + " ".join(words)


lines = st.builds(_line, st.sampled_from(MARKS), st.lists(st.sampled_from(WORDS), min_size=1))
texts = st.lists(lines, min_size=1, max_size=4).map("\n".join)
headings = st.sampled_from(((), ("Peat",), ("Peat", "The rods"), ("数据",)))


@st.composite
def notes(draw: st.DrawFn) -> tuple[CutPassage, ...]:
    passages: list[CutPassage] = []
    line = 1
    for number in range(1, draw(st.integers(1, 7))):
        text = draw(texts)
        end = line + text.count("\n")
        passages.append(CutPassage(number, draw(headings), line, end, text))
        line = end + draw(st.integers(0, 3))  # 0: a line that is cut in two
    return tuple(passages)


phrases = st.one_of(
    st.sampled_from((*WORDS, "!", "csv", "\U0010fffd")), st.lists(st.sampled_from(WORDS), max_size=2).map(" ".join)
)
wanted = st.builds(
    PartCondition,
    st.lists(phrases, max_size=3).map(tuple),
    st.lists(st.sampled_from(("p.at", "^- ", "Csv$", "数")), max_size=1).map(tuple),
    st.booleans(),
)


def chunks_with_each_word(sought: PartCondition, passages: Sequence[CutPassage]) -> list[frozenset[int]]:
    """What the word index has of each word that stands alone."""
    alone = [] if sought.match_case else [text for text in sought.phrases if len(analysis.phrase_terms(text)) == 1]
    return [
        frozenset(
            each.chunk
            for each in passages
            if simply_held("text", PartCondition((text,)), [each]) or _in_headings(text, each)
        )
        for text in alone
    ]


def _in_headings(text: str, passage: CutPassage) -> bool:
    return any(_has(heading, PartCondition((text,))) for heading in passage.headings)


@given(
    notes(),
    st.lists(st.tuples(st.sampled_from(KINDS), wanted), min_size=1, max_size=6),
    st.sampled_from((1, 50, 2_000)),
)
@example((CutPassage(1, ("Peat", "The rods"), 1, 1, "ore"),), [("section", PartCondition(("Peat",)))], 50)
@example((CutPassage(1, ("Peat", "The rods"), 1, 1, "ore"),), [("section", PartCondition(("rods",)))], 50)
@example(
    (CutPassage(1, (), 1, 1, "peat"), CutPassage(2, (), 2, 2, "ore")), [("section", PartCondition(("peat", "ore")))], 50
)
@example((CutPassage(1, (), 1, 2, "## peat\n## ore"),), [("section", PartCondition(("peat", "ore")))], 50)
@example((CutPassage(1, (), 1, 2, "readCsv\n## peat"),), [("section", PartCondition(patterns=("Csv$",)))], 50)
def test_parts_hold_what_the_simplest_evaluation_finds(
    passages: tuple[CutPassage, ...], asked: list[tuple[Part, PartCondition]], at_once: int
) -> None:
    text = NoteText(passages)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "_AT_ONCE", at_once)
        for part, each in asked:
            expected = bool(passages) and simply_held(part, each, passages)
            assert text.holds(Sought.of(part, each)) == expected
            assert text.holds(Sought.of(part, each), chunks_with_each_word(each, passages)) == expected


SYMBOLS = st.text(" \n¼÷→aB_+#", max_size=20)


@given(
    st.lists(st.one_of(texts, SYMBOLS, st.text(max_size=20), st.just("a \U0010fffd b"))),
    st.sampled_from((1, 20, 2_000)),
)
@example(["¼\n÷", "÷\n÷ getUserName"], 1)
def test_terms_of_many_texts_are_those_of_each(many: list[str], at_once: int) -> None:
    found: list[list[str]] = [[] for _ in many]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "_AT_ONCE", at_once)
        for place, terms in analysis.terms_of_each(many):
            found[place] += terms
    assert found == [analysis.terms(text) for text in many]


def test_a_text_is_tokenised_once_however_much_is_sought_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sought = [Sought.of("line", PartCondition(("the", word, "missing"))) for word in WORDS]
    tokenised = 0
    terms_of_each = analysis.terms_of_each

    def counted(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
        nonlocal tokenised
        tokenised += sum(map(len, texts))
        return terms_of_each(texts)

    monkeypatch.setattr(analysis, "terms_of_each", counted)
    text = NoteText([CutPassage(number, (), number, number, "The rods of the peat.") for number in range(50)])
    assert not any(text.holds(each) for each in sought)
    assert tokenised == 50 * len("The rods of the peat.")


def test_text_without_the_words_is_not_tokenised(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(texts: Sequence[str]) -> list[list[str]]:
        raise AssertionError(texts)

    text = NoteText([CutPassage(number, (), number, number, "The rods of the peat.") for number in range(50)])
    monkeypatch.setattr(analysis, "terms_of_each", refused)
    assert not text.holds(Sought.of("line", PartCondition(("heron",))), [frozenset({50})])
