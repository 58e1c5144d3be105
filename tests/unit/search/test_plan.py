from datetime import UTC, datetime

import pytest

from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.query.query_plan import QueryPlan, plan_query
from scrubjay.profiles.store.filters import AllOf, AnyOf, HasTag, HasText, InVault, Not, NoteFilter, PathHas

NOW = datetime(2026, 3, 18, tzinfo=UTC)
VAULTS = {"work": ("0a1b2c3d",), "shared": ("11111111", "22222222")}


def plan(text: str) -> QueryPlan:
    return plan_query(parse_query(text, NOW), lambda name: VAULTS.get(name.casefold(), ()))


def test_words_and_phrases_rank_and_ask_meaning_but_those_that_are_excluded_do_not() -> None:
    found = plan('how "a b" ("c d" OR e) tag:x -"f g" -h -(-i) ＡＰＩ')
    assert (found.phrases, found.words) == (("a b", "c d"), ("how", "e", "i", "API"))
    assert plan('how do I "back up" tag:x my ＡＰＩ -cloud').text == "how do I back up my API"


def test_of_alternatives_one_is_all_that_is_asked_for() -> None:
    shares = {"a b": 1, "a OR b": 1 / 2, "a (b OR c OR d)": 1 / 2, 'a b OR "c d"': 2 / 3, "tag:x OR a": 1, "a -b": 1}
    assert {text: plan(text).share for text in shares} == pytest.approx(shares)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("tag:a path:p x", AllOf((HasTag("a"), PathHas("p")))),
        ('"a b" -c', AllOf((HasText("a b"), Not(HasText("c"))))),
        ("(x tag:a) -c", AllOf((HasTag("a"), Not(HasText("c"))))),
        ("one (two OR three four)", None),
        ("tag:a OR word", AnyOf((HasTag("a"), HasText("word")))),
        ("tag:a OR (the word OR two)", AnyOf((HasTag("a"), AnyOf((HasText("word"), HasText("two")))))),
        ("word OR -other", AnyOf((HasText("word"), Not(HasText("other"))))),
        ("tag:a OR +", HasTag("a")),
        ("(tag:a x) OR (path:p y)", AnyOf((HasTag("a"), PathHas("p")))),
        ("-(tag:a OR word)", Not(AnyOf((HasTag("a"), HasText("word"))))),
        ("-(tag:a b)", Not(AllOf((HasTag("a"), HasText("b"))))),
        ("-(b +)", Not(HasText("b"))),
        ("-(-a)", Not(Not(HasText("a")))),
        ("-+", None),
        ("tag:a tag:a", HasTag("a")),
        ("vault:shared", AnyOf((InVault("11111111"), InVault("22222222")))),
    ],
)
def test_conditions_become_one_filter(text: str, where: NoteFilter | None) -> None:
    assert plan(text).where == where


def test_an_unknown_vault_matches_nothing_and_says_so_at_its_place() -> None:
    found = plan("x vault:nowhere")
    assert found.where == AnyOf(())
    assert [(warning.code, warning.start, warning.end) for warning in found.warnings] == [("unknown-vault", 2, 15)]


def test_a_profile_beside_or_holds_for_the_whole_query_and_says_so() -> None:
    warned = {"profile:a OR profile:b": False, "profile:a x OR y": True, "y OR (x profile:a)": True}
    found = {text: "profile-in-or" in [warning.code for warning in plan(text).warnings] for text in warned}
    assert found == warned


def test_every_demand_knows_where_it_stands() -> None:
    text = 'x (tag:a -"b c") path:"p q"/r y OR'
    assert [text[demand.start : demand.end] for demand in plan(text).demands] == ["tag:a", '-"b c"', 'path:"p q"/r']


def test_filters_alone_ask_for_a_list_and_warnings_of_the_parser_are_kept() -> None:
    lists = ("tag:a", "profile:a", "-profile:a", "sort:title", "-x")
    others = ("tag:a x", "profile:a x", "x", "", "tag:", "((")
    assert [text for text in (*lists, *others) if plan(text).is_list] == list(lists)
    assert [warning.code for warning in plan('"open').warnings] == ["unclosed-quote"]
