"""A generated vault: the same each time, and with as much of everything as its notes ask for."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from scrubjay.credential_filter import redact
from scrubjay.daemon.vault.parse import parse_note
from tests.bench.generated_vault import LAST_DAY, Extent, rewrite, write_vault

NOTES = 240


@pytest.fixture(scope="module", name="vault")
def _vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vault = tmp_path_factory.mktemp("generated") / "vault"
    write_vault(vault, Extent(NOTES))
    return vault


def texts(vault: Path) -> dict[str, str]:
    return {str(path.relative_to(vault)): path.read_text("utf-8") for path in sorted(vault.rglob("*.md"))}


def test_the_same_extent_gives_the_same_notes_and_another_seed_others(vault: Path, tmp_path: Path) -> None:
    write_vault(tmp_path / "again", Extent(NOTES))
    write_vault(tmp_path / "other", Extent(NOTES, seed=2))
    assert texts(tmp_path / "again") == texts(vault)
    assert texts(tmp_path / "other") != texts(vault)


def test_it_has_as_many_notes_days_and_files_as_it_says(vault: Path) -> None:
    extent = Extent(NOTES)
    assert len(texts(vault)) == NOTES
    assert len(list((vault / "Daily").rglob("*.md"))) == extent.days
    assert len(list((vault / "Files").rglob("*.docx"))) == extent.files


def test_notes_have_links_to_one_another_tags_and_now_and_then_a_secret(vault: Path) -> None:
    notes = [parse_note(text, path) for path, text in texts(vault).items()]
    names = {Path(path).stem for path in texts(vault)}
    links = [link.target for note in notes for link in note.links]
    assert 6 * NOTES < len(links) < 10 * NOTES
    assert 0.9 < sum(target in names for target in links) / len(links) < 1
    assert len({tag for note in notes for tag in note.tags}) > NOTES / 3
    assert sum(bool(redact(text).findings) for text in texts(vault).values()) == NOTES // 50 + 1


def test_the_last_note_is_of_the_last_day(vault: Path) -> None:
    newest = max(path.stat().st_mtime for path in vault.rglob("*.md"))
    assert datetime.fromtimestamp(newest, UTC).date() == LAST_DAY


def test_a_checkout_adds_to_a_share_of_the_notes(vault: Path, tmp_path: Path) -> None:
    write_vault(tmp_path / "vault", Extent(NOTES))
    changed = rewrite(tmp_path / "vault", Extent(NOTES), 0.5)
    before, after = texts(vault), texts(tmp_path / "vault")
    assert len(changed) == NOTES // 2
    assert sum(before[path] != after[path] for path in before) == NOTES // 2
