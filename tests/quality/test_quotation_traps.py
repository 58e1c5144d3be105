"""Answers that cite a note and say something else, and answers that say what it says: the judge tells them apart.

In `quotation_traps.jsonl` each has its note, and says when it was written. Those of each time were measured before the
judge was mended by them: of the second 35 of 40 that say something else were caught, of the third, which are hard on
purpose and in six languages, 26 of 60, of the last 29 of 40. The judge was not mended by the last, which were measured
once: 7 of the 11 that passed are predicates that it does not know. All that say what their note says were verified.
"""

import json
from pathlib import Path

import pytest

from scrubjay.daemon.answers.checked_answer import AnswerCheck
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import VAULT_ID, index_vault
from tests.unit.answers.test_negations import LEFT_OUT

CASES = [json.loads(line) for line in Path(__file__).with_name("quotation_traps.jsonl").read_text("utf-8").splitlines()]
LAST = [(case["note"], case["answer"]) for case in CASES if not case["holds"] and case["written"] == "last"]
TRAPS = [
    *((case["note"], case["answer"]) for case in CASES if not case["holds"] and case["written"] != "last"),
    *((text, f"“{quote}” [#{{id}}]") for text, quote in LEFT_OUT),
]
TRUE = [(case["note"], case["answer"]) for case in CASES if case["holds"]]
LEAST_CAUGHT = 0.95
LEAST_OF_LAST = 0.7
FOLDER = VaultFolder(id=VAULT_ID, root="/nowhere", name="traps")
PROFILE = Profile(id="0" * 12, name="traps", colour="#000000", vaults=(FOLDER,))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    vault = tmp_path_factory.mktemp("traps")
    for number, text in enumerate(dict.fromkeys(note for note, _ in (*TRAPS, *LAST, *TRUE))):
        (vault / f"{number}.md").write_text(text, "utf-8")
    made = FileStore.open(tmp_path_factory.mktemp("store") / "index.sqlite3")
    index_vault(made, vault)
    return made


@pytest.fixture(scope="module")
def ids(store: Store) -> dict[str, str]:
    chunks = [store.read(reads.note_chunks, note.note_id)[0] for note in store.read(reads.recent)]
    return {chunk.text.strip(): chunk.digest.hex()[:12] for chunk in chunks}


def status(store: Store, ids: dict[str, str], note: str, answer: str) -> str:
    return AnswerCheck({"traps": store}, [PROFILE], answer.replace("{id}", ids[note])).reply().status


@pytest.mark.parametrize(("traps", "least"), [(TRAPS, LEAST_CAUGHT), (LAST, LEAST_OF_LAST)], ids=["known", "last"])
def test_answers_that_say_something_else_are_caught(
    store: Store, ids: dict[str, str], traps: list[tuple[str, str]], least: float
) -> None:
    passed = [answer for note, answer in traps if status(store, ids, note, answer) == "verified"]
    print(f"{len(traps) - len(passed)} of {len(traps)} caught; passed: {passed}")
    assert len(passed) <= (1 - least) * len(traps), passed


def test_answers_that_say_what_their_note_says_are_verified(store: Store, ids: dict[str, str]) -> None:
    assert [answer for note, answer in TRUE if status(store, ids, note, answer) != "verified"] == []
