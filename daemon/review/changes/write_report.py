"""What came of writing changes into notes, and of taking them back."""

from datetime import datetime

import msgspec


class NotWritten(msgspec.Struct, frozen=True):
    """What could not be written, or taken back, and why."""

    path: str
    keys: tuple[str, ...]
    reason: str

    @property
    def said(self) -> str:
        """The reason, with the note in front where it does not name it."""
        return self.reason if self.path in self.reason else f"{self.path}: {self.reason}"


class ApplyReport(msgspec.Struct):
    """What was written, or taken back. run: what `undo` names it by; "" where nothing was written."""

    keys: list[str] = []  # of the proposals
    notes: list[str] = []  # paths of the notes that changed
    refused: list[NotWritten] = []
    run: str = ""


class RunShown(msgspec.Struct, frozen=True):
    """What one `apply` wrote into the notes of a profile, as far as it was not taken back yet."""

    run: str
    applied: datetime
    profile: str
    proposals: int
    notes: int
    blocked: tuple[NotWritten, ...]  # what can't be taken back now


_SHOWN = 8  # characters at the end of a run's id: its random ones


def short_name(run: str) -> str:
    """What a run is called by its user."""
    return run[-_SHOWN:]
