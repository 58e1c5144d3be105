"""The filter over one note with decisions: what is allowed stands, and nothing else does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.credential_filter import BUILT_IN, redact, redact_many
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.indexing.prepare import NoteFilter
from scrubjay.profiles.store.rows import NO_DECISIONS, Decisions

KEY = b"k" * 32
TOKENS = [expand("ghp_{alnum:36}", str(number)) for number in range(4)]
PASSWORD = "Kak" + "tus#" + "31935q"
LINES = st.sampled_from([*(f"It is {token}." for token in TOKENS), f"password: {PASSWORD}", "A heron.", ""])


def found_in(text: str, decisions: Decisions = NO_DECISIONS, everywhere: frozenset[str] = frozenset()) -> NoteFilter:
    made = NoteFilter(BUILT_IN, KEY, everywhere, decisions)
    made.whole(text)
    return made


def shown(text: str, decisions: Decisions = NO_DECISIONS, everywhere: frozenset[str] = frozenset()) -> str:
    return NoteFilter(BUILT_IN, KEY, everywhere, decisions).whole(text)


def digest_of(token: str) -> str:
    (found,) = found_in(f"It is {token}.").found
    return found.digest


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(LINES, max_size=8), allowed=st.sets(st.sampled_from(TOKENS)))
def test_exactly_the_allowed_values_stand_wherever_they_are(lines: list[str], allowed: set[str]) -> None:
    text = "\n".join(lines)
    decisions = Decisions(allowed=frozenset(map(digest_of, allowed)))
    left = shown(text, decisions)
    assert {token for token in TOKENS if token in left} == {token for token in allowed if token in text}
    assert PASSWORD not in left
    assert left.count("\n") == text.count("\n")
    standings = {each.row.standing for each in found_in(text, decisions).found}
    assert ("allowed" in standings) == any(token in text for token in allowed)


def test_nothing_is_decided_by_another_key_and_done_hides_as_before() -> None:
    text = f"It is {TOKENS[0]}.\n"
    digest = digest_of(TOKENS[0])
    other = NoteFilter(BUILT_IN, b"x" * 32, frozenset(), Decisions(allowed=frozenset({digest})))
    assert TOKENS[0] not in other.whole(text)
    done = found_in(text, Decisions(done=frozenset({digest})))
    assert [each.row.standing for each in done.found] == ["done"]
    assert shown(text, Decisions(done=frozenset({digest}))) == redact(text).text


def test_two_values_of_one_line_are_decided_about_apart() -> None:
    text = f"One {TOKENS[0]} and two {TOKENS[1]}."
    left = shown(text, everywhere=frozenset({digest_of(TOKENS[1])}))
    assert (TOKENS[0] in left, TOKENS[1] in left) == (False, True)


def test_texts_that_are_stored_together_hide_what_one_of_them_names() -> None:
    kept = redact_many((f"The password: {PASSWORD}\nis old", "heron", PASSWORD))
    assert not any(PASSWORD in text for text in kept)
    assert (kept[0].count("\n"), kept[1]) == (1, "heron")
