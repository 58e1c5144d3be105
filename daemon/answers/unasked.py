"""Whether the notes clearly answer a prompt that nobody put to them: what somebody types to another program. Pure."""

import re
from collections.abc import Sequence

from scrubjay.daemon.answers.context_block import share_held
from scrubjay.daemon.answers.quotable_passages import QuotablePassage
from scrubjay.daemon.links.asked_terms import AskedTerms

_FEWEST_WORDS = 2
_OF_A_QUESTION = 0.35
_OF_ANOTHER = 0.7
"""Share of the prompt's weight that a passage must hold: prompts that ask nothing share words with notes by chance."""
_ASKING = re.compile(
    r"\?\s*$|\b(?:who|whom|whose|what|when|where|which|why|how|remind"
    r"|wer|wem|wen|wessen|was|wann|wo|wohin|welche[rsmn]?|warum|wieso|wie|wieviele?"
    r"|qui|que|quoi|quand|où|quel(?:le)?s?|pourquoi|comment|combien"
    r"|quién(?:es)?|qué|cuándo|dónde|cuál(?:es)?|cómo|cuánt[oa]s?|por qué"
    r"|chi|cosa|quando|dove|quale|quali|perché|come|quant[oaie]"
    r"|quem|onde|qual|quais|quanto|wie|wat|wanneer|waar|welk|waarom|hoe)\b"
    r"|[？]\s*$|[吗呢]|什么|谁|哪|为什么|怎么|多少|几|か\s*$|何|誰|いつ|どこ|なぜ|どう",
    re.IGNORECASE,
)
_BEFORE_THE_PROGRAM = re.compile(
    r"\b(?:this|these|above|the (?:error|diff|build|tests?|code)"
    r"|diese[rsmn]?|dies|ces?|cette|est[eao]s?|quest[oaei])\b",
    re.IGNORECASE,
)
"""What points at the other program's own work, and at no note."""


def why_silent(prompt: str, *, is_likely: bool, sources: Sequence[QuotablePassage], asked: AskedTerms) -> str:
    """Why nothing is said of the notes, in a sentence; "" where one of these passages clearly answers.

    is_likely: whether the search takes what it found for what was meant.
    """
    if sum(any(character.isalpha() for character in term) for term in asked.weights) < _FEWEST_WORDS:
        return "The prompt has too few words of its own to be looked for."
    if not is_likely or not sources:
        return "No note is likely what the prompt means."
    is_question = _ASKING.search(prompt) is not None and _BEFORE_THE_PROGRAM.search(prompt) is None
    least = _OF_A_QUESTION if is_question else _OF_ANOTHER
    best = max(share_held(source, asked) for source in sources)
    if best < least:
        return f"The best passage has {best:.0%} of what the prompt says, by weight; {least:.0%} are needed."
    return ""
