"""The arguments of a tool call: what the tool doesn't take is refused with the right name, and no value is repeated."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.mcp.arguments import WrongArguments, checked, invalid

SEARCH: dict[str, Any] = {
    "properties": {
        "query": {"type": "string", "maxLength": 500},
        "profiles": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50},
        "mode": {"enum": ["hybrid", "lexical"], "type": "string"},
    },
    "required": ["query"],
}
RELATED: dict[str, Any] = {
    "properties": {"id": {"type": "string"}, "profile": {"type": "string"}},
    "required": ["id"],
}


@pytest.mark.parametrize(
    ("schema", "given_arguments", "taken"),
    [
        (SEARCH, {"query": "x", "profile": "work"}, {"query": "x", "profiles": ["work"]}),
        (SEARCH, {"query": "x", "profiles": "work"}, {"query": "x", "profiles": ["work"]}),
        (SEARCH, {"query": "x", "profiles": ["work", "home"]}, {"query": "x", "profiles": ["work", "home"]}),
        (RELATED, {"id": "a.md", "profiles": ["work"]}, {"id": "a.md", "profile": "work"}),
        (RELATED, {"path": "a.md"}, {"id": "a.md"}),
        (RELATED, {"note": "a.md", "profiles": "work"}, {"id": "a.md", "profile": "work"}),
    ],
)
def test_profile_and_profiles_and_a_path_are_taken_alike(
    schema: dict[str, Any], given_arguments: dict[str, Any], taken: dict[str, Any]
) -> None:
    assert checked("tool", schema, given_arguments) == taken


@pytest.mark.parametrize(
    ("schema", "given_arguments", "said"),
    [
        (SEARCH, {"query": "x", "vault": "work"}, "What narrows a search down stands in `query`"),
        ({"properties": {"query": {}, "mode": {}}}, {"folder": "Work"}, "What narrows a search down stands in `query`"),
        ({"properties": {"limit": {}}}, {"since": "2026-11-20"}, "stands in `filter` of `list_notes`"),
        (SEARCH, {"query": "x", "max_results": 3}, "Do you mean `limit`?"),
        (SEARCH, {"q": "x"}, "Do you mean `query`?"),
        (SEARCH, {"query": "x", "limits": 3}, "Do you mean `limit`?"),
        (SEARCH, {"limit": 3}, "needs `query`: text of 0 to 500 characters"),
        (SEARCH, {"query": "x", "profile": "a", "profiles": ["b"]}, "once, under one name"),
        (RELATED, {"id": "x", "profiles": ["a", "b"]}, "one profile at a time"),
        (RELATED, {"id": "x", "wobble": 1}, "It takes `id`, `profile`."),
        ({"properties": {}}, {"anything": 1}, "It takes none."),
    ],
)
def test_what_a_tool_does_not_take_is_refused_with_the_right_name(
    schema: dict[str, Any], given_arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(WrongArguments) as refused:
        checked("tool", schema, given_arguments)
    assert said in str(refused.value)


def test_a_value_that_does_not_fit_is_told_by_what_fits() -> None:
    assert invalid("search", SEARCH, ["limit", "limit", "mode"]) == (
        "`limit` of `search` has to be a whole number from 1 to 50."
        " `mode` of `search` has to be one of hybrid, lexical."
    )


@given(st.dictionaries(st.text(max_size=12), st.text("ÿþ", min_size=4)))
def test_whatever_comes_is_taken_whole_or_refused_without_repeating_it(arguments: dict[str, Any]) -> None:
    try:
        taken = checked("search", SEARCH, arguments)
    except WrongArguments as error:
        assert "ÿ" not in str(error)
        assert "þ" not in str(error)
    else:
        assert len(taken) == len(arguments)
        assert taken.keys() <= SEARCH["properties"].keys()
