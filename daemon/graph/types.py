"""Words that answers about the graph use, apart from what computes them: a client reads them without numpy."""

from typing import Literal, TypeAlias

Fate: TypeAlias = Literal["kept", "below-floor", "outside-beam", "not-embedded", "beyond-limit"]
"""What became of a note that a walk looked at."""

Ending: TypeAlias = Literal["hops", "nothing-further", "low-quality", "limit"]
"""Why a walk went no further."""

ExcerptWay: TypeAlias = Literal["words", "meaning"]
"""What chose the sentences of an excerpt."""

Occasion: TypeAlias = Literal["daily-note", "created", "modified"]
"""Why a note stands on a day."""
