from datetime import UTC, datetime

import pytest

from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.query.query_plan import QueryPlan, plan_query
from scrubjay.profiles.search.query.query_tree import InProfile
from scrubjay.profiles.store.filters import AllOf, AnyOf, HasTag, HasText, InVault, Not, NoteFilter, PathHas

NOW = datetime(2026, 3, 18, tzinfo=UTC)
VAULTS = {"work": ("0a1b2c3d",), "shared": ("11111111", "22222222")}


def plan(text: str) -> QueryPlan:
    return plan_query(parse_query(text, NOW), lambda name: VAULTS.get(name.casefold(), ()))


def test_words_and_phrases_make_the_sentence_that_meaning_is_asked() -> None:
    assert plan('how do I "back up" tag:x my vault -cloud').text == "how do I back up my vault"


def test_words_and_phrases_rank_but_those_that_are_excluded_do_not() -> None:
    found = plan('"a b" ("c d" OR e) -"f g" -h -(-i)')
    assert found.phrases == ("a b", "c d")
    assert found.words == ("e", "i")


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("a b", 1.0),
        ("a OR b", 0.5),
        ("a (b OR c OR d)", 0.5),
        ('a b OR "c d"', 2 / 3),
        ("tag:x", 1.0),
        ("tag:x OR a", 1.0),
        ("a -b", 1.0),
    ],
)
def test_of_alternatives_one_is_all_that_is_asked_for(text: str, share: float) -> None:
    assert plan(text).share == pytest.approx(share)


def test_full_width_letters_are_letters_to_the_model_too() -> None:
    found = plan("ＡＰＩ の説明")
    assert (found.text, found.words) == ("API の説明", ("API", "の説明"))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("words only", None),
        ("tag:a", HasTag("a")),
        ("tag:a path:p x", AllOf((HasTag("a"), PathHas("p")))),
        ("-tag:a", Not(HasTag("a"))),
        ("tag:a OR tag:b", AnyOf((HasTag("a"), HasTag("b")))),
        ('"a b" -c', AllOf((HasText("a b"), Not(HasText("c"))))),
        ("(x tag:a) -c", AllOf((HasTag("a"), Not(HasText("c"))))),
        ("one OR two", None),
        ("one (two OR three four)", None),
        ("tag:a OR word", AnyOf((HasTag("a"), HasText("word")))),
        ("tag:a OR (the word OR two)", AnyOf((HasTag("a"), AnyOf((HasText("word"), HasText("two")))))),
        ('"a b" OR "c d"', AnyOf((HasText("a b"), HasText("c d")))),
        ("word OR -other", AnyOf((HasText("word"), Not(HasText("other"))))),
        ("tag:a OR +", HasTag("a")),
        ("(tag:a x) OR (path:p y)", AnyOf((HasTag("a"), PathHas("p")))),
        ("-(tag:a OR word)", Not(AnyOf((HasTag("a"), HasText("word"))))),
        ("-(tag:a OR tag:b)", Not(AnyOf((HasTag("a"), HasTag("b"))))),
        ("-(tag:a b)", Not(AllOf((HasTag("a"), HasText("b"))))),
        ("-(b +)", Not(HasText("b"))),
        ("-(-a)", Not(Not(HasText("a")))),
        ("-+", None),
        ("tag:a tag:a", HasTag("a")),
        ("vault:Work", AnyOf((InVault("0a1b2c3d"),))),
        ("vault:shared", AnyOf((InVault("11111111"), InVault("22222222")))),
    ],
)
def test_conditions_become_one_filter(text: str, where: NoteFilter | None) -> None:
    assert plan(text).where == where


def test_an_unknown_vault_matches_nothing_and_says_so_at_its_place() -> None:
    found = plan("x vault:nowhere")
    assert found.where == AnyOf(())
    assert [(warning.code, warning.start, warning.end) for warning in found.warnings] == [("unknown-vault", 2, 15)]


def test_profiles_are_named_and_excluded() -> None:
    found = plan("x profile:work -profile:home")
    assert (found.profiles, found.excluded_profiles) == ((InProfile("work"),), (InProfile("home"),))
    assert found.profiles[0].span == (2, 14)
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("text", "warned"), [("profile:a OR profile:b", False), ("profile:a x OR y", True), ("y OR (x profile:a)", True)]
)
def test_a_profile_beside_or_holds_for_the_whole_query_and_says_so(text: str, warned: bool) -> None:
    assert ("profile-in-or" in [warning.code for warning in plan(text).warnings]) is warned


def test_every_demand_knows_where_it_stands() -> None:
    text = 'x (tag:a -"b c") path:"p q"/r y OR'
    assert [text[demand.start : demand.end] for demand in plan(text).demands] == ["tag:a", '-"b c"', 'path:"p q"/r']


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("tag:a", True),
        ("profile:a", True),
        ("-profile:a", True),
        ("sort:title", True),
        ("-x", True),
        ("tag:a x", False),
        ("profile:a x", False),
        ("x", False),
        ("", False),
        ("tag:", False),
        ("((", False),
    ],
)
def test_filters_alone_ask_for_a_list(text: str, is_list: bool) -> None:
    assert plan(text).is_list is is_list


def test_the_order_that_the_query_names_is_kept() -> None:
    assert (plan("x sort:title").sort, plan("x").sort) == ("title", "")


def test_warnings_of_the_parser_are_kept() -> None:
    assert [warning.code for warning in plan('"open').warnings] == ["unclosed-quote"]
