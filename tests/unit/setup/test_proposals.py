"""What a vault and the plugins in it propose."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.setup.other_plugins import SOURCES, FolderPreference, PreferenceKind
from scrubjay.daemon.setup.vault_proposals import Overview, Proposals, TopFolder, overview, proposals

COPILOT = ".obsidian/plugins/copilot/data.json"
OMNISEARCH = ".obsidian/plugins/omnisearch/data.json"
SMART = ".smart-env/smart_env.json"
OLD_SMART = ".obsidian/plugins/smart-connections/data.json"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for folder in ("Work/Deep", "Archive", "Daily notes", ".obsidian"):
        (tmp_path / folder).mkdir(parents=True)
    for note in ("Work/a.md", "Work/Deep/b.MD", "Archive/c.markdown", "Archive/picture.png", "loose.md", ".hidden.md"):
        (tmp_path / note).write_text("text", encoding="utf-8")
    return tmp_path


def put(vault: Path, place: str, settings: object) -> None:
    (vault / place).parent.mkdir(parents=True, exist_ok=True)
    (vault / place).write_text(settings if isinstance(settings, str) else json.dumps(settings), encoding="utf-8")


def test_folders_are_told_with_the_notes_below_them(vault: Path) -> None:
    (vault / "Linked").symlink_to(vault / "Work")
    assert overview(vault) == Overview(
        (TopFolder("Archive", 1, False), TopFolder("Daily notes", 0, False), TopFolder("Work", 2, True)),
        loose_notes=1,
        complete=True,
    )


@pytest.mark.parametrize(
    ("place", "settings", "source", "taken"),
    [
        (
            COPILOT,
            {"qaExclusions": "Archive,Daily%20notes", "qaInclusions": "Work%2FDeep"},
            "Copilot",
            [("exclude", "Archive"), ("exclude", "Daily notes"), ("allow", "Work/Deep")],
        ),
        (
            OMNISEARCH,
            {"downrankedFoldersFilters": ["Archive/", ""], "hideExcluded": True},
            "Omnisearch",
            [("rank-down", "Archive")],
        ),
        (
            SMART,
            {"smart_sources": {"folder_exclusions": "Archive, Daily notes", "file_exclusions": "loose.md"}},
            "Smart Connections",
            [("exclude", "Archive"), ("exclude", "Daily notes"), ("exclude", "loose.md")],
        ),
        (
            OLD_SMART,
            {"folder_exclusions": "Archive", "api_key": ""},
            "Smart Connections",
            [("exclude", "Archive")],
        ),
    ],
)
def test_what_other_plugins_leave_out_is_proposed(
    vault: Path, place: str, settings: object, source: str, taken: list[tuple[PreferenceKind, str]]
) -> None:
    put(vault, place, settings)
    found = proposals(vault)
    assert (found.taken, found.left) == (tuple(FolderPreference(source, *each) for each in taken), ())


def test_patterns_and_what_is_not_there_are_told_but_not_taken(vault: Path) -> None:
    put(vault, COPILOT, {"qaExclusions": "%23private,*.pdf,%5B%5Ba%5D%5D,Gone,..,/etc,Archive"})
    found = proposals(vault)
    assert found.paths("exclude") == ("Archive",)
    assert [wished.path for wished in found.left] == ["#private", "*.pdf", "[[a]]", "Gone", "..", "/etc"]


def test_two_plugins_that_agree_are_named_together(vault: Path) -> None:
    put(vault, COPILOT, {"qaExclusions": "Archive"})
    put(vault, SMART, {"smart_sources": {"folder_exclusions": "Archive"}})
    found = proposals(vault)
    assert (found.paths("exclude"), found.sources("exclude")) == (("Archive",), "Copilot and Smart Connections")


@pytest.mark.parametrize("place", SOURCES)
def test_settings_that_cannot_be_read_propose_nothing(vault: Path, place: str) -> None:
    for text in ("", "{", "[]", "null", '{"qaExclusions": 3, "downrankedFoldersFilters": {}}'):
        put(vault, place, text)
        assert proposals(vault) == Proposals((), ()), text


@given(st.lists(st.text(max_size=30), max_size=5))
def test_no_entry_leads_out_of_the_vault(tmp_path_factory: pytest.TempPathFactory, entries: list[str]) -> None:
    vault = tmp_path_factory.mktemp("vault")
    (vault / "Notes").mkdir()
    put(vault, OMNISEARCH, {"downrankedFoldersFilters": [*entries, "../", "Notes/../..", "Notes"]})
    for wished in proposals(vault).taken:
        assert (vault / wished.path).resolve().is_relative_to(vault.resolve())
        assert wished.path != "."
