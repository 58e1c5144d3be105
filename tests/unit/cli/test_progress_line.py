"""What the terminal is told of indexing, while the daemon runs in the foreground."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from scrubjay.daemon.cli.machine import index_progress
from scrubjay.profiles.errors import StoreError


@dataclass
class Opened:
    """A profile whose store has so many texts to embed; None: it has been closed."""

    pending: int | None
    store: Any = field(init=False)

    def __post_init__(self) -> None:
        self.store = SimpleNamespace(counts=self.counts, read=self.read)

    def read(self, _read: object) -> tuple[object, ...]:
        return ()

    def counts(self) -> object:
        if self.pending is None:
            raise StoreError("It has been closed.")
        return SimpleNamespace(notes=1, pending_embeddings=self.pending)


@pytest.mark.parametrize(
    ("later", "is_said"),
    [
        ([Opened(0), Opened(0)], True),
        ([Opened(0), Opened(7)], False),
        ([Opened(0), Opened(None)], False),
        ([Opened(0)], False),
        ([], False),
    ],
    ids=["done", "paused", "closed meanwhile", "one of two closed", "stopped"],
)
def test_that_all_is_found_by_meaning_is_said_only_where_it_is_true(
    later: list[Opened], is_said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    def say(sentence: str, *, living: bool) -> None:
        del living
        heard.append(sentence)

    def wait(_seconds: float, *, embedded: bool = True) -> bool:
        del embedded
        return True  # nothing waits, for whatever reason

    monkeypatch.setattr(index_progress, "_say", say)
    opened = iter([[Opened(3), Opened(3)], [Opened(3), Opened(3)], later])
    engine = SimpleNamespace(
        supervisor=SimpleNamespace(wait_until_idle=wait),
        open_profiles=SimpleNamespace(open=lambda: next(opened)),
    )
    index_progress.follow(cast(Any, engine))
    everything = ["All notes can be found by meaning."] if is_said else []
    assert heard == ["2 notes can be found by word.", *everything]
