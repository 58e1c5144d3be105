"""One edit of many notes, such as all that a search finds: what it changes in each, as a person is shown it.

Text is found in what is shown of a note, so that nobody learns by trying what is hidden there; and a line on which
something is hidden is left alone.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from scrubjay.credential_filter import MARK
from scrubjay.daemon.printable import is_printable
from scrubjay.daemon.review.changes.change_plan import Place, VaultFiles, plan
from scrubjay.daemon.review.changes.diff import is_shown_whole, shown_diff, uncovers
from scrubjay.daemon.review.changes.note_text import NoteText
from scrubjay.daemon.review.changes.property_changes import is_property
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.tag_changes import is_tag
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.vault.frontmatter import read_frontmatter
from scrubjay.daemon.vault.markdown.markup import link_targets
from scrubjay.daemon.vault.read import with_line_feeds

_Text = Annotated[str, Meta(max_length=2_000, pattern=r"^[^\x00]*$")]
Action: TypeAlias = Literal["replace", "add-tag", "remove-tag", "set-property", "remove-property"]


class ResultEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be done to each note. Text is replaced as it is written: nothing in it is a pattern."""

    action: Action
    find: _Text = ""  # replace: within one line
    after: _Text = ""  # replace: what is written in its place
    whole_word: bool = False  # replace: not where letters, digits or _ go on before or after it
    match_case: bool = False  # replace
    frontmatter: bool = False  # replace: also in the properties
    name: _Text = ""  # of the tag, without "#", or of the property
    value: _Text = ""  # set-property

    @property
    def wrong(self) -> str:
        """Why it is no edit of any note, in a sentence; "" where it is one."""
        if not all(map(is_printable, (self.find, self.after, self.name, self.value))):
            return "A text holds control characters, or marks that turn the direction of writing."
        only_replaces = (self.find, self.after, self.whole_word, self.match_case, self.frontmatter)
        match self.action:
            case action if action != "replace" and any(only_replaces):
                return "A text to find, one to put in its place, and how it is found go with replacing alone."
            case "replace" if len(self.find.splitlines()) != 1:
                return "Say which text is to be replaced, within one line."
            case "add-tag" | "remove-tag" if not is_tag(self.name):
                return "Name a tag without #, blanks or commas, such as project/boat."
            case "set-property" | "remove-property" if not is_property(self.name) or len(self.value.splitlines()) > 1:
                return "Name one property, with a value of one line; tags are added and removed as tags."
            case _:
                return ""

    def changes(self, place: Place, text: str, redact: Callable[[str], str]) -> tuple[Change, ...]:
        """What it changes in a note; nothing where it says nothing of that note."""
        vault, path = place
        match self.action:
            case "replace":
                return tuple(self._replacements(place, text, redact))
            case "add-tag":
                return (Change(action="add-tags", vault=vault, path=path, tags=(self.name,)),)
            case "remove-tag":
                return (Change(action="remove-tags", vault=vault, path=path, tags=(self.name,)),)
            case action:
                return (Change(action=action, vault=vault, path=path, name=self.name, value=self.value),)

    def asides(self, text: str, redact: Callable[[str], str]) -> tuple[int, int]:
        """Of a text that is replaced: how often it stands in the target of a link, which leads elsewhere then; and how
        many lines that hold it, as they are shown, are left alone since something else on them is hidden.
        """
        pattern = self._pattern()
        if self.action != "replace" or not pattern.search(text):
            return 0, 0
        plain = with_line_feeds(text)
        leads = bytearray(len(plain))  # 1: by this character a link leads somewhere
        for start, stop in link_targets(plain):
            leads[start:stop] = b"\1" * (stop - start)
        in_links = left = at = 0
        for line, shown, is_meant in self._lines(plain, redact):
            if is_meant:
                in_links += sum(1 in leads[at + hit.start() : at + hit.end()] for hit in pattern.finditer(line))
            else:
                left += line != shown and pattern.search(MARK.sub("\0", shown)) is not None
            at += len(line) + 1
        return in_links, left

    def _replacements(self, place: Place, text: str, redact: Callable[[str], str]) -> Iterator[Change]:
        pattern = self._pattern()
        if not pattern.search(text):
            return
        for number, (line, _, is_meant) in enumerate(self._lines(with_line_feeds(text), redact), start=1):
            for found in pattern.finditer(line) if is_meant else ():
                if found[0] != self.after:
                    yield Change(
                        action="replace",
                        vault=place[0],
                        path=place[1],
                        line=number,
                        column=found.start() + 1,
                        before=found[0],
                        after=self.after,
                    )

    def _lines(self, plain: str, redact: Callable[[str], str]) -> Iterator[tuple[str, str, bool]]:
        """Each line, as it is shown, and whether text is replaced on it."""
        first = 0 if self.frontmatter else read_frontmatter(plain).lines
        lines = zip(plain.split("\n"), redact(plain).split("\n"), strict=True)
        for number, (line, shown) in enumerate(lines, start=1):
            if number > first:
                yield line, shown, line == shown
            else:
                yield line, line, False

    def _pattern(self) -> re.Pattern[str]:
        """Finds the text, composed or decomposed. One of fixed texts, so it takes no longer than the note is long."""
        forms = dict.fromkeys((self.find, *(unicodedata.normalize(form, self.find) for form in ("NFC", "NFD"))))
        found = "|".join(map(re.escape, forms))
        if self.whole_word:
            found = rf"(?<!\w)(?:{found})(?!\w)"
        return re.compile(found, 0 if self.match_case else re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EditedNote:
    """What an edit makes of one note."""

    changes: tuple[Change, ...]  # none where it stays as it is
    diff: str  # unified, secrets hidden
    digest: str  # hex, keyed, of the file's bytes as they are now
    in_links: int  # of a text that is replaced, as `ResultEdit.asides` says
    left_lines: int


def edited_note(
    edit: ResultEdit,
    place: Place,
    notes: VaultFiles,
    *,
    digest: Callable[[bytes], bytes],
    indexed: bytes | None,
    redact: Callable[[str], str],
) -> EditedNote:
    """What the edit makes of a note.

    digest: of a file's bytes, as the index keeps it. indexed: what it has of this note, which was found by that.
    Raises ChangeRefused where the note must stay as it is.
    """
    redact = cache(redact)  # the same text is looked at several times
    before = notes.read(place)
    text = NoteText.of(before).text
    changes = edit.changes(place, text, redact)
    in_links, left_lines = edit.asides(text, redact)
    files = plan(changes, notes)
    if not files:
        return EditedNote((), "", "", 0, left_lines)
    is_other = edit.action != "replace" and indexed not in (None, digest(before))  # does it match the query still?
    if is_other or files[0].before != before:
        raise ChangeRefused("changed", "It has changed since it was read; look again in a moment.")
    if not is_shown_whole(files[0], redact) or uncovers(files[0], redact):
        raise ChangeRefused("credential", "A hidden credential would be touched, or come to light; edit it by hand.")
    return EditedNote(changes, shown_diff(files[0], redact), digest(before).hex(), in_links, left_lines)


def shown_key(profile: str, place: Place, digest: str) -> str:
    """The name of a note as it was shown: another one for each note, and each text of it."""
    return blake2b("\0".join((profile, *place, digest)).encode(), digest_size=5).hexdigest()
