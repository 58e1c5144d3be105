"""The `scrubjay` command."""

import os
import sys


def main() -> None:
    """Entry point: run the command and leave with its exit status (0 done, 1 found or failed, 2 usage)."""
    # Before numpy is imported. Our matrices are small: handing them to several threads doubled the time of a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["context"] and "--hook" in sys.argv:
        from scrubjay.daemon.cli.hook_guard import as_hook

        as_hook(_run)
    _run()


def _run() -> None:
    import logging

    from scrubjay.daemon.cli.app import COMPLETE_VAR, scrubjay

    # Commands say themselves what matters; the daemon adds the file that it logs to.
    logging.getLogger().addHandler(logging.NullHandler())
    scrubjay(complete_var=COMPLETE_VAR)
