"""The client is light, because every command and every hook waits for it."""

import subprocess
import sys

import pytest

COMMAND = """
import scrubjay.daemon.client, scrubjay.daemon.cli.notes.search, scrubjay.daemon.cli.notes.context
import scrubjay.daemon.server.endpoints.status
"""
START = "import scrubjay.daemon.cli.serve"
AT_REST = """
from unittest.mock import Mock

import scrubjay.daemon.cli.app
import scrubjay.daemon.cli.machine.index_progress
import scrubjay.daemon.cli.serve
import scrubjay.daemon.server.daemon_process
from scrubjay.daemon.mcp.http_endpoint import McpEndpoint
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.app import create_app
from scrubjay.daemon.settings import Limits

create_app(Mock(identity=Identity.new("1.2.3"), limits=Limits()), DoorSettings(1), McpEndpoint)
"""


@pytest.mark.parametrize(
    ("program", "heavy"),
    [
        (COMMAND, "numpy apsw litestar onnxruntime scrubjay.credential_filter mcp pydantic"),
        (START, "httpx keyring numpy rich"),  # nothing that talks to it
        (
            AT_REST,
            "httpx rich cryptography keyring prometheus_client mcp pydantic"
            " onnxruntime tokenizers pypdfium2 sqlite3 tree_sitter scrubjay.daemon.review.look encodings.cp932",
        ),
    ],
    ids=["a command that asks", "what starts the daemon", "a daemon at rest"],
)
def test_nothing_is_loaded_that_only_others_need(program: str, heavy: str) -> None:
    look = f"{program}\nimport sys\nprint(sorted({set(heavy.split())} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
