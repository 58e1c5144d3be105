"""What a check of a store finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IntegrityProblem:
    """One thing that is wrong."""

    code: str  # kebab-case, stable
    about: str  # one sentence for a person, without note text
    note_ids: tuple[int, ...] = ()  # notes to read again from the vault, where that is the remedy
