"""Planning many proposals takes work in proportion to their number: lines of ours that run are counted, not time."""

from collections.abc import Callable

import pytest

from scrubjay.daemon.review.changes.change_plan import ProposalChanges, plan_together
from scrubjay.daemon.review.proposal import Change
from tests.helpers.counted import lines_run
from tests.unit.review.test_plan import Vault, append, replace

OF_ONE_NOTE = Vault({"N.md": "".join(f"a cat sits on mat {number}\n" for number in range(400))})
OF_MANY = Vault({f"{number}.md": "a cat" for number in range(400)})


def in_one_note(number: int) -> Change:
    return replace("N.md", number + 1, "cat", "[[Cat]]", 3)


def in_one_each(number: int) -> Change:
    return replace(f"{number}.md", 1, "cat", "[[Cat]]", 3)


def at_the_end(number: int) -> Change:
    return append(f"line {number}\n")


@pytest.mark.parametrize("change", [in_one_note, in_one_each, at_the_end])
def test_four_times_as_many_proposals_are_planned_with_four_times_the_work(change: Callable[[int], Change]) -> None:
    vault = OF_MANY if change is in_one_each else OF_ONE_NOTE

    def planned(count: int) -> int:
        wanted = [ProposalChanges(str(number), (change(number),)) for number in range(count)]
        return lines_run(lambda: plan_together(wanted, vault))

    one, two, four = planned(50), planned(100), planned(200)
    assert two < 2.2 * one
    assert four < 4.4 * one
