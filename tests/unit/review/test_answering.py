"""What was said of a proposal holds for the same text, outlives a small change, and not a large one."""

from dataclasses import replace

import numpy as np
import pytest

from scrubjay.daemon.review.answers_given import LATER_NS, answered, key_of
from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.shingles import sketch
from scrubjay.daemon.review.proposal import Option
from scrubjay.profiles.store.review_answers import AnswerRow, Said
from scrubjay.profiles.store.subjects import subject_digest
from tests.unit.review.stored import note

TEXT = " ".join(f"word{number}" for number in range(100))
NOW = 10**18


def found(
    path: str = "A.md", digest: bytes = b"1", *, subject: str = "", options: tuple[Option, ...] = ()
) -> FoundProposal:
    return FoundProposal(kind="stub", note=replace(note(path), digest=digest), subject=subject, options=options)


def row(of: FoundProposal, answer: Said, text: str = TEXT, at_ns: int = NOW) -> AnswerRow:
    made = sketch(text).astype("<u4").tobytes()
    return AnswerRow(
        key_of(of),
        of.kind,
        of.note.vault,
        of.note.path,
        subject_digest(of.subject),
        of.note.digest,
        made,
        answer,
        (),
        at_ns,
    )


def said(now: FoundProposal, *rows: AnswerRow, text: str = TEXT, there: str = "") -> str:
    return answered({key_of(now): now}, rows, lambda _: sketch(text), lambda _, path: path == there, NOW)[0].answer


@pytest.mark.parametrize(
    ("now", "text", "answer"),
    [
        (found(), TEXT, "no"),
        (found(digest=b"2"), TEXT.replace("word7 ", "word seven "), "no"),
        (found(digest=b"2"), " ".join(reversed(TEXT.split())), "open"),
        (found("Elsewhere/A.md"), TEXT, "no"),  # the same bytes
        (found("B.md", b"2"), TEXT, "open"),  # another note
        (found(subject="other"), TEXT, "open"),
    ],
    ids=["same", "a word", "rewritten", "moved", "another note", "another subject"],
)
def test_a_refusal_holds_as_long_as_the_note_is_much_the_same(now: FoundProposal, text: str, answer: str) -> None:
    assert said(now, row(found(), "no"), text=text) == answer


def test_another_note_of_the_same_bytes_is_asked_about_by_itself() -> None:
    """Two empty notes, say: that the one may stay says nothing of the other, unless it is the same note, moved."""
    assert said(found("B.md"), row(found(), "no"), there="A.md") == "open"
    assert said(found("B.md"), row(found(), "no")) == "no"


def test_what_was_applied_is_not_held_against_what_is_found_afterwards() -> None:
    option = Option(id="x", label="x", changes=())
    before, after = found(options=(option,)), found(digest=b"2", options=(option,))
    assert said(before, row(before, "done")) == "done"
    assert said(after, row(before, "done")) == "open"
    assert said(found(digest=b"2"), row(found(), "done")) == "done", "a hint that was seen to"


def test_later_is_asked_again_after_a_week() -> None:
    assert said(found(), row(found(), "later")) == "later"
    assert said(found(), row(found(), "later", at_ns=NOW - LATER_NS - 1)) == "open"


def test_a_key_tells_kind_place_subject_and_text_apart() -> None:
    same = key_of(found())
    others = [found("B.md"), found(digest=b"2"), found(subject="x"), replace(found(), kind="empty")]
    assert len({same, *map(key_of, others)}) == 1 + len(others)
    resting = replace(found(), rests_on=())
    assert key_of(resting) == key_of(replace(resting, note=replace(resting.note, digest=b"2")))


def test_a_note_of_a_few_words_is_the_same_only_to_the_byte() -> None:
    assert np.size(sketch("two words")) == 0
    assert said(found(digest=b"2"), row(found(), "no", text="two words"), text="two words more") == "open"
