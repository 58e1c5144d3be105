"""A user's rules: the good ones work, each bad one is refused by name and field, and nothing in the file can crash."""

from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.credential_filter import BUILT_IN, RuleError, Rules, load_rules, redact
from scrubjay.credential_filter.rules.templates import expand

GOOD: dict[str, Any] = {
    "id": "acme-badge",
    "about": "Door badge of Acme",
    "needles": ["ACME-"],
    "regex": "ACME-[0-9]{8}",
    "must_hide": ["ACME-{digit:8}"],
    "must_keep": ["ACME-corporation"],
}


NO_EXAMPLES: dict[str, Any] = {"must_hide": []}


def loaded(*rules: dict[str, Any]) -> tuple[Rules, tuple[RuleError, ...]]:
    return load_rules(tomli_w.dumps({"rule": list(rules)}))


def without(field: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name != field}


def test_a_rule_hides_what_it_says_wherever_it_stands_and_the_built_in_ones_go_on() -> None:
    rules, errors = loaded(GOOD)
    assert errors == ()
    badge, token = expand("ACME-{digit:8}"), expand("ghp_{alnum:36}")
    found = redact(f"I open the door with {badge}.\n{token}\nACME-corporation", rules)
    assert [finding.rule for finding in found.findings] == ["acme-badge", "github-token"]
    assert badge not in found.text
    assert found.text.endswith("\nACME-corporation")


def test_a_rule_names_the_part_that_is_the_secret() -> None:
    part = GOOD | {"regex": "ACME-(?P<number>[0-9]{8})", "hides": "number"}
    rules, errors = loaded(part)
    assert errors == ()
    assert redact(expand("ACME-{digit:8}"), rules).text == "ACME-[REDACTED:acme-badge]"


@pytest.mark.parametrize(
    ("rule", "field", "says"),
    [
        pytest.param(without("id"), "id", "missing", id="no-id"),
        pytest.param(without("about"), "about", "missing", id="no-about"),
        pytest.param(without("needles"), "needles", "missing", id="no-needles"),
        pytest.param(without("regex"), "regex", "missing", id="no-regex"),
        pytest.param(without("must_hide"), "must_hide", "missing", id="no-examples"),
        pytest.param(without("must_keep"), "must_keep", "missing", id="no-near-misses"),
        pytest.param(GOOD | NO_EXAMPLES, "must_hide", "empty", id="empty-examples"),
        pytest.param(GOOD | {"colour": "red"}, "colour", "no such field", id="unknown-field"),
        pytest.param(GOOD | {"id": "Acme Badge"}, "id", "lower case", id="id-with-a-space"),
        pytest.param(GOOD | {"id": "a" * 65}, "id", "64", id="long-id"),
        pytest.param(GOOD | {"id": "github-token"}, "id", "taken", id="id-of-a-built-in-rule"),
        pytest.param(GOOD | {"id": 7}, "id", "text", id="id-is-a-number"),
        pytest.param(GOOD | {"needles": "ACME-"}, "needles", "list", id="needles-are-no-list"),
        pytest.param(GOOD | {"needles": [""]}, "needles", "plain string", id="empty-needle"),
        pytest.param(GOOD | {"needles": [1]}, "needles", "list", id="needle-is-a-number"),
        pytest.param(GOOD | {"regex": "ACME-["}, "regex", "does not compile", id="regex-does-not-compile"),
        pytest.param(GOOD | {"regex": "(" * 3000 + ")" * 3000}, "regex", "compile", id="regex-too-deep"),
        pytest.param(GOOD | {"regex": "ACME-([0-9]+)+x"}, "regex", "very long", id="regex-backtracks"),
        pytest.param(GOOD | {"regex": "(?=(A+)+B)ACME-[0-9]{8}"}, "regex", "very long", id="lookahead-backtracks"),
        pytest.param(GOOD | {"regex": r"ACME-([0-9])\1{7}"}, "regex", "refers back", id="regex-refers-back"),
        pytest.param(GOOD | {"regex": "(?:ACME)?"}, "regex", "empty text", id="regex-matches-nothing"),
        pytest.param(GOOD | {"allow": ["("]}, "allow", "does not compile", id="allow-does-not-compile"),
        pytest.param(GOOD | {"allow": ["(a*)*b"]}, "allow", "very long", id="allow-backtracks"),
        pytest.param(GOOD | {"hides": "number"}, "hides", "no group", id="no-such-group"),
        pytest.param(GOOD | {"check": "crc"}, "check", "luhn", id="no-such-check"),
        pytest.param(GOOD | {"proof": "crc"}, "proof", "base62-crc", id="no-such-proof"),
        pytest.param(GOOD | {"min_entropy": "high"}, "min_entropy", "number", id="entropy-is-text"),
        pytest.param(GOOD | {"min_entropy": 9}, "min_entropy", "0 to 8", id="entropy-out-of-range"),
        pytest.param(GOOD | {"multiline": "yes"}, "multiline", "true or false", id="flag-is-text"),
        pytest.param(GOOD | {"must_hide": ["ACME-{digit:7}"]}, "must_hide", "example 1", id="example-not-hidden"),
        pytest.param(GOOD | {"must_keep": ["x", "ACME-{digit:8}"]}, "must_keep", "near miss 2", id="near-miss-hidden"),
        pytest.param(GOOD | {"must_hide": ["ACME-{seed:13}"]}, "must_hide", "13 words", id="no-such-seed-phrase"),
    ],
)
def test_a_bad_rule_is_refused_by_name_and_field_and_the_others_go_on(
    rule: dict[str, Any], field: str, says: str
) -> None:
    other = GOOD | {"id": "acme-key", "needles": ["AK"], "regex": "AK[0-9]{6}", "must_hide": ["AK{digit:6}"]}
    rules, (error,) = loaded(rule, other)
    assert error.field == field
    assert error.rule == (rule["id"] if isinstance(rule.get("id"), str) else "(number 1)")
    assert says in error.message
    assert f"field '{field}'" in str(error)
    assert [added.id for added in rules.own] == ["acme-key"]


def test_the_second_rule_of_one_id_is_refused() -> None:
    rules, (error,) = loaded(GOOD, GOOD | {"about": "another"})
    assert (error.field, [rule.about for rule in rules.own]) == ("id", ["Door badge of Acme"])


def test_a_file_that_cannot_be_read_leaves_the_built_in_rules() -> None:
    assert load_rules("# none yet\n")[1] == ()
    for text, field in {
        "[[rule": "toml",
        "rule = 3": "rule",
        "rule = [1, 2]": "rule",
        "[rule]\nid = 'x'": "rule",
        "[[rules]]\nid = 'x'": "rules",
        f"a = {'[' * 5000}": "toml",
    }.items():
        rules, (error,) = load_rules(text)
        assert (rules is BUILT_IN, error.rule, error.field) == (True, "(file)", field)


def test_no_error_quotes_an_example() -> None:
    example = expand("{alnum:20}")
    _, (error,) = loaded(GOOD | {"must_hide": [example]})
    assert example not in str(error)


SCALARS = (
    st.text(max_size=8)
    | st.integers(-5, 5)
    | st.booleans()
    | st.sampled_from(["(", "[a", "(a+)+", "{seed:1}", "{card}"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
FIELDS = st.sampled_from([*GOOD, "allow", "hides", "check", "min_entropy", "x"])


@settings(deadline=None)
@given(st.lists(st.dictionaries(FIELDS, VALUES), max_size=3))
def test_no_table_crashes_the_loader(tables: list[dict[str, Any]]) -> None:
    entries = [GOOD | table for table in tables]
    rules, errors = loaded(*entries)
    assert len(rules.own) + len(errors) == len(entries)


@settings(deadline=None)
@given(st.text('[]{}="\n rule.id1#', max_size=40))
def test_no_text_crashes_the_loader(text: str) -> None:
    rules, errors = load_rules(text)
    assert errors or rules.rules == BUILT_IN.rules


def test_the_allow_list_keeps_whole_values_and_takes_no_regex_that_could_take_very_long() -> None:
    text = "password: hunter2-417"
    entries = ("hunter2-[0-9]{3}", "hunter2-417", "hunter2", "(hunter2-417", "(.+)+-(.+)+")
    assert [entry for entry in entries if redact(text, BUILT_IN.with_allow([entry])).text == text] == list(entries[:2])


def test_whatever_changes_what_is_hidden_changes_the_fingerprint() -> None:
    own, _ = loaded(GOOD)
    sets = [BUILT_IN, own, BUILT_IN.with_allow(["x"]), BUILT_IN.with_groups(["payment"]), own.with_allow(["x"])]
    assert len({rules.fingerprint for rules in sets}) == len(sets)
    again, _ = loaded(GOOD)
    assert again.fingerprint == own.fingerprint


def test_a_set_to_which_nothing_is_added_stays_the_same_object() -> None:
    allowed = BUILT_IN.with_allow(["x"])
    assert BUILT_IN.with_allow([]) is BUILT_IN
    assert allowed.with_allow(["x"]).with_groups(allowed.groups) is allowed
