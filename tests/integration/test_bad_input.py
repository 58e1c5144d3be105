"""Whatever lies in a vault, the run goes on: each bad file is counted, named and explained."""

import os
from dataclasses import dataclass

import pytest

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed

GOOD = {"Good.md": "The heron waits at the weir.", "Also good.md": "Bread rises overnight in the cold pantry."}
UNREADABLE = {
    "Huge.md": b"unusual words ",
    "Binary.md": b"unusual\x00\x01\x02" + bytes(range(256)) * 50,
    "Latin.md": "unusual: Grüße aus Köln, café".encode("latin-1"),
}
TIMES = {"Huge.md": 4_000_000}
ALIASES = "\n".join(f"b{i}: &b{i} [*b{i - 1}, *b{i - 1}]" for i in range(1, 50))
BROKEN_FRONTMATTER = {
    "Unclosed flow.md": "---\ntags: [unclosed\nstatus: {a\n---\nunusual unclosed flow",
    "Alias of itself.md": "---\na: &x [*x]\n---\nunusual alias of itself",
    "Bomb.md": f"---\nb0: &b0 [x, x]\n{ALIASES}\n---\nunusual bomb",
    "Impossible values.md": f"---\ndate: 99999-99-99\nn: {'9' * 5000}\n---\nunusual impossible values",
    "Never closed.md": "---\nnever closed\nunusual",
}


@dataclass(frozen=True)
class Outcome:
    """What a search found, by path, and the code of what failed, by path."""

    found: set[str]
    failed: dict[str, str]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A vault with everything bad in it at once, indexed by the real daemon."""
    root = tmp_path_factory.mktemp("bad")
    installation = Installation(root)
    unreadable = {path: data * TIMES.get(path, 1) for path, data in UNREADABLE.items()}
    installation.write(GOOD | unreadable | BROKEN_FRONTMATTER)
    outside = root / "outside"
    outside.mkdir()
    (outside / "Elsewhere.md").write_text("unusual words outside the vault")
    vault = installation.vault
    (vault / "folder").mkdir()
    (vault / "folder" / "loop").symlink_to(vault, target_is_directory=True)
    (vault / "out").symlink_to(outside, target_is_directory=True)
    (vault / "Out.md").symlink_to(outside / "Elsewhere.md")
    closed = vault / "Closed"
    closed.mkdir()
    (closed / "note.md").write_text("unusual")
    closed.chmod(0)
    installation.create_profile()
    try:
        with installation.daemon() as client:
            wait_until_indexed(client)
            found = {hit.path for hit in client.ask(SEARCH, SearchAsk(query="heron bread unusual", limit=50)).results}
            failed = {failure.path: failure.code for state in client.ask(STATUS).profiles for failure in state.failures}
    finally:
        closed.chmod(0o700)
    return Outcome(found, failed)


def test_the_good_notes_are_found(outcome: Outcome) -> None:
    assert set(GOOD) <= outcome.found


@pytest.mark.parametrize("path", UNREADABLE)
def test_what_is_no_readable_text_is_named_and_not_indexed(outcome: Outcome, path: str) -> None:
    assert outcome.failed.get(path) in {"too-large", "binary", "not-utf8"}
    assert path not in outcome.found


@pytest.mark.parametrize("path", BROKEN_FRONTMATTER)
def test_broken_frontmatter_does_not_lose_the_note(outcome: Outcome, path: str) -> None:
    assert path in outcome.found


def test_frontmatter_that_can_not_be_read_is_named(outcome: Outcome) -> None:
    assert outcome.failed.get("Unclosed flow.md") == "broken-frontmatter"


def test_a_link_loop_and_links_out_of_the_vault_are_not_followed(outcome: Outcome) -> None:
    assert not [path for path in outcome.found if "loop" in path or "Elsewhere" in path or path == "Out.md"]
    assert outcome.failed.get("Out.md") == "link-outside"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_named(outcome: Outcome) -> None:
    assert outcome.failed.get("Closed") == "unreadable-folder"
    assert "Closed/note.md" not in outcome.found
