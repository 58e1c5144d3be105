"""What must be so: of every file that was opened, of every byte that was written, and of the index at rest."""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from scrubjay.daemon.vault.allowlist import IgnoreFilters
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import integrity_check as integrity
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

_TABLES = {
    "notes": "SELECT path, title, mtime_ns, size, digest, fingerprint, created_ns, lang, tags, aliases, properties,"
    " redactions, anchors FROM note",
    "passages": "SELECT note.path, position, chunk.digest, headings, line, end_line, text"
    " FROM chunk JOIN note ON note.id = note_id",
    "links": "SELECT note.path, target, link.kind, line, heading, block, text FROM link JOIN note ON note.id = note_id",
    "tags": "SELECT note.path, tag_key, tag FROM note_tag JOIN note ON note.id = note_id",
    "aliases": "SELECT note.path, alias_key FROM note_alias JOIN note ON note.id = note_id",
    "properties": "SELECT note.path, name_key, position, value_key, number"
    " FROM note_property JOIN note ON note.id = note_id",
    "redactions": "SELECT note.path, line, column, rule, length FROM redaction JOIN note ON note.id = note_id",
    "left out": "SELECT path, code, reason FROM failure",
    "texts to embed": "SELECT digest, '' FROM pending_embedding",
    # Not the vectors themselves: a text that two notes share has the one of whichever was embedded first.
    "vectors": "SELECT digest, length(vector) FROM embedding",
}


def differences(store: Store, fresh: Store, *, passed_over: Collection[str] = ()) -> list[str]:
    """What an index has and a fresh one lacks, or the other way round, row for row but for ids.

    passed_over: codes of what is left out that need not be known in both.
    """
    return [
        f"{name}: {len(had)} only in the index, {len(lacked)} only in a fresh one: {next(iter([*had, *lacked]))!r}"
        for name, sql in _TABLES.items()
        for had, lacked in [_unequal(_rows(store, sql, passed_over), _rows(fresh, sql, passed_over))]
        if had or lacked
    ]


def silence(
    store: Store, vault: VaultFolder, files: Iterable[str], everything: Iterable[str], *, ignores_case: bool
) -> list[str]:
    """Which files on disk, as it spells them, are notes that may be read, and neither indexed nor left out by name.

    everything: files, folders and links, as the disk spells them. Names that hold a planted secret are passed over, and
    so is what Obsidian's settings leave out.
    """
    filters = IgnoreFilters.of_vault(vault.id, Path(vault.root))
    notes = [
        path
        for path in files
        if is_note(path) and is_allowed(vault, path, ignores_case=ignores_case) and "ghp" not in path.lower()
        if not filters.matches(_composed(path))
    ]
    told = {*store.read(reads.known_notes, vault.id), *(row.path for row in store.read(reads.failures))}
    sharing = Counter((path.rpartition("/")[0], _composed(path.rpartition("/")[2])) for path in everything)
    expected = {_shown(path, sharing) for path in notes}
    return [f"{path} is neither indexed nor left out" for path in sorted(expected - told)]


def damage(store: Store) -> list[str]:
    """What `scrubjay check` finds wrong with an index as such."""
    return [problem.about for problem in integrity.check(store)]


def trespasses(vault: VaultFolder, opened: Iterable[str], listed: Iterable[str], *, ignores_case: bool) -> list[str]:
    """Which files should never have been opened, and which folders never listed."""
    files = [
        f"opened {path}"
        for path in opened
        if not (is_note(path) and is_allowed(vault, path, ignores_case=ignores_case))
    ]
    ways = [f"listed {path}" for path in listed if path and not _leads_to_allowed(vault, path, ignores_case)]
    return files + ways


def leaks(written: bytes, secrets: Iterable[str]) -> list[str]:
    """Which planted secrets stand in these bytes, as they are or as words are indexed; a half of one is one."""
    return [
        f"{secret[:8]}… was written"
        for secret in secrets
        if any(form.encode() in written for form in (secret[6:24], secret[6:24].lower()))
    ]


def is_allowed(vault: VaultFolder, path: str, *, ignores_case: bool) -> bool:
    """Whether a file or folder may be opened, as the user's guide says it, in other words than the program's."""
    if any(name.startswith(".") for name in path.split("/")):
        return False
    if any(_lies_in(path, excluded, ignores_case=True) for excluded in vault.exclude):
        return False
    return any(allowed == "." or _lies_in(path, allowed, ignores_case=ignores_case) for allowed in vault.allow)


def _leads_to_allowed(vault: VaultFolder, folder: str, ignores_case: bool) -> bool:
    inside = is_allowed(vault, folder, ignores_case=ignores_case)
    return inside or any(_lies_in(allowed, folder, ignores_case=ignores_case) for allowed in vault.allow)


def _lies_in(path: str, folder: str, *, ignores_case: bool) -> bool:
    key = file_key if ignores_case else _composed
    return f"{key(path)}/".startswith(f"{key(folder)}/")


def _shown(path: str, sharing: Counter[tuple[str, str]]) -> str:
    """The name of a note in the index: each part composed, but where it lies beside one that composes to the same."""
    above, _, name = path.rpartition("/")
    shown = name if sharing[(above, _composed(name))] > 1 else _composed(name)
    return f"{_shown(above, sharing)}/{shown}" if above else shown


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def _rows(store: Store, sql: str, passed_over: Collection[str]) -> Counter[tuple[Any, ...]]:
    with store.reading() as connection:
        return Counter(tuple(row) for row in connection.execute(sql) if row[1] not in passed_over)


def _unequal(
    one: Counter[tuple[Any, ...]], other: Counter[tuple[Any, ...]]
) -> tuple[Counter[tuple[Any, ...]], Counter[tuple[Any, ...]]]:
    return one - other, other - one
