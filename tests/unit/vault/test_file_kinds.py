"""Which files beside notes are found at all, by their names and the profile's settings."""

import json
from pathlib import Path

import pytest

from scrubjay.daemon.documents.extracted import Kind
from scrubjay.daemon.vault.file_kinds import file_kind, wanted_files
from scrubjay.profiles.kinds import FILE_KINDS
from scrubjay.profiles.registry.profile_settings import FileSettings


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a/Paper.PDF", "pdf"),
        ("sums.xlsx", "sheet"),
        ("plan.canvas", "canvas"),
        ("sketch.excalidraw", "drawing"),
        ("sketch.excalidraw.md", None),  # a note, as Obsidian has it
        ("Note.md", None),
        ("photo.heic", "image"),
        ("talk.mp3", "media"),
        ("tool.py", "code"),
        ("program.exe", None),
        ("README", None),
        (".pdf", None),
    ],
)
def test_a_file_s_kind_is_told_by_its_name(name: str, kind: str | None) -> None:
    assert file_kind(name) == kind


def test_every_kind_that_is_read_is_one_that_settings_and_filters_know() -> None:
    assert {kind.value for kind in Kind} <= set(FILE_KINDS)


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        (FileSettings(), {"a.pdf", "files/b.pdf", "notes/files/c.png", "d.png"}),
        (FileSettings(kinds=()), {"a.pdf", "files/b.pdf", "notes/files/c.png", "d.png"}),  # by name always
        (FileSettings(code=(".py",)), {"a.pdf", "files/b.pdf", "notes/files/c.png", "d.png", "e.py"}),
        (FileSettings(attachments=False), {"a.pdf", "notes/files/c.png", "d.png"}),
    ],
)
def test_what_is_found_is_a_setting(tmp_path: Path, settings: FileSettings, found: set[str]) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/app.json").write_text(json.dumps({"attachmentFolderPath": "Files"}), encoding="utf-8")
    wants = wanted_files(tmp_path, settings)
    names = ("a.pdf", "files/b.pdf", "notes/files/c.png", "d.png", "e.py", "f.ts", "Note.md")
    assert {name for name in names if wants(name)} == found


@pytest.mark.parametrize(
    ("setting", "left_out"),
    [
        ("./files", {"files/b.pdf", "notes/files/c.pdf"}),  # a folder beside each note
        ("/", set[str]()),
        ("./", set[str]()),
        ("", set[str]()),
        (7, set[str]()),
    ],
)
def test_the_folder_for_attachments_is_obsidian_s_own(tmp_path: Path, setting: object, left_out: set[str]) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/app.json").write_text(json.dumps({"attachmentFolderPath": setting}), encoding="utf-8")
    wants = wanted_files(tmp_path, FileSettings(attachments=False))
    names = {"a.pdf", "files/b.pdf", "notes/files/c.pdf"}
    assert {name for name in names if not wants(name)} == left_out
