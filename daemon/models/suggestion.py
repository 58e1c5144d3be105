"""Which other model would read a vault better, and what it would take. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.profiles.search.meaning.embedder import EmbeddingModel
from scrubjay.profiles.search.rank.semantic_trust import UNSPACED_LANGUAGES

LEAST_SHARE = 0.05
"""Of the passages, in languages that a model reads badly, from which on another is named."""
MOST_TOKENS = 3.0
"""A word, by a model that cuts words of its own language in one to two: it spells out what it has not learnt."""


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that can be had. work: how much longer a token takes than with the bundled one."""

    name: str
    megabytes: int
    memory: int  # megabytes that its process takes while it works, with two threads
    licence: str
    work: float
    languages: frozenset[str]


_FIFTY = """
ar bg ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id it ja ka ko ku lt lv mk mn mr ms my no nl pl pt ro ru sk
sl sq sr sv th tr uk ur vi zh
"""
_FURTHER = "af am as az be bn bs cy eo eu ga ha is jv kk km kn ky lo mg ml ne or pa ps sa sd si so su sw ta te tl uz yi"

DOWNLOADED = OfferedModel(
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    megabytes=220,
    memory=560,  # its weights, the library's table of its 250,002 pieces, and the process
    licence="Apache-2.0",
    work=2.0,  # twelve layers of the same width, where the bundled one has six
    languages=frozenset(_FIFTY.split()),
)
"""The smallest of fastembed's list that was trained on more than a language or two."""
PACKAGED = OfferedModel(
    "multilingual-e5-small",
    megabytes=83,
    memory=240,
    licence="MIT",
    work=2.0,
    languages=frozenset((*_FIFTY.split(), *_FURTHER.split())),
)
"""What packaging/multilingual/ builds; packaging/multilingual/README.md has its figures."""


@dataclass(frozen=True, slots=True)
class SuggestedModel:
    """A model to read a profile by, and why."""

    languages: tuple[str, ...]  # ISO 639-1: what the profile's model reads badly, the commonest first
    share: float  # of the passages, 0 to 1
    model: OfferedModel
    is_here: bool  # on this machine, so that nothing is downloaded
    seconds: float | None  # that embedding all passages anew takes on this machine; None where that was not measured


_NO_WORD = re.compile(r"\S*(?:://|[\d_/@#\\<>{}=]|\w[.:]\w)\S*|[^\w\s]")


def words_alone(text: str) -> str:
    """A text without addresses, code and marks, of which a model makes many tokens in any language."""
    return _NO_WORD.sub(" ", text)


def tokens_a_word(texts: Sequence[str], counts: Sequence[int]) -> float:
    """How finely a model cuts words. counts: its tokens of each text."""
    return sum(counts) / max(1, sum(len(text.split()) for text in texts))


_TOKENS_A_CHARACTER, _OF_UNSPACED = 0.17, 0.25
"""Of models for many languages, whose 250,002 pieces are alike; measured on documentation in six of them."""


def share_of_tokens(language: str, texts: Sequence[str], counts: Sequence[int]) -> float:
    """Tokens that a model for many languages makes of texts, for each that another makes. counts: of the other."""
    usual = _OF_UNSPACED if language in UNSPACED_LANGUAGES else _TOKENS_A_CHARACTER
    return usual * sum(map(len, texts)) / max(1, sum(counts))


def doubtful(spec: EmbeddingModel, passages: Mapping[str, int]) -> frozenset[str]:
    """The languages of which it is worth knowing how finely a model cuts their words; none that it was made for, and
    none at all where no other model would be suggested. passages: as for `suggest`.
    """
    unsure = {language: count for language, count in passages.items() if language and language not in spec.languages}
    return frozenset(unsure if sum(unsure.values()) >= LEAST_SHARE * sum(passages.values()) else ())


def suggest(
    spec: EmbeddingModel,
    passages: Mapping[str, int],
    fineness: Mapping[str, float],
    rate: float | None,
    tokens: float = 1.0,
    here: Collection[str] = (),
) -> SuggestedModel | None:
    """Another model, where a twentieth of the passages or more is in languages that this one reads badly.

    passages: how many there are, by language; "" unknown. fineness: `tokens_a_word` of some, by language. rate:
    passages that this machine embeds in a second with the profile's own model. tokens: `share_of_tokens` of some.
    here: the names of the models on this machine, in lower case.
    """
    offered = next((each for each in (PACKAGED, DOWNLOADED) if each.name.lower() in here), DOWNLOADED)
    unread = {language: count for language, count in passages.items() if _reads_badly(spec, language, fineness)}
    unread = {language: count for language, count in unread.items() if language in offered.languages}
    total = sum(passages.values())
    share = sum(unread.values()) / total if total else 0.0
    if share < LEAST_SHARE or spec.name.lower() == offered.name.lower():
        return None
    ordered = sorted(unread, key=lambda language: (-unread[language], language))
    seconds = total * tokens * offered.work / rate if rate else None
    return SuggestedModel(tuple(ordered), share, offered, offered.name.lower() in here, seconds)


def _reads_badly(spec: EmbeddingModel, language: str, fineness: Mapping[str, float]) -> bool:
    if language in spec.languages:
        return False
    return not spec.reads(language) or fineness.get(language, 0.0) >= MOST_TOKENS
