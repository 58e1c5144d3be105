"""Be a daemon over the vault in a folder; once all is indexed and searched, print the names of its threads and end.

Run as `python -m tests.integration.server.living_threads FOLDER`.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.daemon_process import Listening, serve
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.settings import Settings
from tests.helpers.installation import wait_until_indexed

_OWN = {"names", "use"}
_used = threading.Event()
_names: set[str] = set()


def main(folder: Path) -> None:
    """See above."""
    home = Home.below(folder / "home")
    threading.Thread(target=_collect, name="names", daemon=True).start()

    def ready(_: Listening) -> None:
        threading.Thread(target=_use, args=(home,), name="use").start()

    serve(home, Settings(speed="full"), 0, ready)
    print(json.dumps(sorted(_names - _OWN)))


def _collect() -> None:
    while not _used.is_set():  # what asyncio ends with is not the daemon at work
        _names.update(thread.name for thread in threading.enumerate())
        time.sleep(0.002)


def _use(home: Home) -> None:
    try:
        with ScrubjayClient.discover(home) as client:
            wait_until_indexed(client)
            for query in ("heron", "weir", "a map of the river"):
                client.ask(SEARCH, SearchAsk(query=query))
    finally:
        _used.set()
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
