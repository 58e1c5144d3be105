"""The fingerprint of the rules follows the filter's own sources, so that notes are filtered anew after a change."""

from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN, Rules, data


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "finding").mkdir()
    (tmp_path / "finding" / "codes.py").write_text("one = 1\n")
    (tmp_path / "words.toml").write_text("a = 1\n")

    def files(_package: str) -> Path:
        return tmp_path

    monkeypatch.setattr(resources, "files", files)
    data.version.cache_clear()
    yield tmp_path
    data.version.cache_clear()


@pytest.mark.parametrize(
    ("name", "is_source"),
    [("finding/codes.py", True), ("words.toml", True), ("finding/new.py", True), ("notes.md", False)],
)
def test_a_change_of_a_source_changes_the_fingerprint(sources: Path, name: str, is_source: bool) -> None:
    before = data.version()
    (sources / name).write_text("two = 2\n")
    data.version.cache_clear()
    assert (data.version() != before) is is_source


def test_without_sources_the_version_of_the_program_stands_for_them(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sources / "finding" / "codes.py").unlink()
    versions: list[str] = []
    for number in ("1.0", "1.1"):
        monkeypatch.setattr(metadata, "version", {"scrubjay": number}.__getitem__)
        data.version.cache_clear()
        versions.append(data.version())
    assert versions[0] != versions[1]


def test_the_fingerprint_is_the_same_for_the_same_rules() -> None:
    assert Rules().fingerprint == BUILT_IN.fingerprint
