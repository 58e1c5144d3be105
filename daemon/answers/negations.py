"""Whether a quotation leaves out what denies it: by where it was cut, and by what denies in ten languages. Pure.

The words are in `negations.toml`: the closed classes of negation, and predicates that take back what they govern. What
governs stands in the same clause before what it governs, or behind it in Japanese; two of them cancel each other, as in
"did not forget to", while a language may say *not* twice and mean it once.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from itertools import pairwise

import msgspec


class _Words(msgspec.Struct, frozen=True):
    """`negations.toml`: regular expressions without groups, by language."""

    not_: Mapping[str, Sequence[str]] = msgspec.field(name="not")
    denies: Mapping[str, Sequence[str]]
    joins: Mapping[str, Sequence[str]]
    unspaced: Mapping[str, str]


_WORDS = msgspec.convert(
    tomllib.loads((resources.files("scrubjay.daemon.answers") / "negations.toml").read_text("utf-8")), type=_Words
)


def _any(*parts: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted({each for part in parts for each in part}, key=len, reverse=True)) + ")"


_NOT, _DENIES = _any(*_WORDS.not_.values()), _any(*_WORDS.denies.values())
_THAT, _TO, _ARTICLE, _CLAUSE = (_any(_WORDS.joins[name]) for name in ("that", "to", "articles", "clauses"))
_GAP = r"(?:(?<=')|[^\w.!?…;:()\n]{1,3})"  # between two words of a clause
_ADVERB = (
    r"(?:\w+(?:ly|lich|weise|ment|mente)|yet|even|ever|really|noch|mehr|auch|más|plus|encore|aún|ancora|ainda|ooit)"
)
_LED_IN = rf"(?:(?:{_THAT}|{_TO}){_GAP}){{0,2}}(?:{_ARTICLE}{_GAP})?"
_RIGHT_BEFORE = re.compile(
    rf"(?<!\w)(?:(?<!only )(?<!nur ){_NOT}(?:{_GAP}(?:of|des|der|de){_GAP}{_ARTICLE})?|(?P<denies>{_DENIES}))"
    rf"{_GAP}(?:{_ADVERB}{_GAP})?(?(denies){_LED_IN})\Z"
)
_LEADS_IN = re.compile(rf"(?:(?<!\w){_THAT}{_GAP}(?:{_ARTICLE}{_GAP})?)\Z")
_DENIAL = re.compile(rf"(?<!\w)(?:(?<!only )(?<!nur ){_NOT}|(?P<denies>{_DENIES}))(?!\w)|(?<!\w)n'")
_SENTENCE = re.compile(r"[.!?…。！？]['\")»”’]*\s|[。！？\n;；]")
_NEW_CLAUSE = re.compile(rf"[,:()–—]|(?<!\w){_CLAUSE}(?!\w)")
_UNLESS = re.compile(
    r"(?<!\w)(?:unless|es sei denn|außer wenn|à moins que|a menos que|a meno che|a não ser que|tenzij)"
    r"\b[^.!?\n]{0,120}\Z"
)
"""A condition that takes back what follows it in its sentence."""
_INFINITIVE = re.compile(r"(?:(?<!\w)(?:zu|te) \w+e?n|(?<!\w)\w+zu\w{2,}e?n)\W*\Z")
"""German and Dutch: what a predicate before the comma governs ends so."""
_NEXT_NEGATION = re.compile(r"\s{1,2}(?:nicht|niemals|niet|nooit|pas|jamais)(?!\w)")
"""Behind the verb that it denies. Only at the end of what is said: elsewhere it may deny what comes next."""
_ASIDE = re.compile(r"\s*[,(–—].*[,)–—]\s*", re.DOTALL)
_NO_NOUN = r"(?!\w+(?:al|ion|ment|ung)\b)"  # as "refusal", which by itself denies nothing
_LITTLE_MORE = re.compile(rf"\W*(?:\w+\W+){{0,2}}(?:{_NOT}|{_NO_NOUN}{_DENIES})(?:\W+\w+){{0,2}}\W*")
_LITTLE_MORE_UNSPACED = re.compile(rf"[^\w\s]*{_WORDS.unspaced['before']}有?[^\w\s]*")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_UNSPACED_BEFORE, _UNSPACED_AFTER = re.compile(_WORDS.unspaced["before"]), re.compile(_WORDS.unspaced["after"])
_UNSPACED_END = re.compile(r"[。！？，、；：,.!?;:\n]")
_BACK = 160  # code points before a quotation that are looked at
_AHEAD = 40
_FARTHEST = 12  # characters of Chinese between what denies and what it denies


def drops_negation(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether what stands at these places, in order, is denied by what stands around it or between."""
    first, last = spans[0][0], spans[-1][1]
    before, after = _plainly(text[max(first - _BACK, 0) : first]), _plainly(text[last : last + _AHEAD])
    said = _plainly(text[first:last])
    sentence = _SENTENCE.split(before)[-1]
    return bool(
        _denied_right_before(sentence)
        or _denied_complement(sentence, said)
        or _UNLESS.search(before)
        or _NEXT_NEGATION.match(after)
        or _denied_without_spaces(sentence, said, after)
        or any(_denies_between(_plainly(text[one[1] : other[0]])) for one, other in pairwise(spans))
    )


def _denied_right_before(sentence: str) -> bool:
    """A negation, or a predicate that takes back what it governs, with nothing but a few small words behind it."""
    found = _RIGHT_BEFORE.search(sentence)
    return found is not None and (found["denies"] is None or not _is_denied(_clause(sentence[: found.start()])))


def _denied_complement(sentence: str, said: str) -> bool:
    """What follows *that*, or a comma and an infinitive, is what the clause before speaks of."""
    led_in = _LEADS_IN.search(sentence)
    if led_in is not None:
        return _is_denied(_clause(sentence[: led_in.start()].rstrip(", ")))
    governs, comma, rest = sentence.rpartition(",")
    return bool(comma) and not rest.strip() and bool(_INFINITIVE.search(said)) and _is_denied(_clause(governs))


def _denied_without_spaces(sentence: str, said: str, after: str) -> bool:
    if not _HAN.search(sentence + said + after):
        return False
    if _KANA.search(sentence + said + after):
        rest = _UNSPACED_END.split(after)[0] if not _UNSPACED_END.search(said[-1:]) else ""
        return bool(_UNSPACED_AFTER.search(rest))
    return bool(_UNSPACED_BEFORE.search(_UNSPACED_END.split(sentence)[-1][-_FARTHEST:]))


def _denies_between(gap: str) -> bool:
    """Whether what an ellipsis leaves out is little more than what denies; an aside between commas denies itself."""
    if _ASIDE.fullmatch(gap):
        return False
    return bool(_LITTLE_MORE.fullmatch(gap) and _is_denied(gap)) or bool(_LITTLE_MORE_UNSPACED.fullmatch(gap))


def _clause(sentence: str) -> str:
    """The last clause of what precedes a quotation."""
    return _NEW_CLAUSE.split(sentence)[-1]


def _is_denied(clause: str) -> bool:
    """Whether one thing in it denies, and no other takes that back; however often a language says *not*."""
    predicates = [each["denies"] is not None for each in _DENIAL.finditer(clause)]
    return ((not all(predicates)) + sum(predicates)) % 2 == 1


def _plainly(text: str) -> str:
    return text.lower().replace("’", "'")
