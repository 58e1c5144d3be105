"""`scrubjay status` in a terminal of 80 columns, and any table in a narrow one."""

import pytest
from msgspec.structs import replace
from rich.console import Console

from scrubjay.daemon.cli import output, terminal
from scrubjay.daemon.cli.machine.status import print_failures, print_profiles
from scrubjay.daemon.server.endpoints.status import Failure, OnDisk, ProfileStatus, Status

QUIET = ProfileStatus("1", "home", "", (), "idle", 0, 0, None, 120_000, 1_234_567, 0, 1, 1_234_500_000, ())


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "console", Console(width=80))


def printed(capsys: pytest.CaptureFixture[str], *profiles: ProfileStatus) -> list[str]:
    print_profiles(Status("1", "", "", 0, 0, 0, profiles))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    return lines


def test_what_is_there_and_what_goes_on_is_said_of_each_profile(capsys: pytest.CaptureFixture[str]) -> None:
    busy = replace(
        QUIET,
        name="a profile with a long name",
        state="embedding",
        done=34,
        total=100,
        eta_seconds=6_000.0,
        pending_embeddings=1_000_000,
        redactions=13,
        redactions_done=2,
        on_disk=OnDisk(notes=120_000, indexed=119_998, left_out=1, missing=1, missing_paths=("a.md",)),
    )
    assert printed(capsys, busy, QUIET) == [
        "a profile with a long name: reading for meaning, 34%, 100 minutes left",
        "  120,000 notes, 1,234,567 passages, 1234.5 MB",
        "  1,000,000 passages found by words only for now",
        "  13 credentials taken out, 2 done",
        "  1 note on disk not in the index",
        "home: up to date",
        "  120,000 notes, 1,234,567 passages, 1234.5 MB",
        "  1 credential taken out",
    ]


def failure(code: str, path: str = "a.md", reason: str = "") -> Failure:
    return Failure(vault="1", path=path, code=code, reason=reason)


VANISHED = (
    "12,345 notes are no longer there, as if a drive were away. They stay in the index; "
    "`scrubjay index --forget-missing` forgets them."
)


@pytest.mark.parametrize(
    ("how", "lines"),
    [
        pytest.param(
            {"failures": (failure("broken-frontmatter"), failure("too-large"), failure("hard-links"))},
            ["home: up to date", "  1 file left out", "  1 note indexed, but not all of it"],
            id="a note that is indexed is not left out",
        ),
        pytest.param(
            {"failures": (failure("notes-missing", reason=VANISHED),)},
            [
                "home: read, but notes have vanished and wait for a word from you",
                "  12,345 notes are no longer there, as if a drive were away. They stay in the",
                "  index; `scrubjay index --forget-missing` forgets them.",
            ],
            id="kept notes that are gone from the disk",
        ),
        pytest.param(
            {"on_disk": OnDisk(notes=9, indexed=9, left_out=0, missing=0, missing_paths=(), differing=2)},
            ["home: up to date", "  2 notes here unlike the index"],
            id="copies that say something else than a team's index",
        ),
        pytest.param(
            {"state": "locked", "reason": "It is locked.", "notes": 0, "chunks": 0, "bytes_on_disk": 0},
            ["home: locked: It is locked."],
            id="nobody knows how many notes a locked profile has",
        ),
    ],
)
def test_status_says_of_a_profile_what_is_so(
    how: dict[str, object], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = printed(capsys, replace(QUIET, redactions=0, **how))
    assert [line for line in said if "passages" not in line and "credential" not in line] == lines


def test_a_time_is_said_in_one_unit_with_its_plural() -> None:
    assert [output.lasting(seconds) for seconds in (1, 59, 60, 7_000, 7_200, 200_000)] == [
        *("1 second", "59 seconds", "1 minute"),
        *("117 minutes", "2 hours", "2 days"),
    ]


def test_what_is_wrong_with_many_files_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    big = [failure("too-large", f"{number}.md", "It is too large.") for number in range(2)]
    failures = (big[0], failure("binary", "x.md", "It is no text."), big[1])
    print_failures(replace(QUIET, failures=failures), all_failures=True)
    assert capsys.readouterr().out.splitlines() == [
        "",
        "Left out of home:",
        "  0.md: It is too large. (too-large)",
        "  1.md: the same",
        "  x.md: It is no text. (binary)",
    ]


def test_a_word_of_a_heading_is_not_broken_where_room_is_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "console", Console(width=74))
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
    assert {word for heading in headings for word in heading.split()} <= set(capsys.readouterr().out.split())
