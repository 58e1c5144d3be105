"""Clients of other SDKs, over both transports: the official TypeScript one in three versions of the protocol, Vercel's.

`make test` installs them from tests/integration/mcp/sdks/package-lock.json. The Python SDK's own drives test_tools.py.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.installation import scrubjay_command
from tests.integration.mcp.conftest import Place

SDKS = Path(__file__).parent / "sdks"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(
    NODE is None or not (SDKS / "node_modules").is_dir(), reason="needs Node and `npm ci` in tests/integration/mcp/sdks"
)
CLIENTS = {
    "typescript-2026-07-28": "2026-07-28",
    "typescript-2025-11-25": "2025-11-25",
    "typescript-2025-06-18": "2025-06-18",
    "vercel-discovers": None,  # it settles on a version by itself
    "vercel-initializes": None,
}


def seen_by(client: str, place: Place, transport: str) -> Any:
    """What the client made of the server."""
    program, *arguments = scrubjay_command("mcp")
    environment = place.installation.run_environment() | {"SCRUBJAY_TOKEN": place.token}
    over = {
        "http": {"url": f"{place.url}/mcp", "token": place.token},
        "stdio": {"command": program, "args": arguments, "env": environment},
    }
    done = subprocess.run(
        [NODE or "node", "drive.mjs", client, json.dumps(over[transport])],
        cwd=SDKS,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows() -> Iterator[Any]:
    """Over HTTP all clients; of those that start a program, which takes seconds, one of each SDK with each change."""
    for client in CLIENTS:
        yield pytest.param(client, "http", id=f"{client}-http")
        is_rare = client in ("typescript-2025-11-25", "typescript-2025-06-18", "vercel-initializes")
        yield pytest.param(client, "stdio", id=f"{client}-stdio", marks=[pytest.mark.slow] if is_rare else [])


@pytest.mark.parametrize(("client", "transport"), list(rows()))
def test_a_client_of_another_sdk_can_do_all_there_is(place: Place, client: str, transport: str) -> None:
    seen = seen_by(client, place, transport)
    assert seen["version"] == (CLIENTS[client] or seen["version"])
    assert {"search", "context", "verify_answer", "forget"} <= set(seen["tools"])
    text, *links = seen["found"]["content"]
    assert "leaves at nine" in text["text"]
    assert seen["found"].get("structuredContent") is None  # nothing that could be handed on in the text's place
    assert f"#{links[0]['uri'].removeprefix('scrubjay://note/')} notes: Ferry.md:6" in text["text"]
    assert "leaves at nine" in seen["read"]["contents"][0]["text"]
    assert set(seen["prompts"]) == {"find", "recall", "brief_me"}
    assert "eels" in json.dumps(seen["filled"]["messages"])
    assert seen["refused"]["isError"]
    assert "takes no argument of that name" in seen["refused"]["content"][0]["text"]
    assert "There is no such tool." in json.dumps(seen["unknown"])
