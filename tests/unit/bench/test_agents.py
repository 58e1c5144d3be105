"""What stands for an agent: it stops at the answer, and finds files as grep and names do."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.bench.agents import RECORDED, SAMPLE, Answers, Attempt, Call, Task, attempt, by_files, lost, table, tasks

FERRY = Task("v", "When does the ferry leave?", ("ferry", "leave"), ("at nine",), "Ferry.md")


async def three_calls(task: Task) -> Answers:
    for number, text in enumerate(("The ferry is blue.", "> It leaves **at\n> nine**.", "Never read.")):
        yield "read", f"{task.vault} {number}", text


@pytest.mark.parametrize(("facts", "calls", "tokens"), [(("at nine",), 2, 12), (("at nine", "at ten"), 3, None)])
def test_an_attempt_ends_with_the_call_that_brings_the_last_fact(
    facts: tuple[str, ...], calls: int, tokens: int | None
) -> None:
    found = asyncio.run(attempt(msgspec.structs.replace(FERRY, facts=facts), "way", three_calls))
    assert [call.asked for call in found.calls] == [f"v {number}" for number in range(calls)]
    assert (found.is_right, found.tokens() if found.is_right else None) == (tokens is not None, tokens)


@pytest.mark.parametrize(
    ("way", "calls"),
    [
        ("grep, then read files", ["grep", "read"]),
        ("grep, then lines around", ["grep", "grep -C2"]),
        ("names, then read files", ["find -name", "read"]),
    ],
)
def test_what_has_most_of_the_words_is_read_first(tmp_path: Path, way: str, calls: list[str]) -> None:
    (tmp_path / "Boats.md").write_text("The ferry is blue. The ferry is old. The ferry is slow.")
    (tmp_path / "Ferry.md").write_text("The ferry will leave\nthe pier at nine.")
    found = asyncio.run(attempt(FERRY, way, by_files({"v": tmp_path})[way]))
    assert (found.is_right, [call.tool for call in found.calls]) == (True, calls)


def test_what_is_no_word_to_grep_is_looked_for_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "C.md").write_text("(C++) is asked at nine")
    task = msgspec.structs.replace(FERRY, words=("(c++)",))
    assert asyncio.run(attempt(task, "grep", by_files({"v": tmp_path})["grep, then read files"])).is_right


def test_what_scrubjay_loses_is_named_with_those_who_had_it() -> None:
    call = (Call("t", "x", 10),)
    made = [Attempt("v", "Q?", "Scrubjay: search", False, call), Attempt("v", "Q?", "grep", True, call)]
    assert list(lost(made)) == ["Q? Right: grep."]
    assert table("T", made).row_count == 2


def test_every_task_is_recorded_in_every_way() -> None:
    known = [(task.vault, task.question) for task in tasks()]
    assert len(set(known)) == len(known)
    assert [vault == SAMPLE for vault, _ in known].count(True) == 15
    assert len(known) == 75
    recorded = [msgspec.json.decode(line, type=Attempt) for line in RECORDED.read_text("utf-8").splitlines()]
    ways = {each.way for each in recorded}
    assert {(each.vault, each.question, each.way) for each in recorded} == {
        (*one, way) for one in known for way in ways
    }
    assert len(recorded) == len(known) * len(ways)
