"""The process that holds the model: it comes when needed, goes when idle, and nobody's death leaves a mess."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from scrubjay.daemon.models import worker_embedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.model_messages import (
    Embedded,
    EmbedQuery,
    ModelStart,
    Passages,
    Reply,
    Request,
    encode,
    reply_of,
)
from scrubjay.daemon.models.worker_embedder import WorkerEmbedder, Workers
from scrubjay.daemon.processes import worker_process
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.processes.worker_process import WorkerProcess, worker_command
from scrubjay.profiles.search.meaning.embedder import EmbedderFailed
from tests.helpers.waiting import until

LONG = [f"{number} " + "The depth of peat was measured along three transects. " * 25 for number in range(64)]


@pytest.fixture
def embedder() -> Generator[WorkerEmbedder]:
    made = WorkerEmbedder(BUNDLED)
    yield made
    made.close()


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_it_comes_with_the_first_request_or_when_it_is_warmed_and_ends_when_it_is_closed(
    embedder: WorkerEmbedder,
) -> None:
    assert embedder.worker_pid is None
    embedder.embed_query("heron")
    pid = embedder.worker_pid or 0
    assert running(pid)
    embedder.close()
    assert not running(pid)
    warmed = WorkerEmbedder(BUNDLED)
    warmed.warm()
    assert warmed.worker_pid is not None
    warmed.close()


def test_it_ends_when_idle_or_is_told_to_rest_sooner_and_comes_back() -> None:
    workers = Workers(threads=1, idle_seconds=600)
    resting, idle = workers.embedder(BUNDLED), WorkerEmbedder(BUNDLED, idle_seconds=0.3)
    vectors = [each.embed_query("heron") for each in (resting, idle)]
    workers.unload_after(0.3)
    until(lambda: resting.worker_pid is None and idle.worker_pid is None)
    assert np.array_equal(idle.embed_query("heron"), vectors[0])
    resting.close()
    idle.close()


def test_it_is_not_idle_while_it_works() -> None:
    embedder = WorkerEmbedder(BUNDLED, threads=1, idle_seconds=0.05)
    assert embedder.embed_passages(LONG[:24]).shape == (24, BUNDLED.dim)
    embedder.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "earlier",
    [[Passages(LONG[:8])], [EmbedQuery(text) for text in LONG[:8]]],
    ids=["passages", "long queries"],
)
def test_a_short_query_overtakes(earlier: list[Request]) -> None:
    command = worker_command("scrubjay.daemon.models.model_worker", worker_embedder.WORKER_ARGUMENT)
    process = WorkerProcess("Embedding", command, reply_of, Scheduler())
    process.send(encode(ModelStart(BUNDLED, 1)))
    process.ask(encode(EmbedQuery("load the model"))).result()
    answered: list[Request] = []
    os.kill(process.pid, signal.SIGSTOP)  # until all lie before it, in a pipe that holds 16 kB
    replies: list[Future[Reply]] = []
    for request in (*earlier, EmbedQuery("heron")):
        replies.append(process.ask(encode(request)))
        replies[-1].add_done_callback(lambda _, request=request: answered.append(request))
    os.kill(process.pid, signal.SIGCONT)
    until(lambda: len(answered) == len(replies))
    assert all(isinstance(reply.result(), Embedded) for reply in replies)
    process.close()
    assert answered[-1] == earlier[-1]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_closing_ends_what_is_under_way(embedder: WorkerEmbedder) -> None:
    embedder.embed_query("load the model")
    os.kill(embedder.worker_pid or 0, signal.SIGSTOP)  # it will not have answered before
    with ThreadPoolExecutor(1) as pool:
        bulk = pool.submit(embedder.embed_passages, LONG[:2])
        embedder.close()
        with pytest.raises(EmbedderFailed, match="closed"):
            bulk.result()


def test_killed_between_requests_it_is_started_again(embedder: WorkerEmbedder) -> None:
    before = embedder.embed_query("heron")
    pid = embedder.worker_pid or 0
    os.kill(pid, signal.SIGKILL)
    assert np.array_equal(embedder.embed_query("heron"), before)
    assert embedder.worker_pid != pid


def test_killed_within_a_request_the_request_is_made_again(embedder: WorkerEmbedder) -> None:
    embedder.embed_query("load the model")
    pid = embedder.worker_pid or 0
    kill = threading.Timer(0.1, os.kill, (pid, signal.SIGKILL))
    kill.start()
    assert embedder.embed_passages(LONG[:32]).shape == (32, BUNDLED.dim)
    kill.join()  # before the process is closed, whose id may then be another's


def test_one_that_is_ended_to_forget_texts_again_and_again_has_not_failed(
    embedder: WorkerEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_ever = worker_embedder.worker_command
    silent = iter([[sys.executable, "-c", "import sys; sys.stdin.buffer.read()"]] * 4)

    def silent_at_first(module: str, argument: str) -> list[str]:
        return next(silent, None) or as_ever(module, argument)

    monkeypatch.setattr(worker_embedder, "worker_command", silent_at_first)
    with ThreadPoolExecutor(1) as pool:
        vectors = pool.submit(embedder.embed_passages, LONG[:2])
        before = None
        for _ in range(4):  # profiles are locked, one after the other
            until(lambda before=before: embedder.worker_pid not in (None, before) or vectors.done())
            before = embedder.worker_pid
            embedder.forget_texts()
        assert vectors.result().shape == (2, BUNDLED.dim)


def test_one_that_always_dies_is_given_up_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def short_lived(*_: str) -> list[str]:
        started.append(1)
        return [sys.executable, "-c", "import sys; sys.stdin.buffer.read(1)"]

    monkeypatch.setattr(worker_embedder, "worker_command", short_lived)
    embedder = WorkerEmbedder(BUNDLED)
    with pytest.raises(EmbedderFailed, match="died twice"):
        embedder.embed_query("heron")
    with pytest.raises(EmbedderFailed, match="just failed"):
        embedder.embed_query("heron")
    assert len(started) == 2
    embedder.close()


NONSENSE = "import sys; sys.stdout.buffer.write({}); sys.stdout.flush(); sys.stdin.buffer.read()"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ((sys.executable, "-c", NONSENSE.format(b"hello, world")), "died twice"),
        ((sys.executable, "-c", NONSENSE.format(b"\x03\0\0\0\1" + bytes(7) + b"\x93\x01\x02")), "died twice"),
        ((sys.executable, "-c", "import time; time.sleep(600)"), "did not answer"),
        (("/nowhere/missing",), "can't be started"),
    ],
    ids=["no frame", "no reply", "never answers", "can not be started"],
)
def test_one_that_makes_no_sense_never_answers_or_can_not_be_started_is_given_up(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], said: str
) -> None:
    def instead(_module: str, _argument: str) -> list[str]:
        return list(command)

    monkeypatch.setattr(worker_embedder, "worker_command", instead)
    if said == "did not answer":
        monkeypatch.setattr(worker_embedder, "_QUERY_SECONDS", 0.3)
    embedder = WorkerEmbedder(BUNDLED)
    with pytest.raises(EmbedderFailed, match=said):
        embedder.embed_query("heron")
    embedder.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_one_that_is_stopped_holds_up_no_query_even_while_it_is_sent_passages(embedder: WorkerEmbedder) -> None:
    embedder.embed_query("load the model")
    pid = embedder.worker_pid or 0
    os.kill(pid, signal.SIGSTOP)
    with ThreadPoolExecutor(2) as pool:
        try:
            bulk = [pool.submit(embedder.embed_passages, ["peat " * 20_000]) for _ in range(2)]  # a pipe takes less
            time.sleep(0.5)
            answer = embedder.send_query("heron")
            with pytest.raises(TimeoutError):
                answer(0.2)
            with pytest.raises(EmbedderFailed, match="does not answer"):
                embedder.send_query("heron")(60)
        finally:
            os.kill(pid, signal.SIGCONT)
        assert [each.result().shape for each in bulk] == [(1, BUNDLED.dim)] * 2
    assert embedder.send_query("heron")(60).shape == (BUNDLED.dim,)


HOLDER = """
import sys, threading
from scrubjay.daemon.models.worker_embedder import WorkerEmbedder
from scrubjay.daemon.models.installed import BUNDLED
embedder = WorkerEmbedder(BUNDLED)
embedder.embed_query("heron")
threading.Thread(target=embedder.embed_passages, args=(["peat " * 250] * 500,)).start()
print(embedder.worker_pid, flush=True)
"""


def test_it_never_outlives_a_killed_daemon() -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        pid = int(holder.stdout.readline())
        assert running(pid)
        holder.kill()
    until(lambda: not running(pid))


NOISY = """
import importlib.abc, os, sys
class Noisy(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in ("fastembed", "onnxruntime", "tokenizers"):
            print("a library says hello", flush=True)
            os.write(1, b"so does its C part")
sys.meta_path.insert(0, Noisy())
"""


def test_it_is_a_program_of_its_own_that_embeds_alike_whatever_libraries_print(
    embedder: WorkerEmbedder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    vector = embedder.embed_query("heron")  # as one that was forked
    embedder.forget_texts()
    (tmp_path / "sitecustomize.py").write_text(NOISY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(worker_process, "subprocess", subprocess)
    assert np.array_equal(embedder.embed_query("heron"), vector)


def test_the_daemons_own_process_never_loads_a_model_runtime() -> None:
    code = """
import sys
import scrubjay.daemon.models.worker_embedder
import scrubjay.daemon.models.installed
import scrubjay.profiles.search.meaning.embedder
import scrubjay.daemon.models.token_counter
scrubjay.daemon.models.token_counter.TokenCounter(scrubjay.daemon.models.installed.BUNDLED).count_many(["heron"])
print(sorted({"fastembed", "onnxruntime", "huggingface_hub", "requests"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


FORBIDDEN = """
import os, socket, sys
def forbidden(*_): raise AssertionError("a socket was used")
socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = socket.getaddrinfo = forbidden
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
embedder = InProcessEmbedder(BUNDLED)
assert embedder.embed_passages(["heron"]).shape == (1, 384)
embedder.close()
"""


def test_the_bundled_model_uses_no_socket_and_leaves_no_file(tmp_path: Path) -> None:
    """The files are those by which onnxruntime's own telemetry shows, whose native sockets Python does not see."""
    own = {name: str(tmp_path) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "HF_HOME", "USERPROFILE", "TEMP")}
    env = os.environ | own
    done = subprocess.run([sys.executable, "-c", FORBIDDEN], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
