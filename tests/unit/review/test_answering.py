"""What was said of a proposal holds for the same text, outlives a small change, and not a large one."""

from dataclasses import replace

import numpy as np
import pytest

from scrubjay.daemon.review.answers_given import answers_that_stand
from scrubjay.daemon.review.finder import FoundProposal, key_of
from scrubjay.daemon.review.finders.shingles import WordHashes, sketch
from scrubjay.daemon.review.proposal import KINDS
from scrubjay.profiles.store.proposals import ProposalRow
from scrubjay.profiles.store.review_answers import AnswerRow, Said
from scrubjay.profiles.store.subjects import subject_digest
from tests.unit.review.stored import note

TEXT = " ".join(f"word{number}" for number in range(100))
NOW = 10**18


def found(path: str = "A.md", digest: bytes = b"1", *, subject: str = "") -> FoundProposal:
    return FoundProposal(kind="stub", note=replace(note(path), digest=digest), subject=subject)


def row(of: FoundProposal, answer: Said, text: str = TEXT, at_ns: int = NOW) -> AnswerRow:
    made = sketch(text, WordHashes()).astype("<u4").tobytes()
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


def _row(of: FoundProposal) -> ProposalRow:
    """As it is kept."""
    return ProposalRow(
        key=key_of(of),
        finder=0,
        kind=KINDS.index(of.kind),
        strength=0.0,
        vault_name="Notes",
        path=of.note.path,
        place=0,
        vault=of.note.vault,
        note_id=of.note.note_id,
        digest=of.note.digest,
        subject=subject_digest(of.subject),
        has_options=False,
        body=b"",
    )


def stands(now: FoundProposal, before: AnswerRow, text: str = TEXT, there: str = "") -> bool:
    """Whether what was said before stands for what is found now."""
    found = answers_that_stand(
        [_row(now)], [before], lambda _: sketch(text, WordHashes()), lambda _, path: path == there
    )
    assert set(found.values()) <= {before.key}
    return bool(found)


@pytest.mark.parametrize(
    ("now", "text", "holds"),
    [
        (found(), TEXT, True),
        (found(digest=b"2"), TEXT.replace("word7 ", "word seven "), True),
        (found(digest=b"2"), " ".join(reversed(TEXT.split())), False),
        (found("Elsewhere/A.md"), TEXT, True),  # the same bytes
        (found("B.md", b"2"), TEXT, False),  # another note
        (found(subject="other"), TEXT, False),
    ],
    ids=["same", "a word", "rewritten", "moved", "another note", "another subject"],
)
def test_a_refusal_holds_as_long_as_the_note_is_much_the_same(now: FoundProposal, text: str, holds: bool) -> None:
    assert stands(now, row(found(), "no"), text=text) == holds


def test_another_note_of_the_same_bytes_is_asked_about_by_itself() -> None:
    """Two empty notes, say: that the one may stay says nothing of the other, unless it is the same note, moved."""
    assert not stands(found("B.md"), row(found(), "no"), there="A.md")
    assert stands(found("B.md"), row(found(), "no"))


def test_a_key_tells_kind_place_subject_and_text_apart() -> None:
    same = key_of(found())
    others = [found("B.md"), found(digest=b"2"), found(subject="x"), replace(found(), kind="empty")]
    assert len({same, *map(key_of, others)}) == 1 + len(others)
    resting = replace(found(), rests_on=())
    assert key_of(resting) == key_of(replace(resting, note=replace(resting.note, digest=b"2")))


def test_a_note_of_a_few_words_is_the_same_only_to_the_byte() -> None:
    assert np.size(sketch("two words", WordHashes())) == 0
    assert not stands(found(digest=b"2"), row(found(), "no", text="two words"), text="two words more")
