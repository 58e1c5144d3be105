"""What a parser returns, before it is counted and cut."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from scrubjay.daemon.extracting.extracted import Part


@dataclass(slots=True)
class Found:
    """A file's title, parts and links. The parts may still be to be read: they are taken one by one, while time lasts.

    links and textless are complete once all parts have been taken.
    """

    parts: Iterable[Part]
    title: str = ""
    links: list[str] = field(default_factory=list[str])
    textless: list[int] = field(default_factory=list[int])
    remaining: int = 0  # parts that are still to come, as far as the parser knows while they are taken
