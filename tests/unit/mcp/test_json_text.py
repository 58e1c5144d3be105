"""JSON edited in place: what is put in is there, what is taken out leaves the same text, and nothing else moves."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.setup.json_text import NotJson, missing, pruned, put, take_out, value_of

GAPS = st.lists(
    st.sampled_from([" ", "\t", "\n", "\r\n", "\n    ", '// {mine, "} [\n', '/* a "b, } */', "/**/"]), max_size=3
).map("".join)
SCALARS = st.sampled_from(
    ["1", "1.50", "-0.0e3", "null", "true", '""', '"a, } // no comment"', '"\\ud83d"', '"é\\""', '"\\\\"']
)


@st.composite
def documents(draw: st.DrawFn, depth: int = 3) -> str:
    """An object with comments, odd blanks and commas behind the last member."""
    return draw(GAPS) + draw(objects(depth)) + draw(GAPS)


@st.composite
def objects(draw: st.DrawFn, depth: int) -> str:
    names = draw(st.lists(st.sampled_from(["a", "b", "servers", "é"]), unique=True, max_size=3))
    return gathered(draw, "{}", [f'"{name}"{draw(GAPS)}:{draw(GAPS)}{draw(values(depth - 1))}' for name in names])


@st.composite
def values(draw: st.DrawFn, depth: int) -> str:
    kind = draw(st.sampled_from("so["[: 3 if depth > 0 else 1]))
    if kind == "o":
        return draw(objects(depth))
    if kind == "[":
        return gathered(draw, "[]", [draw(values(depth - 1)) for _ in range(draw(st.integers(0, 2)))])
    return draw(SCALARS)


def gathered(draw: st.DrawFn, brackets: str, members: list[str]) -> str:
    inside = ",".join(f"{draw(GAPS)}{member}{draw(GAPS)}" for member in members)
    last = "," + draw(GAPS) if members and draw(st.booleans()) else "" if members else draw(GAPS)
    return brackets[0] + inside + last + brackets[1]


NEW: Any = {"command": "/opt/é", "args": ["x", '"'], "env": {}}


@given(documents())
def test_what_was_put_in_and_is_taken_out_leaves_the_same_text(text: str) -> None:
    tree = value_of(text)
    for place in (("new",), ("servers", "new")):
        inner: Any = tree
        for name in place[:-1]:
            inner = inner.get(name, {})
        if not isinstance(inner, dict):
            continue
        entered = put(text, place, NEW)
        inner[place[-1]] = NEW
        tree |= {} if len(place) == 1 else {place[0]: inner}
        assert value_of(entered) == tree
        assert put(put(entered, place, 1), place, NEW).count("/opt/é") == 1
        assert pruned(take_out(entered, place), missing(text, place[:-1])) == text
        del inner[place[-1]]
        tree = value_of(text)


@given(documents())
def test_any_member_can_be_taken_out_and_the_others_stay(text: str) -> None:
    tree = value_of(text)
    for name in tree:
        assert value_of(take_out(text, (name,))) == {other: value for other, value in tree.items() if other != name}
        if isinstance(tree[name], list):
            longer = put(text, (name, len(tree[name])), "last")
            assert value_of(longer)[name] == [*tree[name], "last"]
            assert take_out(longer, (name, len(tree[name]))) == text


@given(st.text(alphabet='{}[],:"\\/* \n1a\ufeff', max_size=12))
def test_what_is_no_json_is_refused_and_never_anything_else(text: str) -> None:
    try:
        tree = value_of(text)
        entered = put(text, ("new",), 1)
    except NotJson:
        return
    assert value_of(entered) == {**tree, "new": 1}


def test_other_dialects_are_refused_and_a_name_that_is_there_twice_where_it_must_be_clear() -> None:
    for text in ("{'a': 1}", "[" * 100_000, "{} {}", '{"a": 1,, }', '{"a": "\n"}', "\u00a0{}", '{"a": {}, "a": {}}'):
        with pytest.raises(NotJson):
            put(text, ("a", "b"), 1)
    assert put('{"x": 1, "x": 2}', ("a",), 1) == '{"x": 1, "x": 2, "a": 1}'
    deep = '{"a":' * 300 + "1" + "}" * 300
    assert json.loads(put(deep, ("b",), 1))["b"] == 1


@pytest.mark.parametrize(
    ("text", "entered"),
    [
        ("", '{\n  "a": 1\n}'),
        ("{}", '{"a": 1}'),
        ("{\n}\n", '{\n  "a": 1\n}\n'),
        ('{"b": 2}', '{"b": 2, "a": 1}'),
        ('{\r\n\t"b": 2 // mine\r\n}', '{\r\n\t"b": 2, // mine\r\n\t"a": 1\r\n}'),
        ('{\n    "b": 2,\n}', '{\n    "b": 2,\n    "a": 1,\n}'),
    ],
)
def test_it_is_written_as_its_surroundings_are(text: str, entered: str) -> None:
    assert put(text, ("a",), 1) == entered
