"""What a search history holds. Values alone: clients name them, and load no database for it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from scrubjay.profiles.names import fold

SearchSource: TypeAlias = Literal["panel", "page", "terminal", "agent", ""]
"""Where a search came from; "" of searches that were remembered before this was."""
Missed: TypeAlias = Literal["low", "unopened", "reworded"]
"""Why a search seems to have missed: the best result was of low relevance; no result was opened; the same client
used other words within a minute."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who searched: by what, and the name of that client."""

    source: SearchSource = ""
    client: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """A result that was opened. Its query has been through the credential filter."""

    query: str
    path: str  # vault-relative
    at_ns: int


@dataclass(frozen=True, slots=True)
class SearchEvent:
    """One search. Its query and the client's name have been through the credential filter."""

    at_ns: int
    query: str
    mode: str
    results: int  # of this profile
    took_ms: float  # of the search as a whole, other profiles included
    opened: tuple[str, ...] = ()  # vault-relative paths, the first opened first
    asker: Asker = Asker()
    relevance: Literal["high", "medium", "low", ""] = ""  # of the answer as a whole; "": not noted


def as_compared(query: str) -> str:
    """A query as one is compared with another from before: without case, accents and what spaces there are."""
    return " ".join(fold(query).split())
