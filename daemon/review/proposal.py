"""A proposal, one small decision about some notes; and the changes of notes that it would come to.

Everything here is a value that clients read without numpy. Nothing here writes a note.
"""

from typing import Literal, TypeAlias, get_args

import msgspec

Kind: TypeAlias = Literal[
    "broken-link",  # a link leads nowhere; the note that was probably meant
    "near-copy",  # nearly the same text stands in another note
    "replaced",  # a newer note of the same subject says otherwise: a hint
    "intake",  # new in the folder named as inbox: where it belongs, with which tags and links
    "suggested",  # put forward by a program (`review_propose`)
    "tag-forms",  # one tag written in several ways
    "untagged",  # no tags; some of the vault's own would fit
    "missing-link",  # a note's name stands in another as plain words
    "orphan",  # nothing links to it, and it links to nothing
    "dead-end",  # it is linked to, and links to nothing
    "empty",  # no text at all
    "stub",  # hardly begun
    "stale",  # untouched for longer than notes of its folder usually are
    "long",  # so long that parts of it would be found better alone
]
"""What a proposal is about, in the order in which kinds are shown: what is wrong before what could be better."""

KINDS: tuple[Kind, ...] = get_args(Kind)

Answer: TypeAlias = Literal["open", "yes", "no", "later", "done"]
"""What the user said. yes: accepted, to be applied. done: applied, or seen to. no: never asked again for this text."""

Ground: TypeAlias = Literal["known", "new", "linked", "complete"]
"""What a note in the inbox is scored on: of something the vault knows, not there already, linked, finished."""

ChangeAction: TypeAlias = Literal[
    "replace", "add-tags", "remove-tags", "set-property", "remove-property", "append", "move"
]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One change of one note, as Obsidian can make it and as a patch can."""

    action: ChangeAction
    vault: str  # its name
    path: str
    line: int = 0  # replace: 1-based line of the file
    column: int = 0  # replace: 1-based code point in that line at which `before` stands; 0: it stands there just once
    before: str = ""  # replace: what must stand there, within one line; else nothing is changed
    after: str = ""  # replace, append: what is written; append: whole lines at the end of the note
    tags: tuple[str, ...] = ()  # add-tags, remove-tags: of the frontmatter, without "#"
    to: str = ""  # move: the new path; links to the note follow
    name: str = ""  # set-property, remove-property: of the frontmatter
    value: str = ""  # set-property: a text; what it had before goes


class Other(msgspec.Struct, frozen=True, kw_only=True):
    """Another note that a proposal names."""

    vault: str
    path: str
    title: str
    line: int = 0  # where in it; 0: no place in particular
    score: float = 0.0  # 0 to 1: how alike, or how likely; compares within one proposal


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What one ground says of a note in the inbox."""

    ground: Ground
    value: float  # 0 to 1
    why: str  # a few words: names of notes, tags, or counts


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that can be said yes to: a tag, a link, a folder. `id` is unique within its proposal."""

    id: str
    label: str  # what is shown: the tag, the note's title, the folder
    changes: tuple[Change, ...]
    chosen: bool = True  # whether a plain yes includes it
    score: float = 0.0  # 0 to 1, best first


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """One small decision. Without options it is a hint: yes says that it was seen to."""

    key: str  # hex, 16 bytes: of the kind, of what is proposed, and of the text of the notes that it is about
    kind: Kind
    profile: str
    vault: str
    path: str  # the note that it is about; of tag-forms, the note where the rarer form was seen first
    title: str
    line: int = 0  # 1-based; 0: the note as a whole
    quote: str = ""  # the redacted line or sentence in question, or the part that differs
    detail: str = ""  # a value to show: the broken target, the tag, the days, the count, who suggested and why
    by: str = ""  # suggested: the name of the program
    others: tuple[Other, ...] = ()
    scores: tuple[Score, ...] = ()  # of intake
    options: tuple[Option, ...] = ()
    strength: float = 0.0  # 0 to 1: how sure; the order within a kind
    answer: Answer = "open"
    chosen: tuple[str, ...] = ()  # the options that were said yes to, once answered
    absent: str = ""  # of one that was said yes to and can't be written now: why, in a sentence
