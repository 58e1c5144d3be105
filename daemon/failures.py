"""Why a note, or a file beside notes, could not be read or prepared, and whether that passes."""

from enum import StrEnum


class FailureReason(StrEnum):
    """A reason; its value is stable and kebab-case, for programs.

    One that `passes` says nothing of what is in the file: what was indexed before stays, and the file is read again at
    the next look, though it be as it was. After any other, nothing of the file stays but what could be read of it.
    """

    passes: bool

    def __new__(cls, code: str, passes: bool = False) -> "FailureReason":
        """A member with that value."""
        made = str.__new__(cls, code)
        made._value_ = code
        made.passes = passes
        return made

    # reading
    GONE = "gone", True  # between look and reading: the next look knows more
    IS_LINK = "is-link"
    NO_PERMISSION = "no-permission", True
    NOT_A_FILE = "not-a-file"
    NOT_DOWNLOADED = "not-downloaded", True
    READ_ERROR = "read-error", True
    TOO_LARGE = "too-large"
    BINARY = "binary"
    NOT_UTF8 = "not-utf8"

    # preparing
    SECRET_IN_NAME = "secret-in-name"  # noqa: S105 - no secret
    OPTED_OUT = "opted-out"
    TOO_SLOW = "too-slow"
    PROCESS_ENDED = "process-ended", True
    OVER_QUOTA = "over-quota", True
    UNEXPECTED = "unexpected", True
    BROKEN_FRONTMATTER = "broken-frontmatter"
    TOO_MANY_PASSAGES = "too-many-passages"

    # files beside notes, which are found by their names all the same
    ENCRYPTED = "encrypted"
    NO_TEXT = "no-text"
    DAMAGED = "damaged"
    WRONG_EXTENSION = "wrong-extension"
    BOMB = "bomb"
    TOO_MUCH_MEMORY = "too-much-memory"
    NO_OCR = "no-ocr", True
    BOX_INCOMPLETE = "box-incomplete", True
    PARTS_LEFT_OUT = "parts-left-out"


FLAWS = frozenset[str]({FailureReason.BROKEN_FRONTMATTER, FailureReason.TOO_MANY_PASSAGES})
"""Of a part of a note that is indexed for the rest. Beside any other one, what is known of a note may be old."""


def lasts(code: str) -> bool:
    """Whether a failure that is stored under this code lasts until the file changes; a code of another kind may not."""
    return code in set(FailureReason) and not FailureReason(code).passes


def passes(code: str) -> bool:
    """Whether a failure that is stored under this code may be over by now; a code of another kind never is."""
    return code in set(FailureReason) and FailureReason(code).passes
