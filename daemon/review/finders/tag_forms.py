"""Tags that differ in form only: `#todo`, `#to-do` and `#ToDo`; and a rename of all to the form that most notes use.

The same letters in the same order make one tag, whatever their case and what parts its words; between digits the parts
count, 2021-1 being another number than 202-11. An English plural is the same tag where no note has both. A nested tag
is compared part by part, so that renaming `#to-do` renames `#to-do/home`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.tag_evidence import is_colour
from scrubjay.daemon.review.proposal import Change, Kind, Option
from scrubjay.daemon.review.review_notes import NoteBody, ReviewNotes, body_of
from scrubjay.daemon.vault.markdown.markup import tag_places
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.note_texts import StoredNote

_PARTING = re.compile(r"(?<!\d)[-_]+|[-_]+(?!\d)")
_SHORTEST_PLURAL = 4  # letters of the singular
_NO_PLURAL = re.compile(r"(?:ss|us|is|os|as|ics|ews)$")
_TAG_PROPERTIES = ("tags", "tag")


@dataclass(frozen=True, slots=True)
class TagGroup:
    """The forms of one tag, or of a part of nested ones."""

    forms: tuple[str, ...]  # as written, the most used first; nested ones with the part in question last
    uses: tuple[int, ...]  # notes that have each, or one nested in it


class TagForms:
    """Finds tags that are written in several ways."""

    kinds: tuple[Kind, ...] = ("tag-forms",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """One proposal for each form that is not the usual one, with the changes of all its notes."""
        for members in notes.by_vault.values():
            for group in groups(note.tags for note in members):
                for form, uses in zip(group.forms[1:], group.uses[1:], strict=True):
                    found = _proposal(notes, members, group.forms[0], form, uses / sum(group.uses))
                    if found is not None:
                        yield found


def groups(tags_of_notes: Iterable[Sequence[str]]) -> list[TagGroup]:
    """The tags of many notes that differ in form only, in the order of their usual forms."""
    uses: defaultdict[str, defaultdict[str, set[int]]] = defaultdict(lambda: defaultdict(set))  # place -> form -> notes
    for number, tags in enumerate(tags_of_notes):
        for tag in tags:
            if MARK_START in tag or is_colour(fold(tag)):
                continue
            parts = tag.split("/")
            for depth in range(1, len(parts) + 1):
                key = "/".join(map(form_key, parts[:depth]))
                uses[key]["/".join(parts[:depth])].add(number)
    _join_plurals(uses)
    found: list[TagGroup] = []
    for forms in uses.values():
        last: defaultdict[str, set[int]] = defaultdict(
            set
        )  # by the last part: those before it have groups of their own
        whole: dict[str, Counter[str]] = {}
        for form, numbers in forms.items():
            part = form.rpartition("/")[2]
            last[part] |= numbers
            whole.setdefault(part, Counter())[form] += len(numbers)
        if len(last) > 1:
            order = sorted(last, key=lambda part: (-len(last[part]), part != part.lower(), part))
            usual = max(whole[order[0]], key=lambda form: (whole[order[0]][form], form))
            others = [form for part in order[1:] for form in sorted(whole[part])]
            counts = [len(last[order[0]]), *(whole[form.rpartition("/")[2]][form] for form in others)]
            found.append(TagGroup((usual, *others), tuple(counts)))
    return sorted(found, key=lambda group: group.forms)


def form_key(part: str) -> str:
    """A part of a tag without case, and without what parts its words, unless that stands between digits."""
    return _PARTING.sub("", fold(part)) or part


def renamed(tag: str, form: str, usual: str) -> str | None:
    """A tag with `form` as its beginning written as `usual`; None for a tag that does not begin with it."""
    if tag == form:
        return usual
    return usual + tag[len(form) :] if tag.startswith(f"{form}/") else None


def _join_plurals(uses: dict[str, defaultdict[str, set[int]]]) -> None:
    """Put plurals to their singulars where both have the same parents and are not used together: either is meant."""
    for key in sorted(uses):
        for plural in (f"{key}s", f"{key}es"):
            last = key.rpartition("/")[2]
            if plural not in uses or not last.isascii() or len(last) < _SHORTEST_PLURAL or _NO_PLURAL.search(plural):
                continue
            one = set[int]().union(*uses[key].values())
            many = set[int]().union(*uses[plural].values())
            if not one & many and key in uses:
                for form, numbers in uses.pop(plural).items():
                    uses[key][form] |= numbers


def _proposal(
    notes: ReviewNotes, members: Sequence[StoredNote], usual: str, form: str, share: float
) -> FoundProposal | None:
    having = [note for note in members if any(renamed(tag, form, usual) for tag in note.tags)]
    changes: list[Change] = []
    bodies = {
        note_id: body_of(passages, notes.by_id[note_id].title)
        for note_id, passages in notes.passages([note.note_id for note in having])
    }
    for note in having:
        changes += _changes(notes.vault_name(note), note, bodies.get(note.note_id), form, usual)
    if not changes:
        return None
    first = having[0]
    return FoundProposal(
        kind="tag-forms",
        note=first,
        subject=f"{form}\0{usual}",
        rests_on=(),
        detail=f"#{form}",
        others=tuple(notes.other(note) for note in having[:20]),
        options=(Option(id=usual, label=usual, changes=tuple(changes), score=round(1 - share, 3)),),
        strength=round(1 - share, 3),
    )


def _changes(vault: str, note: StoredNote, body: NoteBody | None, form: str, usual: str) -> Iterator[Change]:
    """What to change in one note: its frontmatter's tags, and those in its text."""
    old = [tag for tag in _frontmatter_tags(note.properties) if renamed(tag, form, usual)]
    if old:
        new = tuple(dict.fromkeys(renamed(tag, form, usual) or tag for tag in old))
        yield Change(action="remove-tags", vault=vault, path=note.path, tags=tuple(old))
        yield Change(action="add-tags", vault=vault, path=note.path, tags=new)
    if body is None:
        return
    for line, column, tag in tag_places(body.text):
        new_tag = renamed(tag, form, usual)
        place = None if new_tag is None else body.place(line, column, f"#{tag}")
        if new_tag is not None and place is not None:
            yield Change(
                action="replace",
                vault=vault,
                path=note.path,
                line=line,
                column=place,
                before=f"#{tag}",
                after=f"#{new_tag}",
            )


def _frontmatter_tags(properties: Mapping[str, str | tuple[str, ...]]) -> list[str]:
    found: list[str] = []
    for name, value in properties.items():
        if name.casefold() in _TAG_PROPERTIES:
            items = re.split(r"[,\s]+", value) if isinstance(value, str) else [i for v in value for i in v.split(",")]
            found += [item.strip().lstrip("#") for item in items if item.strip().lstrip("#")]
    return found
