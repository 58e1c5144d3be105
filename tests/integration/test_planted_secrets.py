"""The examples of every rule, planted in real notes of every shape and indexed for real: no byte of them is stored."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from ahocorasick_rs import BytesAhoCorasick

from scrubjay.credential_filter import BUILT_IN, redact
from scrubjay.credential_filter.rules.rule import shipped_rules
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.file_store import FileStore
from tests.unit.indexing.test_prepare import count_many

FRAMES = {
    "plain": "{s}\n",
    "prose": "# Heron\n\nWe wrote it down: {s} and went on.\n",
    "fence": "Heron.\n\n```\n{s}\n```\n",
    "after-frontmatter": "---\ntitle: Heron\ntags: [weir]\n---\n\n{s}\n",
    "section": "## Weir\n\nHeron.\n\n## Keys\n\n{s}\n\n## Related\n\n- [[Heron]]\n",
    "twice": "{s}\n\nHeron.\n\n{s}\n",
    "base64 beside it": "{s}\n\nThe same, encoded: {b}\n",
}
SHORTEST = 8  # a shorter secret may stand in a note by chance


def planted() -> Iterator[tuple[str, str]]:
    """Names and texts of the notes: each example in two of the shapes, so that all meet all kinds."""
    frames = list(FRAMES.items())
    examples = [(rule.id, template) for rule in shipped_rules() if not rule.group for template in rule.must_hide]
    for number, (rule, template) in enumerate(examples):
        for turn in (number, number + 3):
            name, frame = frames[turn % len(frames)]
            example = expand(template, name)
            coded = base64.b64encode(example.encode()).decode()
            yield f"{rule} {number} {name}.md", frame.replace("{s}", example).replace("{b}", coded)


def traces(text: str) -> Iterator[str]:
    """What must not be found of a note's secrets: each line of them, as it is, and in base64 at any alignment."""
    lines = text.split("\n")
    for finding in redact(text).findings:
        rest = "\n".join(lines[finding.line - 1 :])[finding.column - 1 :]
        for secret in rest[: finding.length].split("\n"):
            if len(secret.strip()) >= SHORTEST and not secret.strip().isalpha():
                yield secret.strip()
                for shift in range(3):
                    coded = base64.b64encode(b"\0" * shift + secret.strip().encode()).decode()
                    yield coded[4:-4]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A profile's folder after the notes were indexed; the store is still open, its write-ahead log on disk."""
    folder = tmp_path_factory.mktemp("planted")
    vault = VaultFolder(id="0a1b2c3d", root=str(folder / "vault"), name="vault", allow=(".",))
    (folder / "vault").mkdir()
    for name, text in planted():
        (folder / "vault" / name).write_bytes(text.encode())
    store = FileStore.open(folder / "profile" / "index.sqlite3")
    indexer = Indexer([vault], store, PrepareContext(b"k" * 32, BUILT_IN, count_many, 256), Progress(), ReadLimits())
    indexer.reconcile(threading.Event())
    try:
        assert store.counts().notes > 500
        yield folder / "profile"
    finally:
        store.close()


def test_no_byte_of_a_secret_is_on_disk(stored: Path) -> None:
    wanted = {trace.lower(): name for name, text in planted() for trace in traces(text) if len(trace) >= SHORTEST}
    names = list(wanted.values())
    search = BytesAhoCorasick([trace.encode() for trace in wanted])
    leaks = {
        (path.name, names[number])
        for path in sorted(stored.iterdir())
        for number, _, _ in search.find_matches_as_indexes(path.read_bytes().lower())
    }
    assert leaks == set()
    assert len(wanted) > 2000
