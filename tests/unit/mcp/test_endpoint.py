"""What the daemon pays for MCP before any agent asks: nothing."""

import subprocess
import sys


def test_the_daemon_does_not_load_the_mcp_library_before_an_agent_asks() -> None:
    look = "import daemon.runtime.serve, sys; print('mcp' in sys.modules or 'pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "False"
