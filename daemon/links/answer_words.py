"""Words that answers about links and quotations use, apart from what computes them: a client reads them, too."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

Fate: TypeAlias = Literal["kept", "below-floor", "outside-beam", "not-embedded", "beyond-limit"]
"""What became of a note that a walk looked at."""
Ending: TypeAlias = Literal["hops", "nothing-further", "low-quality", "limit"]
"""Why a walk went no further."""
FATES: Mapping[Fate, str] = {
    "kept": "kept",
    "below-floor": "too unlike",
    "outside-beam": "others of this hop are nearer",
    "not-embedded": "not embedded yet",
    "beyond-limit": "too many to measure",
}
ENDINGS: Mapping[Ending, str] = {
    "hops": "the walk was as long as you wanted it",
    "nothing-further": "no link leads further",
    "low-quality": "what was kept is too unlike to go on from",
    "limit": "there were too many notes to measure",
}
"""Both in words."""
ExcerptWay: TypeAlias = Literal["words", "meaning"]
"""What chose the sentences of an excerpt."""
Occasion: TypeAlias = Literal["daily-note", "created", "modified"]
"""Why a note stands on a day."""
OCCASIONS: Mapping[Occasion, str] = {"daily-note": "daily note", "created": "written", "modified": "changed"}
"""In words."""
Verdict: TypeAlias = Literal["verified", "altered", "not-found", "unverifiable"]
"""Whether a quotation is where it is said to be; altered: its words are, without the negation there."""
QuoteVerdict: TypeAlias = Literal["verified", "altered", "not-found", "too-short", "no-source"]
"""Whether a quotation of an answer is in a note that the answer cites for it."""
AnswerStatus: TypeAlias = Literal["verified", "mismatch", "unverifiable", "partly-quoted", "nothing-quoted"]
"""Of a whole answer: all of it is, something is not, something can't be told, there is nothing to tell."""
