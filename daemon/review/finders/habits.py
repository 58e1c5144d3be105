"""What notes are for, by their names and folders, and what is usual in a folder. Pure.

Daily notes, indexes, templates and what was put away are as they are meant to be; nobody wants to be asked about them.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from scrubjay.daemon.links.timeline import daily_date
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.note_texts import StoredNote

Folder: TypeAlias = tuple[str, str]  # vault id, path

LEAST_NOTES = 8
"""Of a folder that has habits."""

_PERIOD = re.compile(r"(?:19|20|21)\d{2}(?:[-_ ]?(?:w|kw|q)?\d{1,2})?", re.IGNORECASE)  # 2024, 2024-03, 2024-W12
_DECORATION = re.compile(r"^[\W\d_]+|[\W_]+$")  # "4. Archive", "_templates", "🗂️ Index"
_INDEX_NAMES = frozenset(
    (
        *("index", "home", "start", "start here", "readme", "moc", "map", "contents", "table of contents", "toc"),
        *("dashboard", "overview", "hub", "changelog", "license", "licence", "contributing", "code of conduct"),
        *("todo", "inbox", "übersicht", "inhalt", "startseite", "accueil", "sommaire", "inicio", "índice"),
        *("目录", "索引", "首页", "目次", "ホーム"),
    )
)
_INDEX_WORD = re.compile(r"\b(?:moc|index|overview|map of content)\b", re.IGNORECASE)
_TEMPLATES = frozenset(("templates", "template", "vorlagen", "vorlage", "modèles", "plantillas", "模板"))
_ARCHIVES = frozenset(("archive", "archives", "archived", "archiv", "archivo", "old", "attic", "trash", "归档"))
_DRAWN = frozenset(("excalidraw-plugin", "kanban-plugin"))
_TEMPLATE_TITLE = re.compile(r"(?:t - |template\b)|\btemplate$", re.IGNORECASE)


def folder_of(note: StoredNote) -> Folder:
    """The folder that a note lies in."""
    return note.vault, note.path.rpartition("/")[0]


def is_apart(note: StoredNote) -> bool:
    """Whether a note is none that is written, linked and kept up like others: a template, a drawing, put away."""
    if _DRAWN & note.properties.keys() or _TEMPLATE_TITLE.search(note.title):
        return True
    return any(_name(part) in _TEMPLATES | _ARCHIVES for part in note.path.split("/")[:-1])


def is_periodic(note: StoredNote) -> bool:
    """Whether it is a note of a day, a week, a month or a year."""
    stem = note.path.rpartition("/")[2].removesuffix(".md")
    return daily_date(note.path) is not None or _PERIOD.fullmatch(stem) is not None


def is_index(note: StoredNote) -> bool:
    """Whether it is there to lead to other notes: by its name, or since it has its folder's."""
    parts = note.path.removesuffix(".md").split("/")
    named_so = len(parts) > 1 and _name(parts[-1]) == _name(parts[-2])
    return named_so or _name(parts[-1]) in _INDEX_NAMES or _INDEX_WORD.search(note.title) is not None


def by_folder(notes: Iterable[StoredNote]) -> Mapping[Folder, Sequence[StoredNote]]:
    """The notes in each folder, those below it not."""
    found: defaultdict[Folder, list[StoredNote]] = defaultdict(list)
    for note in notes:
        found[folder_of(note)].append(note)
    return found


def shares(notes: Iterable[StoredNote], has: Callable[[StoredNote], bool]) -> Mapping[Folder, float]:
    """In how much of a folder's notes something is so, 0 to 1; of folders that have habits alone."""
    return {
        folder: sum(map(has, inside)) / len(inside)
        for folder, inside in by_folder(notes).items()
        if len(inside) >= LEAST_NOTES
    }


def usual_words(notes: Iterable[StoredNote]) -> Mapping[Folder, float]:
    """How many words a note has, the median of each folder that has habits."""
    folders = by_folder(notes).items()
    return {folder: median(note.words for note in inside) for folder, inside in folders if len(inside) >= LEAST_NOTES}


def _name(part: str) -> str:
    return fold(_DECORATION.sub("", part))
