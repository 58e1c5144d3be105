"""What a check of the machine finds."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

CheckVerdict: TypeAlias = Literal["good", "weak", "bad"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How one thing is. `advice` says what to do; empty when there is nothing to do."""

    about: str
    verdict: CheckVerdict
    seen: str
    advice: str = ""
