"""The client is light, because every command and every hook waits for it."""

import subprocess
import sys


def test_a_command_that_asks_the_daemon_loads_neither_the_model_s_libraries_nor_the_store() -> None:
    look = (
        "import scrubjay.daemon.client, scrubjay.daemon.cli.notes.search, scrubjay.daemon.cli.notes.context, sys;"
        "import scrubjay.daemon.server.endpoints.status;"
        "heavy = {'numpy', 'apsw', 'litestar', 'onnxruntime', 'scrubjay.credential_filter', 'mcp', 'pydantic'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


def test_starting_the_daemon_begins_before_anything_that_talks_to_it_is_loaded() -> None:
    look = "import scrubjay.daemon.cli.serve, sys; print(sorted({'httpx', 'keyring', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


AT_REST = """
import sys
from unittest.mock import Mock

import scrubjay.daemon.server.daemon_process
from scrubjay.daemon.mcp.http_endpoint import McpEndpoint
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.app import create_app
from scrubjay.daemon.settings import Limits

create_app(Mock(identity=Identity.new("1.2.3"), limits=Limits()), DoorSettings(1), McpEndpoint)
some = "httpx rich cryptography mcp pydantic onnxruntime tokenizers pypdfium2 tree_sitter"
print(sorted(set(some.split()) & set(sys.modules)))
"""


def test_a_daemon_at_rest_holds_no_library_that_only_some_users_need_that_of_mcp_neither() -> None:
    done = subprocess.run([sys.executable, "-c", AT_REST], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
