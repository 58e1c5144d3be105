"""Words that answers about quotations use, apart from what finds them: a client reads them without more."""

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["verified", "not-found", "unverifiable"]
"""Whether a quotation is where it is said to be."""

QuoteVerdict: TypeAlias = Literal["verified", "altered", "not-found", "too-short", "no-source"]
"""Whether a quotation of an answer is in a note that the answer cites for it."""

AnswerStatus: TypeAlias = Literal["verified", "mismatch", "unverifiable", "nothing-quoted"]
"""Of a whole answer: all of it is, something is not, something can't be told, there is nothing to tell."""
