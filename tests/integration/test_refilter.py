"""A change of the filter's rules reaches notes that were indexed before, and what it hides is gone from the disk."""

from pathlib import Path

import pytest

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.server.endpoints.credentials import CREDENTIALS
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.packed_texts import texts_within
from tests.helpers.installation import Installation, wait_until_indexed
from tests.unit.indexing.test_prepare import prepare

RULE = """
[[rule]]
id = "acme-badge"
about = "Door badge of Acme"
needles = ["ACME"]
regex = 'ACME-?[A-Z0-9]{12}'
must_hide = ["ACME{updigit:12}"]
must_keep = ["ACME corporation"]
"""
REFUSED = """
[[rule]]
id = "acme-door"
about = "A regex that could take very long"
needles = ["ACME"]
regex = '(A+)+x'
must_hide = ["Ax"]
must_keep = ["b"]
"""
BADGE = expand("ACME{updigit:12}", "planted")


def holding(installation: Installation, text: str) -> list[str]:
    """Names of the files below the home that hold the text, in any case: full-text indexes fold it."""
    files = installation.everything_written().items()
    return [Path(path).name for path, held in files if text.lower().encode() in held.lower()]


@pytest.fixture
def indexed(tmp_path: Path) -> Installation:
    """A note with a badge that no rule knows yet, indexed."""
    installation = Installation(tmp_path)
    installation.write(
        {"heron.md": f"# Heron\n\nThe heron opens the door with {BADGE} at dawn.\n", "weir.md": "A weir.\n"}
    )
    installation.create_profile()
    with installation.daemon() as client:
        wait_until_indexed(client)
    assert holding(installation, BADGE) == ["index.sqlite3", "index.sqlite3, unpacked"]
    return installation


def test_after_a_new_rule_the_old_bytes_are_gone_from_disk_while_the_daemon_runs(indexed: Installation) -> None:
    indexed.home.user_rules.write_text(RULE + REFUSED, encoding="utf-8")
    with indexed.daemon() as client:
        wait_until_indexed(client)
        (found,) = client.ask(CREDENTIALS).credentials
        assert (found.path, found.line, found.rule) == ("heron.md", 3, "acme-badge")
        assert holding(indexed, BADGE) == []
        (result,) = client.ask(SEARCH, SearchAsk(query="heron door", mode="lexical")).results
        assert "[REDACTED:acme-badge]" in result.snippet
        assert any("acme-door" in warning and "regex" in warning for warning in client.ask(STATUS).warnings)
    assert holding(indexed, BADGE) == []


def test_the_log_is_emptied_as_soon_as_nobody_reads(tmp_path: Path) -> None:
    store = FileStore.open(tmp_path / "index.sqlite3")
    database, log = tmp_path / "index.sqlite3", tmp_path / "index.sqlite3-wal"
    try:
        with store.writing() as writer:
            writer.put_note(prepare(f"The heron wears {BADGE}."))
        with store.reading() as connection:
            connection.execute("SELECT count(*) FROM chunk").fetchall()
            with store.writing() as writer:
                writer.put_note(prepare("The heron wears nothing."))
            assert BADGE.encode() in texts_within(log.read_bytes())  # whoever reads may still need it
        assert log.stat().st_size == 0
        assert BADGE.lower().encode() not in database.read_bytes().lower()
    finally:
        store.close()
