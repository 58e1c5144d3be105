"""Why nothing is changed."""

from typing import Literal, TypeAlias

from scrubjay.profiles.errors import ScrubjayError

Reason: TypeAlias = Literal[
    "differs",  # what must stand there does not
    "changed",  # the note is another one than the index knows, or than was shown
    "gone",  # no such note, or none that may be read
    "not-allowed",  # outside of what the profile may read, or behind a link
    "exists",  # the place to move to is taken
    "frontmatter",  # its properties can't be edited safely
    "not-text",  # no UTF-8 or UTF-16 text
    "unlinkable",  # no link could lead to the new name
    "collides",  # two changes touch the same place
    "credential",  # a hidden credential would be touched
    "invalid",  # what is asked for is no change that can be made
    "busy",  # another program has the note open for writing
    "disk",  # the file system would not do it
]


class ChangeRefused(ScrubjayError):
    """A change that is not made; nothing of what it belongs to is. The message names the note and says what to do."""

    status = 409

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.code = f"review-{reason}"
