"""Which files of a traced program count as ours, and which threads as a note's way."""

from pathlib import Path

import pytest

from tests.bench.hops import Recording, Step, common, embedding_threads, file_of_ours

ROOT = Path("/somewhere/repository")


@pytest.mark.parametrize(
    ("file", "ours"),
    [
        ("/somewhere/repository/daemon/vault/watcher.py", "daemon/vault/watcher.py"),
        ("/somewhere/repository/build/package/scrubjay/daemon/vault/watcher.py", "daemon/vault/watcher.py"),
        ("/somewhere/repository/tests/bench/hops.py", None),
        ("/somewhere/repository/.venv/lib/python3.11/site-packages/daemon/runner.py", None),
        ("/somewhere/else/daemon/vault/watcher.py", None),
        ("<string>", None),
    ],
)
def test_files_below_one_of_our_folders_are_ours_wherever_these_are_linked(file: str, ours: str | None) -> None:
    assert file_of_ours(file, ROOT) == ours


def test_the_threads_that_embed_are_those_that_do_so_in_any_repetition_and_filter_nothing() -> None:
    reading = {
        Step("indexing", "credential_filter/scan.py", "scan"),
        Step("indexing", "daemon/models/token_counter.py", "t"),
    }
    watching = {Step("watch", "daemon/vault/watcher.py", "_hand_on")}
    waiting = {Step("embedding", "daemon/indexing/embedding_pass.py", "embed_pending")}
    embedding = {Step("embedding", "daemon/models/worker_embedder.py", "ask")}
    replies = {Step("replies", "daemon/processes/worker_process.py", "WorkerProcess._read")}
    once = Recording(frozenset(reading | watching | waiting), 1)
    again = Recording(frozenset(reading | embedding | replies), 1)
    assert embedding_threads([once, again]) == {"embedding", "replies"}
    assert common([once, again]) == reading
