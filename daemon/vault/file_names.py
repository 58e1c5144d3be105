"""Names as files carry them, and no credential in the ones that are shown."""

from collections.abc import Collection
from pathlib import PurePosixPath

from scrubjay.credential_filter import BUILT_IN, Finding, Rules, redact

NOTE_SUFFIXES = (".md", ".markdown")


def is_note(path: str) -> bool:
    """Whether the name ends like a Markdown note's."""
    return path.lower().endswith(NOTE_SUFFIXES)


def name_of(path: str) -> str:
    """The file's name without folders."""
    return path.rpartition("/")[2]


def stem_of(path: str) -> str:
    """The file's name without folders and extension."""
    return PurePosixPath(path).stem


class Below:
    """Whether a path is one of some files and folders, or lies below one; "" is the whole vault."""

    def __init__(self, places: Collection[str]) -> None:
        self._places = frozenset(places)

    def __contains__(self, path: str) -> bool:
        if not self._places:
            return False
        names = path.split("/")
        return any("/".join(names[:length]) in self._places for length in range(len(names) + 1))

    def is_ancestor(self, folder: str) -> bool:
        """Whether one of the places lies below `folder`; "." is the vault, below which all lie."""
        return folder == "." or any(place.startswith(f"{folder}/") for place in self._places)


def redact_path(path: str, rules: Rules = BUILT_IN) -> tuple[str, tuple[Finding, ...]]:
    """`path` with the credentials in its folders' and its file's names hidden, and what was found.

    Each name stands on a line of its own before the filter, without the note's extension: a long path is then not taken
    for one random-looking string. Lines and columns of the findings count accordingly.
    """
    stem, dot, suffix = path.rpartition(".") if is_note(path) else (path, "", "")
    redacted = redact(stem.replace("/", "\n"), rules)
    if not redacted.findings:
        return path, ()
    return redacted.text.replace("\n", "/") + dot + suffix, redacted.findings


def holds_credential(name: str) -> bool:
    """Whether a credential stands in a name, of a profile or a vault, say."""
    return bool(redact(name).findings)
