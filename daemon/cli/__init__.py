"""The `scrubjay` command."""

import os
import sys


def main() -> None:
    """Entry point: run the command and leave with its exit status (0 done, 1 found or failed, 2 usage)."""
    for name in ("stdout", "stderr"):  # None where there is no console (pythonw on Windows), and then no flush either
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  (for as long as we live)
    # Before numpy is imported. Our matrices are small: handing them to several threads doubled the time of a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["context"] and "--hook" in sys.argv and "--explain" not in sys.argv:  # a person waits for that
        from scrubjay.daemon.cli.hook_guard import as_hook

        as_hook(_run)
    _run()


def _run() -> None:
    import logging

    from scrubjay.daemon.cli.app import COMPLETE_VAR, scrubjay
    from scrubjay.daemon.cli.output import speak_utf8
    from scrubjay.daemon.program import this_platform

    for stream in (sys.stdout, sys.stderr):
        speak_utf8(stream, this_platform())
    # Commands say themselves what matters; the daemon adds the file that it logs to.
    logging.getLogger().addHandler(logging.NullHandler())
    scrubjay(complete_var=COMPLETE_VAR)
