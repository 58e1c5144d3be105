"""A pytest plugin, for `make test`: a line a minute and one for each failure, and a word first where room is scarce."""

import shutil
import tempfile
import time
from collections.abc import Sequence

import pytest

_EVERY_SECONDS = 60.0
_ROOM = 2 << 30


@pytest.hookimpl(trylast=True)  # once there is a terminal reporter
def pytest_configure(config: pytest.Config) -> None:
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:  # xdist's workers have none
        config.pluginmanager.register(MinuteReport(terminal), "minute_report")


def pytest_report_header() -> str | None:
    """What to expect where the tests' folders may fill the disk."""
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if free >= _ROOM:
        return None
    return (
        f"There are {free >> 20} MB free below {tempfile.gettempdir()}, and the tests need up to {_ROOM >> 20}: "
        "what fails may have failed for that. TMPDIR=folder names another place."
    )


class MinuteReport:
    """Says how far the tests have come."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal
        self._start = self._said = time.monotonic()
        self._tests = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._tests = len(session.items) or self._tests

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._tests = len(ids)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Tests are counted without a letter for each."""
        if hasattr(report, "wasxfail"):
            return None
        if report.failed:
            return ("failed", "", "FAILED") if report.when == "call" else ("error", "", "ERROR")
        if report.skipped:
            return "skipped", "", "SKIPPED"
        return ("passed", "", "PASSED") if report.when == "call" else None

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        now = time.monotonic()
        if report.failed:
            self._terminal.write_line(f"failed: {report.nodeid}")
        if now - self._said < _EVERY_SECONDS:
            return
        self._said = now
        counts = {kind: len(self._terminal.stats.get(kind, ())) for kind in ("passed", "skipped", "failed", "error")}
        wrong = counts["failed"] + counts["error"]
        self._terminal.write_line(
            f"{(now - self._start) / 60:.0f} min: {sum(counts.values()):,} of {self._tests:,} tests, {wrong} failed"
        )
