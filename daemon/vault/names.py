"""Names as files carry them: one spelling for each, and no credential in the ones that are shown."""

import unicodedata
from pathlib import PurePosixPath

from credential_filter import BUILT_IN, Finding, Rules, redact

NOTE_SUFFIXES = (".md", ".markdown")


def nfc(name: str) -> str:
    """The composed form (Unicode NFC): file systems spell "é" in two ways, and both must meet as one name."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def folded(name: str) -> str:
    """A key under which names that differ only in case or normalisation are equal."""
    return name.lower() if name.isascii() else nfc(nfc(name).casefold())


def is_note(path: str) -> bool:
    """Whether the name ends like a Markdown note's."""
    return path.lower().endswith(NOTE_SUFFIXES)


def stem_of(path: str) -> str:
    """The file's name without folders and extension."""
    return PurePosixPath(path).stem


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
