"""`python -m tests.bench.proposals [--count N]`: pages, counts and decisions of the review, of so many proposals."""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from scrubjay.daemon.review.proposal import KINDS, Change, Option
from scrubjay.daemon.review.queue import ProposalFilter, Queue
from scrubjay.profiles.store import near_copies, proposals
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.review_answers import AnswerRow, put_answers
from scrubjay.profiles.store.store import Store
from tests.bench.running import print_figures
from tests.helpers.proposals import made_row
from tests.integration.profiles.notes import bundle

COUNT, NOTES, PAGE, ANSWERED = 30_000, 300, 100, 3_000
_TIMES = 15
_AT_ONCE = 500


def fill(store: Store, count: int) -> list[str]:
    """Keep proposals, a tenth of them answered; their keys."""
    rng = Random(1)
    notes = [bundle(f"{number}.md", f"text {number}") for number in range(NOTES)]
    with store.writing() as writer:
        ids = writer.put_notes(notes)
    stamps = near_copies.note_stamps(store, ids)
    keys = [f"{number:032x}" for number in range(count)]
    made: list[proposals.MadeProposal] = []
    for key in keys:
        note, other = rng.sample(ids, 2)
        change = Change(action="replace", vault="v", path=f"{note}.md", line=7, before="Heron", after="[[Heron]]")
        names = {note: stamps[note], other: stamps[other]}
        options = (Option(id="0", label="[[Heron Weir]]", changes=(change,)),)
        kind, strength = rng.choice(KINDS[:-1]), round(rng.random(), 3)
        made.append(made_row(key, note, names, kind=kind, path=f"{note}.md", strength=strength, options=options))
    for start in range(0, count, _AT_ONCE):
        with store.writing() as writer:
            proposals.put(writer.connection, "", made[start : start + _AT_ONCE], ())
    now, answered = time.time_ns(), keys[:: count // ANSWERED]
    put_answers(store, [AnswerRow(key, "stale", "v", "0.md", b"", b"", b"", "no", (), now) for key in answered])
    return keys


def took_ms(call: Callable[[int], object]) -> float:
    """The median of some calls, each given its number."""
    times: list[float] = []
    for number in range(_TIMES):
        began = time.perf_counter()
        call(number)
        times.append((time.perf_counter() - began) * 1000)
    return round(median(times), 2)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    count: int = parser.parse_args().count
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore.open(Path(folder) / "index.sqlite3")
        keys = fill(store, count)

        def page(wanted: ProposalFilter, offset: int) -> None:
            queue = Queue(store, "work", {"v": "v"})
            listed = queue.listing(wanted, offset + PAGE).first[offset:]
            assert len(queue.shown([each.key for each in listed])) == PAGE

        figures: dict[str, object] = {
            "proposals": count,
            f"first page of {PAGE}, with counts (ms)": took_ms(lambda _: page(ProposalFilter(), 0)),
            f"a page of {PAGE} in the middle (ms)": took_ms(lambda _: page(ProposalFilter(), count // 2)),
            f"first page of {PAGE} of a kind (ms)": took_ms(lambda _: page(ProposalFilter(kind="broken-link"), 0)),
            "one by its key (ms)": took_ms(lambda number: Queue(store, "work", {"v": "v"}).get(keys[number * 7])),
            "one decided (ms)": took_ms(lambda number: Queue(store, "work", {}).decide(keys[number * 7], "no", None)),
        }
        store.close()
    print_figures("proposals", figures)


if __name__ == "__main__":
    main()
