"""What moves a profile's own queries and results beside what its notes say: its settings and what it has learned."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from scrubjay.daemon.search.rank.openings import Openings, no_openings
from scrubjay.daemon.search.rank.priors import Priors, no_priors
from scrubjay.daemon.search.types import Fusion
from scrubjay.profiles.semantic.query_matrix import QueryMatrix
from scrubjay.profiles.store.store import Store

Matrices: TypeAlias = Callable[[str, Store, str], QueryMatrix | None]
"""Called with a profile's name, its open store and the fingerprint of its model; None: queries stay as they are."""


def no_matrix(_profile: str, _store: Store, _model: str) -> None:
    """No profile has a query matrix."""


@dataclass(frozen=True, slots=True)
class Personal:
    """Looked up for each profile of a search. priors: moves its results after fusion. matrices: moves its queries.

    openings: which notes were opened after the same query. fusion: how the legs of a search over whatever profiles are
    made one where it does not say.
    """

    priors: Priors = no_priors
    matrices: Matrices = no_matrix
    openings: Openings = no_openings
    fusion: Callable[[], Fusion] = lambda: "convex"


IMPERSONAL = Personal()
"""Every profile as its notes alone have it."""
