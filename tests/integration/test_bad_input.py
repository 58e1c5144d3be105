"""Whatever lies in a vault, the run goes on: each bad file is counted, named and explained."""

import os
from pathlib import Path

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed

GOOD = {"Good.md": "The heron waits at the weir.", "Also good.md": "Bread rises overnight in the cold pantry."}
UNREADABLE = {
    "Huge.md": b"unusual words " * 4_000_000,
    "Binary.md": b"unusual\x00\x01\x02" + bytes(range(256)) * 50,
    "Latin.md": "unusual: Grüße aus Köln, café".encode("latin-1"),
}
ALIASES = "\n".join(f"b{i}: &b{i} [*b{i - 1}, *b{i - 1}]" for i in range(1, 50))
BROKEN_FRONTMATTER = {
    "Unclosed flow.md": "---\ntags: [unclosed\nstatus: {a\n---\nunusual unclosed flow",
    "Alias of itself.md": "---\na: &x [*x]\n---\nunusual alias of itself",
    "Bomb.md": f"---\nb0: &b0 [x, x]\n{ALIASES}\n---\nunusual bomb",
    "Impossible values.md": f"---\ndate: 99999-99-99\nn: {'9' * 5000}\n---\nunusual impossible values",
    "Never closed.md": "---\nnever closed\nunusual",
}


def test_the_run_goes_on_and_each_bad_file_is_named(tmp_path: Path) -> None:
    """A vault with everything bad in it at once, indexed by the real daemon."""
    installation = Installation(tmp_path)
    vault, outside = installation.vault, tmp_path / "outside"
    installation.write(GOOD | UNREADABLE | BROKEN_FRONTMATTER | {"Closed/note.md": "unusual", "folder/kept.md": "x"})
    outside.mkdir()
    (outside / "Elsewhere.md").write_text("unusual words outside the vault")
    (vault / "folder" / "loop").symlink_to(vault, target_is_directory=True)
    (vault / "out").symlink_to(outside, target_is_directory=True)
    (vault / "Out.md").symlink_to(outside / "Elsewhere.md")
    (vault / "Closed").chmod(0)
    installation.create_profile()
    try:
        with installation.daemon() as client:
            wait_until_indexed(client)
            found = {hit.path for hit in client.ask(SEARCH, SearchAsk(query="heron bread unusual", limit=50)).results}
            failed = {failure.path: failure.code for state in client.ask(STATUS).profiles for failure in state.failures}
    finally:
        (vault / "Closed").chmod(0o700)
    assert found >= GOOD.keys() | BROKEN_FRONTMATTER.keys(), "broken frontmatter does not lose the note"
    assert {path: failed.get(path) for path in UNREADABLE} == dict(
        zip(UNREADABLE, ("too-large", "binary", "not-utf8"), strict=True)
    )
    assert not found & UNREADABLE.keys()
    assert failed.get("Unclosed flow.md") == "broken-frontmatter"
    assert not [path for path in found if "loop" in path or "Elsewhere" in path or path == "Out.md"]
    assert failed.get("Out.md") == "link-outside"
    if hasattr(os, "geteuid") and os.geteuid() != 0:  # root may read everything
        assert failed.get("Closed") == "unreadable-folder"
        assert "Closed/note.md" not in found
