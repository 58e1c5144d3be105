"""`python -m tests.bench.panel --vault PATH`: from a key on the search page to the paint of what it finds, in Chromium.

A daemon indexes the vault by words, vectors are made up, and `obsidian-plugin/e2e/measure.mjs` types into its page.
The bars, for 16,894 notes on a machine at rest: p50 25 ms, p95 60 ms.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from scrubjay.daemon.server.endpoints.status import STATUS
from tests.bench.indexing import make_up_vectors
from tests.bench.running import Daemon, running_daemon, wait_for

_PANEL = Path(__file__).parents[2] / "obsidian-plugin"
_HOUR = 3_600


def main() -> None:
    """Index a vault, then let `npm run bench` type and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--home", type=Path, help="keep the index here, and use it again")
    arguments = parser.parse_args()
    with running_daemon(arguments.vault, arguments.home) as daemon:
        wait_for(lambda: _state(daemon) in ("embedding", "idle"), seconds=_HOUR, every=1)
        make_up_vectors(daemon.home)
        wait_for(lambda: _state(daemon) == "idle", seconds=_HOUR, every=1)
        address = subprocess.run(
            [sys.executable, "-m", "scrubjay.daemon", "open", "--print"],
            env=os.environ | {"SCRUBJAY_HOME": str(daemon.home.state.parent)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        subprocess.run(["npm", "run", "--silent", "bench"], cwd=_PANEL, input=address, text=True, check=True)


def _state(daemon: Daemon) -> str:
    return daemon.client.ask(STATUS).profiles[0].state


if __name__ == "__main__":
    main()
