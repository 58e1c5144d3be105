"""What PostgreSQL gets of a statement that is written for SQLite, too."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.team.connection import Statement, statement


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("SELECT 1", "SELECT 1"),
        ("SELECT a FROM b WHERE c = ? AND d = ?", "SELECT a FROM b WHERE c = $1 AND d = $2"),
        ("SELECT ?1, ?2, ?1", "SELECT $1, $2, $1"),
        ("SELECT ?12", "SELECT $12"),
        ("VALUES (?,?,?)", "VALUES ($1,$2,$3)"),
        ("SELECT '?', 'it''s ?1', ?", "SELECT '?', 'it''s ?1', $1"),
        ("SELECT ':name', '' , ?", "SELECT ':name', '' , $1"),
        ('SELECT "?", "a:b", "say ""?""" , ?', 'SELECT "?", "a:b", "say ""?""" , $1'),
        ("SELECT x::text, y::text[], ?::bigint", "SELECT x::text, y::text[], $1::bigint"),
        ("SELECT a[1:2]", "SELECT a[1:2]"),
        ("SELECT 1 -- a ? :comment's\n, ?", "SELECT 1 -- a ? :comment's\n, $1"),
        ("SELECT /* ? 'it's :here */ ?", "SELECT /* ? 'it's :here */ $1"),
        ("SELECT 1 --", "SELECT 1 --"),
        ("SELECT a FROM b INDEXED BY b_c WHERE d = ?", "SELECT a FROM b WHERE d = $1"),
        ("SELECT a FROM b\n indexed  by b_c, c", "SELECT a FROM b, c"),
        ("SELECT 'x INDEXED BY y', \"INDEXED BY z\"", "SELECT 'x INDEXED BY y', \"INDEXED BY z\""),
        ("SELECT 1 FROM a CROSS JOIN b ON a.x = b.x", "SELECT 1 FROM a JOIN b ON a.x = b.x"),
        ("FROM a CROSS JOIN b INDEXED BY i ON b.x = ?", "FROM a JOIN b ON b.x = $1"),
        ("FROM a CROSS JOIN b AS c ON c.x = ?", "FROM a JOIN b AS c ON c.x = $1"),
        ("FROM a CROSS JOIN b WHERE a.x = ?", "FROM a CROSS JOIN b WHERE a.x = $1"),
        ("FROM a CROSS JOIN b CROSS JOIN c ON c.x = b.x", "FROM a CROSS JOIN b JOIN c ON c.x = b.x"),
        ("SELECT 'CROSS JOIN b ON'", "SELECT 'CROSS JOIN b ON'"),
    ],
)
def test_a_statement_is_sent_as_postgresql_understands_it(written: str, sent: str) -> None:
    assert statement(written) == Statement(sent, ())


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("SELECT :id", Statement("SELECT $1", ("id",))),
        ("SELECT :b, :a, :b", Statement("SELECT $1, $2, $1", ("b", "a"))),
        ("SELECT id FROM t WHERE x=:x_1 AND y=(:y)", Statement("SELECT id FROM t WHERE x=$1 AND y=($2)", ("x_1", "y"))),
        ("SELECT ':a', :a::text, x::a", Statement("SELECT ':a', $1::text, x::a", ("a",))),
    ],
)
def test_values_by_name_are_numbered_in_the_order_of_their_first_use(written: str, sent: Statement) -> None:
    assert statement(written) == sent


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
PIECES = st.one_of(
    TEXTS.map(lambda text: "'" + text.replace("'", "''") + "'"),
    TEXTS.filter(bool).map(lambda name: '"' + name.replace('"', '""') + '"'),
    TEXTS.map(lambda text: "/*" + re.sub(r"[*/]", "", text) + "*/"),
    TEXTS.map(lambda text: "--" + re.sub(r"[\r\n]", "", text) + "\n"),
    st.sampled_from(["x", "42", "a.b", "x::text", "1.5e3", "$body", "=", "||", "<=", "(", ")"]),
)


@given(st.lists(PIECES | st.just("?"), max_size=12))
def test_only_marks_outside_of_texts_names_and_comments_are_numbered(pieces: list[str]) -> None:
    numbers = iter(range(1, len(pieces) + 1))
    expected = [f"${next(numbers)}" if piece == "?" else piece for piece in pieces]
    assert statement(" ".join(pieces)) == Statement(" ".join(expected), ())


@given(st.text(max_size=60))
def test_any_text_is_taken_and_what_holds_no_mark_or_advice_stays_as_it_is(text: str) -> None:
    sent = statement(text)
    if not re.search(r"[?:]|INDEXED|CROSS", text, re.IGNORECASE):
        assert sent == Statement(text, ())
