"""What the daemon pays for MCP before any agent asks: nothing."""

import subprocess
import sys

LOOK = """
import sys
from unittest.mock import Mock

import scrubjay.daemon.server.daemon_process
from scrubjay.daemon.server.app import create_app
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.mcp.http_endpoint import McpEndpoint
from scrubjay.daemon.settings import Limits

create_app(Mock(identity=Identity.new("1.2.3"), limits=Limits()), DoorSettings(1), McpEndpoint)
print(sorted({"mcp", "pydantic"} & set(sys.modules)))
"""


def test_the_daemon_does_not_load_the_mcp_library_before_an_agent_asks() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"
