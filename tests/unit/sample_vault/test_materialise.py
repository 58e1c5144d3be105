"""Writing the sample vault out: the same bytes every time, and never over a user's own."""

import ast
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "packaging" / "sample_vault.py"
FORMATS = {
    "aws-access-key-id": r"AKIA[A-Z2-7]{16}",
    "aws-secret-access-key": r"[A-Za-z0-9/+]{40}",
    "github-pat": r"ghp_[A-Za-z0-9]{36}",
    "jwt": r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43}",
    "openai-key": r"sk-proj-[A-Za-z0-9]{74}T3BlbkFJ[A-Za-z0-9]{74}",
    "postgres-url": r"postgresql://\w+:\w{20}@[\w.]+\.example:5432/\w+",
    "private-key": r"-----BEGIN ([A-Z ]+)-----\n([A-Za-z0-9+/=]{1,70}\n)+-----END \1-----",
    "slack-webhook": r"https://hooks\.slack\.com/services/T[A-Z0-9]{10}/B[A-Z0-9]{10}/[A-Za-z0-9]{24}",
    "stripe-secret-key": r"sk_live_[A-Za-z0-9]{24}",
    "wifi-password": r"[A-Za-z0-9]{5}(-[A-Za-z0-9]{5}){2}",
}


@pytest.fixture
def vault(sample_vault: ModuleType, tmp_path: Path) -> Path:
    target = tmp_path / "vault"
    sample_vault.materialise(target)
    return target


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()
    }


def test_two_vaults_are_equal_to_the_byte(sample_vault: ModuleType, vault: Path, tmp_path: Path) -> None:
    sample_vault.materialise(tmp_path / "another")
    assert contents(tmp_path / "another") == contents(vault)


def test_every_file_is_written_and_only_notes_are_altered(sample_vault: ModuleType, vault: Path) -> None:
    source, written = contents(sample_vault.SOURCE), contents(vault)
    assert set(written) == {*source, sample_vault.MARKER}
    assert [path for path in source if not path.endswith(".md") and source[path] != written[path]] == []


def test_each_kind_of_credential_is_planted_in_its_format_and_no_template_is_left(
    sample_vault: ModuleType, vault: Path
) -> None:
    written = b"\n".join(contents(vault).values())
    fakes = {kind: sample_vault.fake(kind) for kind in sample_vault.FAKES}
    assert [kind for kind in FORMATS if not re.fullmatch(FORMATS[kind], fakes.pop(kind, ""))] == []
    assert fakes == {}, "the formats are those of all kinds"
    assert [kind for kind in FORMATS if sample_vault.fake(kind).encode() not in written] == []
    assert b"{{fake:" not in written


def test_what_the_user_changed_stays_and_what_is_missing_returns(sample_vault: ModuleType, vault: Path) -> None:
    before = contents(vault)
    (vault / "Home.md").write_text("mine now\n")
    (vault / "My own.md").write_text("new\n")
    (vault / "Recipes" / "Focaccia.md").unlink()
    sample_vault.materialise(vault)
    assert contents(vault) == before | {"Home.md": b"mine now\n", "My own.md": b"new\n"}


def test_run_cut_short_is_finished_by_the_next(sample_vault: ModuleType, vault: Path) -> None:
    before = contents(vault)
    (vault / "Home.md").rename(vault / "Home.md.part")
    sample_vault.materialise(vault)
    assert contents(vault) == before


def test_link_that_leads_nowhere_is_not_followed(sample_vault: ModuleType, vault: Path, tmp_path: Path) -> None:
    (vault / "Home.md").unlink()
    (vault / "Home.md").symlink_to(tmp_path / "elsewhere.md")
    sample_vault.materialise(vault)
    assert not (tmp_path / "elsewhere.md").exists()


def test_what_is_there_already_is_refused_and_left_alone(sample_vault: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "Diary.md").write_text("mine\n")
    for taken in (tmp_path, tmp_path / "Diary.md"):
        with pytest.raises(sample_vault.TargetTaken, match=re.escape(str(taken))):
            sample_vault.materialise(taken)
    assert contents(tmp_path) == {"Diary.md": b"mine\n"}


def test_note_is_as_old_as_it_says(vault: Path) -> None:
    days = {"Recipes/Focaccia.md": "2025-06-28", "Journal/2026-03-14.md": "2026-03-14"}
    told = {note: datetime.fromtimestamp((vault / note).stat().st_mtime, UTC).date().isoformat() for note in days}
    assert told == days


def test_script_needs_the_standard_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
