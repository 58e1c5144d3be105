from datetime import UTC, datetime

import pytest

from daemon.search.plan import Plan, plan_query
from daemon.search.query import parse_query
from profiles.filters import AllOf, AnyOf, HasTag, InVault, Not, NoteFilter, PathHas

NOW = datetime(2026, 3, 18, tzinfo=UTC)
VAULTS = {"work": ("0a1b2c3d",), "shared": ("11111111", "22222222")}


def plan(text: str) -> Plan:
    return plan_query(parse_query(text, NOW), lambda name: VAULTS.get(name.casefold(), ()))


def test_words_and_phrases_make_the_sentence_that_meaning_is_asked() -> None:
    assert plan('how do I "back up" tag:x my vault -cloud').text == "how do I back up my vault"


def test_phrases_are_demanded_but_not_inside_or() -> None:
    found = plan('"a b" ("c d" OR e) -"f g" -h')
    assert found.phrases == ("a b",)
    assert found.optional_phrases == ("c d",)
    assert (found.words, found.excluded, found.excluded_phrases) == (("e",), ("h",), ("f g",))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("words only", None),
        ("tag:a", HasTag("a")),
        ("tag:a path:p x", AllOf((HasTag("a"), PathHas("p")))),
        ("-tag:a", Not(HasTag("a"))),
        ("tag:a OR tag:b", AnyOf((HasTag("a"), HasTag("b")))),
        ("tag:a OR word", None),
        ("(tag:a x) OR (path:p y)", AnyOf((HasTag("a"), PathHas("p")))),
        ("-(tag:a OR word)", Not(HasTag("a"))),
        ("-(tag:a OR tag:b)", AllOf((Not(HasTag("a")), Not(HasTag("b"))))),
        ("vault:Work", AnyOf((InVault("0a1b2c3d"),))),
        ("vault:shared", AnyOf((InVault("11111111"), InVault("22222222")))),
    ],
)
def test_conditions_become_one_filter(text: str, where: NoteFilter | None) -> None:
    assert plan(text).where == where


def test_an_unknown_vault_matches_nothing_and_says_so() -> None:
    found = plan("x vault:nowhere")
    assert found.where == AnyOf(())
    assert [warning.code for warning in found.warnings] == ["unknown-vault"]


def test_excluding_a_group_excludes_each_word_and_says_so() -> None:
    found = plan("a -(b c)")
    assert found.excluded == ("b", "c")
    assert [warning.code for warning in found.warnings] == ["narrower-exclusion"]


def test_profiles_are_named_and_excluded() -> None:
    found = plan("x profile:work -profile:home")
    assert (found.profiles, found.excluded_profiles) == (("work",), ("home",))


def test_warnings_of_the_parser_are_kept() -> None:
    assert [warning.code for warning in plan('"open').warnings] == ["unclosed-quote"]
