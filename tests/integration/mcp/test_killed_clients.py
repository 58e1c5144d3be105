"""Agents' programs that are killed in the middle leave no process behind, and the daemon as it was."""

import random
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import psutil
import pytest

from scrubjay.daemon.transport import running
from tests.helpers.installation import scrubjay_command
from tests.helpers.waiting import until
from tests.integration.mcp.conftest import Place

pytestmark = pytest.mark.slow
CLIENT = Path(__file__).with_name("killed_client.py")
CLIENTS, AT_ONCE = 24, 4  # a server takes nearly two seconds of a processor to start
LATEST_SECONDS = 5.0  # after which a client is killed: before its server has started, while it answers, or later


def killed_in_the_middle(place: Place, count: int, luck: random.Random) -> list[int]:
    """Start clients, kill each at some time, and give the ids of their servers."""
    clients = [
        subprocess.Popen(
            [sys.executable, str(CLIENT), *scrubjay_command("mcp")],
            env=place.installation.run_environment() | {"SCRUBJAY_TOKEN": place.token},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(count)
    ]
    servers: list[int] = []
    for client in clients:
        assert client.stdout
        servers.append(int(client.stdout.readline()))
    for client in clients:
        time.sleep(luck.random() * LATEST_SECONDS / count)
        client.kill()
        client.communicate()
    return servers


def test_clients_killed_in_the_middle_leave_no_process(place: Place) -> None:
    luck = random.Random(5)
    daemon = psutil.Process(running(place.installation.home).pid)
    children = len(daemon.children(recursive=True))
    files: list[int] = []
    for _ in range(CLIENTS // AT_ONCE):
        servers = killed_in_the_middle(place, AT_ONCE, luck)
        until(lambda servers=servers: not any(map(_is_ours, servers)), lambda: "a server outlives its client")
        files.append(daemon.num_fds())
    with httpx2.Client(trust_env=False, timeout=60) as http:
        assert http.get(f"{place.url}/health").status_code == 200
    assert files[-1] <= files[0] + AT_ONCE  # connections of killed clients are closed
    assert len(daemon.children(recursive=True)) <= children + 1  # the model's, once somebody searched


def _is_ours(pid: int) -> bool:
    """Whether the process still runs; an id may have passed to another program."""
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and "mcp" in process.cmdline()
    except psutil.NoSuchProcess:
        return False
