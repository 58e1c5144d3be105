"""What other search plugins leave out of a vault, as proposals for Scrubjay's own lists.

Pure: settings in, wishes out. The settings were read in the plugins' own sources (mid-2026):

    Omnisearch          `downrankedFoldersFilters`, a list of folders that it ranks down but still finds
    Smart Connections   `folder_exclusions` and `file_exclusions`, names between commas; today in the vault's
                        `.smart-env/smart_env.json` below `smart_sources`, before that in the plugin's own file
    Copilot             `qaExclusions` and `qaInclusions`, patterns between commas, each percent-encoded;
                        `#tag`, `*.ext` and `[[note]]` are patterns too, which a list of folders can't express
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias
from urllib.parse import unquote

import msgspec

PreferenceKind: TypeAlias = Literal["exclude", "rank-down", "allow"]


@dataclass(frozen=True, slots=True)
class FolderPreference:
    """One entry of another plugin's settings. `path` is as it stands there, decoded and without blanks around it."""

    by: str
    kind: PreferenceKind
    path: str


class _Omnisearch(msgspec.Struct, frozen=True, rename="camel"):
    downranked_folders_filters: list[str] = []


class _SmartSources(msgspec.Struct, frozen=True):
    folder_exclusions: str = ""
    file_exclusions: str = ""


class _SmartEnvironment(msgspec.Struct, frozen=True):
    smart_sources: _SmartSources = _SmartSources()


class _Copilot(msgspec.Struct, frozen=True, rename="camel"):
    qa_exclusions: str = ""
    qa_inclusions: str = ""


def preferences_of_omnisearch(settings: bytes) -> tuple[FolderPreference, ...]:
    """Raises msgspec.MsgspecError for what is not its settings; as do those below."""
    read = msgspec.json.decode(settings, type=_Omnisearch)
    return _preferences("Omnisearch", "rank-down", read.downranked_folders_filters)


def preferences_of_smart_connections(settings: bytes) -> tuple[FolderPreference, ...]:
    """From `smart_env.json`."""
    return _smart(msgspec.json.decode(settings, type=_SmartEnvironment).smart_sources)


def preferences_of_old_smart_connections(settings: bytes) -> tuple[FolderPreference, ...]:
    """From the plugin's own `data.json`, as it was until version 2."""
    return _smart(msgspec.json.decode(settings, type=_SmartSources))


def preferences_of_copilot(settings: bytes) -> tuple[FolderPreference, ...]:
    """Inclusions there hide everything else, so they are what may be read here."""
    read = msgspec.json.decode(settings, type=_Copilot)
    excluded = [unquote(entry) for entry in read.qa_exclusions.split(",")]
    included = [unquote(entry) for entry in read.qa_inclusions.split(",")]
    return _preferences("Copilot", "exclude", excluded) + _preferences("Copilot", "allow", included)


# Where each keeps its settings, relative to the vault.
SOURCES: Mapping[str, Callable[[bytes], tuple[FolderPreference, ...]]] = {
    ".obsidian/plugins/copilot/data.json": preferences_of_copilot,
    ".obsidian/plugins/omnisearch/data.json": preferences_of_omnisearch,
    ".obsidian/plugins/smart-connections/data.json": preferences_of_old_smart_connections,
    ".smart-env/smart_env.json": preferences_of_smart_connections,
}


def _smart(sources: _SmartSources) -> tuple[FolderPreference, ...]:
    entries = f"{sources.folder_exclusions},{sources.file_exclusions}".split(",")
    return _preferences("Smart Connections", "exclude", entries)


def _preferences(by: str, kind: PreferenceKind, entries: list[str]) -> tuple[FolderPreference, ...]:
    return tuple(FolderPreference(by, kind, entry.strip()) for entry in dict.fromkeys(entries) if entry.strip())
