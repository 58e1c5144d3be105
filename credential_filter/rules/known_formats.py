"""Credentials of known formats: each rule's regex, tried only around its needles."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from scrubjay.credential_filter.rules.rule import Rule, compiled
from scrubjay.credential_filter.text.scanned_note import Note, token_stop
from scrubjay.credential_filter.verdict.checksums import CHECKS, PROOFS
from scrubjay.credential_filter.verdict.shape import is_cut_short, is_example, surprise

_BEFORE, _AFTER = 256, 2048  # how far around a needle its line is looked at
_SNAKE = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)+")  # a name in somebody's code, if it reads like words
_WORDS_MOST_BITS = 4.0
_DIGITS, _GROUPS_OF_NO_WORD = re.compile(r"[0-9]+"), 3
_BLOCK = 32768  # and how far behind it where the rule spans lines


def known(note: Note, rule: Rule, needles: list[int]) -> Iterator[tuple[int, int]]:
    """Spans that the rule hides, given where its needles stand, in order. A rule without needles looks everywhere."""
    if not rule.needles:
        yield from _matches(note, rule, 0, len(note.text))
        return
    searched = 0
    for needle in needles:
        if needle < searched:
            continue
        start = max(searched, note.line_start(needle), needle - _BEFORE)
        stop = needle + _BLOCK if rule.multiline else min(needle + _AFTER, _line_stop(note, needle))
        yield from _matches(note, rule, start, min(stop, len(note.text)))
        searched = stop


def spans_in(rule: Rule, text: str) -> list[tuple[int, int]]:
    """What the rule alone hides in a text."""
    places = sorted({found.start() for needle in rule.needles for found in re.finditer(re.escape(needle), text)})
    return list(known(Note.of(text), rule, places)) if places or not rule.needles else []


def _line_stop(note: Note, position: int) -> int:
    """Where the line ends, one that a backslash continues with the next."""
    stop = note.line_stop(position)
    return note.line_stop(stop + 1) if note.text.startswith("\\\n", stop - 1) else stop


def _matches(note: Note, rule: Rule, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for match in compiled(rule.regex).finditer(note.text, start, stop):
        span = match.span(0 if rule.hides == "match" else rule.hides)
        if _holds(rule, note.text[span[0] : span[1]]) and not is_cut_short(note.text, span[1]):
            yield span[0], token_stop(note.text, span[1]) if span[1] == stop else span[1]


def _holds(rule: Rule, secret: str) -> bool:
    if not secret or (rule.check and not CHECKS[rule.check](secret)):
        return False
    if rule.proof and PROOFS[rule.proof](secret):
        return True
    if rule.unlike_words and surprise(secret) <= 0 and len(_DIGITS.findall(secret)) < _GROUPS_OF_NO_WORD:
        return False
    if not rule.everywhere and _SNAKE.fullmatch(secret) is not None and surprise(secret) <= _WORDS_MOST_BITS:
        return False
    if is_example(secret) or (rule.min_entropy and entropy(secret) < rule.min_entropy):
        return False
    return not any(compiled(allowed).fullmatch(secret) for allowed in rule.allow)


def entropy(value: str) -> float:
    """Shannon entropy of the value's own characters, in bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())
