"""Tables in a narrow terminal: no word of a heading is broken."""

import pytest
from rich.console import Console

from scrubjay.daemon.cli import output


def test_a_word_of_a_heading_is_not_broken_where_room_is_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "console", Console(width=74))
    headings = (
        "profile",
        "state",
        "notes",
        "passages",
        "without meaning yet",
        "secrets",
        "left out",
        "missing",
        "size",
    )
    output.print_table(headings, [("personal", "idle", "73", "1,178", "0", "13", "2", "0", "101.0 MB")])
    printed = capsys.readouterr().out
    assert all(word in printed.split() for heading in headings for word in heading.split())
