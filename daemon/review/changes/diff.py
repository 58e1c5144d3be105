"""What a plan changes, as it is shown: unified diffs without secrets, and a patch of what really stands there."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from difflib import unified_diff
from itertools import accumulate

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.changes.change_plan import FilePlan
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit, edited
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.vault.read import with_line_feeds

_CONTEXT = 2  # lines around a change
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ODD = re.compile(r'[\x00-\x1f\x7f"\\]')


def shown_diff(file: FilePlan, redact: Callable[[str], str]) -> str:
    """A unified diff of the note before and after, its secrets hidden; "" where the text stays as it is.

    What is hidden before stays hidden after, whatever an edit takes from around it: the edits are made in the redacted
    text, and those that touch a line with something hidden are left out of the diff.
    """
    note = NoteText.of(file.before)
    before = redact(with_line_feeds(note.text))
    after = redact(edited(before, _shown_edits(note.text, before, file.edits)))
    if before == after:
        return ""
    return text_diff(before, after, redact(file.path), redact(file.to))


def text_diff(before: str, after: str, path: str, to: str) -> str:
    """A unified diff of two texts, as they may be shown, under these paths."""
    names = f"a/{path}", f"b/{to}"
    return "".join(_marked(unified_diff(_lines(before), _lines(after), *names, n=_CONTEXT)))


def uncovers(file: FilePlan, redact: Callable[[str], str]) -> bool:
    """Whether something that is hidden now would not be any more, since what announces it goes."""
    before, after = (
        redact(with_line_feeds(NoteText.of(data).text)).count(MARK_START) for data in (file.before, file.after)
    )
    return after < before


def is_shown_whole(file: FilePlan, redact: Callable[[str], str]) -> bool:
    """Whether all that changes is in the diff: no edit touches a line with something hidden."""
    note = NoteText.of(file.before)
    return len(_shown_edits(note.text, redact(with_line_feeds(note.text)), file.edits)) == len(file.edits)


def hidden_lines(text: str, redact: Callable[[str], str]) -> frozenset[int]:
    """The lines, counted from 1, on which something is hidden."""
    plain = with_line_feeds(text)
    pairs = zip(plain.split("\n"), redact(plain).split("\n"), strict=True)
    return frozenset(number for number, (line, shown) in enumerate(pairs, start=1) if line != shown)


def _shown_edits(text: str, shown: str, edits: Sequence[TextEdit]) -> list[TextEdit]:
    """The edits of `text` as edits of what is shown of it: the same lines, some with other characters."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    plain, seen = with_line_feeds(text).split("\n"), shown.split("\n")
    begins = [0, *accumulate(len(line) + 1 for line in seen)]

    def line_of(offset: int) -> int:
        return bisect_right(starts, offset) - 1

    mapped: list[TextEdit] = []
    for edit in edits:
        first, last = line_of(edit.start), line_of(edit.stop)
        columns = edit.start - starts[first], edit.stop - starts[last]
        added = with_line_feeds(edit.text)
        ends = min(columns[0], len(seen[first])), min(columns[1], len(seen[last]))
        touched = range(
            first, last if columns[1] == 0 and (edit.stop > edit.start or added.endswith("\n")) else last + 1
        )
        if columns[0] == len(plain[first]) and added.startswith("\n") and edit.start == edit.stop:
            touched, ends = range(0), (len(seen[first]), len(seen[first]))
        if all(plain[line] == seen[line] for line in touched):
            mapped.append(TextEdit(begins[first] + ends[0], begins[last] + ends[1], added))
    return mapped


def patch(file: FilePlan) -> str:
    """One file's part of a patch for `git apply` in the vault's folder: what stands there, hidden from nobody.

    Raises ChangeRefused for a note that no patch of text can hold.
    """
    if NoteText.of(file.before).encoding != "utf-8":
        raise ChangeRefused("not-text", f"{file.path} is in UTF-16, which a patch can't hold. Use review apply.")
    old, new = _named(f"a/{file.path}"), _named(f"b/{file.to}")
    parts = [f"diff --git {old} {new}\n"]
    if file.to != file.path:
        parts.append(f"rename from {_named(file.path)}\nrename to {_named(file.to)}\n")
    before, after = file.before.decode(), file.after.decode()
    if before != after:
        parts += _marked(unified_diff(_lines(before), _lines(after), old, new, n=3))
    return "".join(parts)


def _marked(lines: Iterable[str]) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _lines(text: str) -> list[str]:
    return _LINE.findall(text)


def _named(path: str) -> str:
    """A path as git writes it in a patch, quoted where it has to be."""
    if not _ODD.search(path):
        return path
    return '"' + _ODD.sub(lambda odd: f"\\{ord(odd[0]):03o}", path) + '"'
