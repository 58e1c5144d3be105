from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.search.query import parse_query
from daemon.search.query_tree import Either, Every, Exclude, InProfile, Node, Phrase, Where, Word
from profiles.filters import (
    AnyOf,
    CreatedBetween,
    FileHas,
    HasLang,
    HasProperty,
    HasTag,
    InVault,
    ModifiedBetween,
    PathHas,
)

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)
DAY = 86_400 * 10**9
JAN_1 = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) * 10**9


def tree(text: str) -> tuple[Node, ...]:
    return parse_query(text, NOW).tree.parts


def codes(text: str) -> list[str]:
    return [warning.code for warning in parse_query(text, NOW).warnings]


def words(node: Node) -> list[str]:
    match node:
        case Word(text) | Phrase(text):
            return [text]
        case Exclude(part):
            return words(part)
        case Every(parts) | Either(parts):
            return [word for part in parts for word in words(part)]
        case _:
            return []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("   ", ()),
        ("alpha beta", (Word("alpha", 0), Word("beta", 6))),
        ("滇池 红嘴鸥", (Word("滇池", 0), Word("红嘴鸥", 3))),
        ('"two words" x', (Phrase("two words", 1), Word("x", 12))),
        ("“two words”", (Phrase("two words", 1),)),
        ('""', ()),
        ("-draft", (Exclude(Word("draft", 1)),)),
        ('-"old plan"', (Exclude(Phrase("old plan", 2)),)),
        ("--verbose", (Word("--verbose", 0),)),
        ("a - b", (Word("a", 0), Word("b", 4))),
        ("well-known", (Word("well-known", 0),)),
        ("a OR b", (Either((Word("a", 0), Word("b", 5))),)),
        ("a b OR c", (Either((Every((Word("a", 0), Word("b", 2))), Word("c", 7))),)),
        ("a (b OR c)", (Word("a", 0), Either((Word("b", 3), Word("c", 8))))),
        ("OR a", (Word("a", 3),)),
        ("a OR", (Word("a", 0),)),
        ("a or b", (Word("a", 0), Word("or", 2), Word("b", 5))),
        ("ORACLE", (Word("ORACLE", 0),)),
        ("a AND b", (Word("a", 0), Word("b", 6))),
        ("()", ()),
        ("print(x)", (Word("print(x)", 0),)),
        ("(print(x) y)", (Word("print(x)", 1), Word("y", 10))),
        ("path:Work/Atlas", (Where(PathHas("Work/Atlas")),)),
        ('path:"Work/My notes"', (Where(PathHas("Work/My notes")),)),
        ("PATH:x", (Where(PathHas("x")),)),
        ("(path:a)", (Where(PathHas("a")),)),
        ("file:2026-*.md", (Where(FileHas("2026-*.md")),)),
        ("tag:#project/atlas", (Where(HasTag("project/atlas")),)),
        ("tag:project", (Where(HasTag("project")),)),
        ("#项目", (Where(HasTag("项目")),)),
        ("#1", (Word("#1", 0),)),
        ("C#", (Word("C#", 0),)),
        ("-#done", (Exclude(Where(HasTag("done"))),)),
        ("[status]", (Where(HasProperty("status")),)),
        ("[status:open]", (Where(HasProperty("status", "open")),)),
        ('["due date":"next week"]', (Where(HasProperty("due date", "next week")),)),
        ("[rating:>=4]", (Where(HasProperty("rating", "4", ">=")),)),
        ("[a:x OR y]", (Where(AnyOf((HasProperty("a", "x"), HasProperty("a", "y")))),)),
        ("[[Note]]", (Word("[[Note]]", 0),)),
        ("[text](url)", (Word("[text](url)", 0),)),
        ("lang:ZH", (Where(HasLang("zh")),)),
        ("vault:Notes", (Where(InVault("Notes")),)),
        ('profile:"my work"', (InProfile("my work"),)),
        ("modified:2026-01-01", (Where(ModifiedBetween(JAN_1, JAN_1 + DAY)),)),
        ("created:>=2026-01-01", (Where(CreatedBetween(JAN_1, None)),)),
        ("https://example.org/a", (Word("https://example.org/a", 0),)),
        ("std::vector", (Word("std::vector", 0),)),
    ],
)
def test_what_is_typed_is_read_as_people_know_it(text: str, parts: tuple[Node, ...]) -> None:
    query = parse_query(text, NOW)
    assert query.tree.parts == parts
    assert query.warnings == ()


@pytest.mark.parametrize(
    ("text", "code", "parts"),
    [
        ('find "this now', "unclosed-quote", (Word("find", 0), Word("this", 6), Word("now", 11))),
        ("(a b", "unclosed-parenthesis", (Word("a", 1), Word("b", 3))),
        ("a) b", "unopened-parenthesis", (Word("a", 0), Word("b", 3))),
        ("path: x", "empty-value", (Word("x", 6),)),
        ("modified:soon x", "bad-date", (Word("modified:soon", 0), Word("x", 14))),
        ("line:(a b) c", "unsupported-operator", (Word("a", 6), Word("b", 8), Word("c", 11))),
        ("x section:", "unsupported-operator", (Word("x", 0),)),
    ],
)
def test_what_cannot_be_read_is_searched_as_words_and_said(text: str, code: str, parts: tuple[Node, ...]) -> None:
    assert codes(text) == [code]
    assert words(Every(tree(text))) == words(Every(parts))


def test_a_warning_points_at_its_place() -> None:
    (warning,) = parse_query("x modified:never", NOW).warnings
    assert (warning.start, warning.end) == (2, 16)


def test_parentheses_nest_only_so_deep() -> None:
    query = parse_query("(" * 5_000 + "deep" + ")" * 5_000, NOW)
    assert words(query.tree) == ["deep"]
    assert {warning.code for warning in query.warnings} == {"too-deep", "unopened-parenthesis"}


@given(st.text(max_size=60) | st.text(alphabet='ab"()-# []:OR<>.path', max_size=40))
def test_any_text_parses_and_offsets_stay_inside(text: str) -> None:
    query = parse_query(text, NOW)
    assert query.text == text
    for warning in query.warnings:
        assert 0 <= warning.start < warning.end <= len(text)


@given(st.lists(st.text(alphabet="abcxyzäß漢字0189", min_size=1, max_size=8), max_size=8))
def test_plain_words_all_come_through_in_order(plain: list[str]) -> None:
    assert words(parse_query(" ".join(plain), NOW).tree) == plain
