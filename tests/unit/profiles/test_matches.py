from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.store.columns import DIGEST_BYTES, PASSAGES, Columns, Matches

_NOTES = 4
_chunks = st.lists(st.tuples(st.integers(1, _NOTES), st.sampled_from((0.0, 0.0, 0.5, 1.0, 2.5))), max_size=90)


@given(_chunks, st.integers(0, 30))
def test_the_best_passages_are_the_first_of_all_in_order_with_few_of_each_note(
    chunks: list[tuple[int, float]], limit: int
):
    notes, scores = [0, *(note for note, _ in chunks)], [0.0, *(score for _, score in chunks)]
    expected: list[int] = []
    taken = Counter[int]()
    for chunk in sorted(range(len(notes)), key=lambda chunk: (-scores[chunk], chunk)):
        taken[notes[chunk]] += scores[chunk] > 0
        if scores[chunk] > 0 and taken[notes[chunk]] <= PASSAGES:
            expected.append(chunk)
    assert _matches(notes, scores).best(limit).tolist() == expected[:limit]


def _matches(notes: list[int], scores: list[float]) -> Matches:
    size = len(notes)
    none = np.zeros(_NOTES + 1, np.int32)
    digests = np.zeros((size, DIGEST_BYTES), np.uint8)
    columns = Columns(1, np.array(notes, np.int32), np.ones(size, np.int32), digests, none, none)
    return Matches(np.array(scores, np.float32), np.ones(_NOTES + 1, bool), columns)
