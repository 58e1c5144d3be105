"""The figures that others publish, over two questions whose answers are known."""

import json
from pathlib import Path

from scrubjay.daemon.models.in_process import InProcessEmbedder
from tests.quality.beir import load
from tests.quality.public import FoundAt, ask, conversations, histories, table

QUESTION = {
    "question_id": "q1",
    "question_type": "single-session-assistant",
    "question": "Where does the heron wait?",
    "question_date": "2023/05/30 (Tue) 23:40",
    "answer": "At the weir",
    "answer_session_ids": ["answer_280352e9"],
    "haystack_session_ids": ["sharegpt_yywfIrx_0", "answer_280352e9"],
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:57"],
    "haystack_sessions": [
        [{"role": "user", "content": "The ferry leaves at nine."}, {"role": "assistant", "content": "Noted."}],
        [
            {"role": "user", "content": "Which birds are at the lake?", "has_answer": False},
            {"role": "assistant", "content": "The heron waits at the weir.", "has_answer": True},
        ],
    ],
}
"""As `longmemeval_s_cleaned.json` has it."""
COUNTED = {
    **QUESTION,
    "question_id": "gpt4_2655b836",
    "question_type": "multi-session",
    "question": "How many birds and ferries are there?",
    "answer": 2,
    "answer_session_ids": ["sharegpt_yywfIrx_0", "answer_280352e9"],
}


def test_a_question_is_asked_of_its_own_history_and_one_without_an_answer_not_at_all(
    tmp_path: Path, embedder: InProcessEmbedder
) -> None:
    file = tmp_path / "longmemeval.json"
    file.write_text(json.dumps([QUESTION, {**QUESTION, "question_id": "q2_abs"}]), "utf-8")
    parts = list(histories(file, tmp_path / "made"))
    assert [part.name for part in parts] == ["q1"]
    (found,) = ask(parts[0], tmp_path / "cache", embedder)
    assert found.places == (0,)


def test_a_session_is_read_with_what_both_said_and_its_date_and_all_that_holds_the_answer_counts(
    tmp_path: Path, embedder: InProcessEmbedder
) -> None:
    file = tmp_path / "longmemeval.json"
    file.write_text(json.dumps([QUESTION, COUNTED]), "utf-8")
    parts = list(histories(file, tmp_path / "made"))
    last = parts[0].documents[-1]
    assert (last.id, last.title) == ("answer_280352e9", "2023/05/21 (Sun) 02:57")
    assert last.text == "user: Which birds are at the lake?\n\nassistant: The heron waits at the weir."
    found = [each for part in parts for each in ask(part, tmp_path / "cache", embedder)]
    assert [each.kind for each in found] == ["category=single-session-assistant", "category=multi-session"]
    assert sorted(map(str, found[1].places)) == ["0", "1"]
    assert table("LongMemEval-S", found).row_count == 3


def test_a_conversation_has_its_own_turns_alone(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    turns = [{"_id": f"conv-{part}/D1:{turn}", "title": "", "text": "x"} for part in (1, 2) for turn in (1, 2)]
    questions = [{"_id": f"conv-{part}-q0", "text": "x"} for part in (1, 2)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, turns)), "utf-8")
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, questions)), "utf-8")
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nconv-1-q0\tconv-1/D1:2\t1\nconv-2-q0\tconv-2/D1:1\t1\n", "utf-8"
    )
    parts = list(conversations(load(tmp_path)))
    assert [[each.id for each in part.documents] for part in parts] == [
        ["conv-1/D1:1", "conv-1/D1:2"],
        ["conv-2/D1:1", "conv-2/D1:2"],
    ]


def test_any_and_all_are_counted_apart() -> None:
    found = FoundAt("", (0, 6, None))
    assert [(found.any_within(depth), found.all_within(depth)) for depth in (1, 10)] == [(True, False), (True, False)]
    assert FoundAt("", (0, 6)).all_within(10)
    assert not FoundAt("", (6,)).any_within(5)
