"""Which sentence of the passages found answers a question, if one does. Pure.

Every sentence, and every row of a table below its first row, is judged by what it says of the question, by whether it
has what is asked for, and by how well its passage was found. The weights of this evidence are those of a logistic
regression (`python -m tests.quality.card`): a sentence is shown where they say that it is right more often than wrong.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.daemon.answers.passage_parts import PassagePart, parts_of
from scrubjay.daemon.answers.question import NUMBER_TERMS, Question, names_in
from scrubjay.daemon.answers.quotable_passages import Cited
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.search.results.plain_text import as_read
from scrubjay.profiles.search.words import analysis

MOST_PASSAGES = 10  # that are looked through
EVIDENCE = (
    "said", "named", "before", "fits", "lacks", "number_near", "density", "terms",
    "score", "rank", "high", "link",
    "asks", "astray", "constant",
)  # fmt: skip
"""The names of a statement's evidence, in its order."""
WEIGHTS = (2.2, 1.05, 0.9, 0.45, -1.75, 0.85, 1.4, 1.7, 0.9, -3.2, 0.7, -2.25, -1.1, -0.8, -5.2)
ENOUGH = -0.35
PERHAPS = -1.5
"""What is worth so much may be quoted to an agent, which reads on, though it is not shown to a person as the answer."""
_NEAR = 3  # words between a number and a word of the question
_NEAR_UNSPACED = 6  # characters, where words are not told apart
_LISTED = re.compile(r"!?\[[^\[\]\n]*\]\(")
"""An item of a list of links: a name, and perhaps what it is."""
_WORD = re.compile(r"[^\W\d_]+")
_CELL = re.compile(r"(?<!\\)\|")
_STOPS = (".", "!", "?", "…", "。", "！", "？", ":", "：", ";", "；", ")", "）", "”", "»", "」", '"')
_OPEN, _CLOSED = "([{（「『«", ")]}）」』»"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or row of a passage as it reads, and what speaks for it as an answer (see `EVIDENCE`)."""

    cited: Cited
    part: PassagePart
    shown: str
    evidence: tuple[float, ...]

    @property
    def worth(self) -> float:
        """How likely it answers: log odds."""
        return sum(weight * found for weight, found in zip(WEIGHTS, self.evidence, strict=True))


def answering(question: Question, asked: AskedTerms, passages: Sequence[Cited]) -> Statement | None:
    """The statement that answers best; None where none is likely to. passages: best first."""
    best = likeliest(question, asked, passages)
    return best if best is not None and best.worth >= ENOUGH else None


def likeliest(question: Question, asked: AskedTerms, passages: Sequence[Cited]) -> Statement | None:
    """The statement that is likeliest to answer, though perhaps not likely; the first of equal ones."""
    found = () if question.kind == "none" else statements(question, asked, passages)
    return max(found, key=lambda each: each.worth, default=None)


def statements(question: Question, asked: AskedTerms, passages: Sequence[Cited]) -> Iterator[Statement]:
    """All that may be shown as an answer: no code or heading, nothing cut, nothing without a word that is asked for or
    without the measure of an amount, and nothing that names another than the question does, and not that one.

    A row of a table has to say a word itself: what only its first row says is said of all.
    """
    subject = asked.weights.keys() - asked.said(question.measure)
    names = asked.said(" ".join(question.names))
    texts = (each.source.text for each in passages[:MOST_PASSAGES])
    others = names_in("\n".join(texts)) - question.names if names else frozenset[str]()
    top = max((each.result.score for each in passages), default=0.0)
    for rank, cited in enumerate(passages[:MOST_PASSAGES]):
        text = cited.source.text
        parts = parts_of(text)
        heads = {part.heads for part in parts}
        named = cited.source.named(asked)
        before: frozenset[str] = frozenset()
        for part in parts:
            if part.is_code or (part.start, part.end) in heads:
                continue
            shown = _row(text, part, part.heads) if part.heads else as_read(text, part.start, part.end)
            said, written = asked.said(shown), text[part.start : part.end]
            held = said | named | before
            if asked.said(written) if part.heads else said | named and _is_whole(text, part, shown):
                fit = question.fit(written, shown)
                is_of_another = not names <= held and not others.isdisjoint(_WORD.findall(shown))
                evidence = (
                    asked.worth(said),
                    asked.worth(said | named),
                    asked.worth(held),
                    *_of_kind(question, asked, fit, shown, said),
                    cited.result.score / top if top > 0 else 0.0,
                    rank / MOST_PASSAGES,
                    float(cited.result.relevance == "high"),
                    float(_LISTED.match(written) is not None),
                    float(shown.endswith(("?", "？", ":", "："))),
                    float(bool(subject) and subject.isdisjoint(held)),
                    1.0,
                )
                if (fit or question.kind != "amount") and not is_of_another:
                    yield Statement(cited, part, shown, evidence)
            before = said


def _of_kind(
    question: Question, asked: AskedTerms, fit: float, shown: str, said: frozenset[str]
) -> tuple[float, float, float, float, float]:
    """Whether it has what is asked for, or lacks it; whether that is a number near what is asked; how dense it is."""
    terms = analysis.terms(shown)
    near = False
    if question.kind in ("amount", "duration") and fit:  # 105 °C are near, and no weight
        places = [at for at, term in enumerate(terms) if asked.same.get(term, term) in said]
        numbers = [at for at, term in enumerate(terms) if term[0].isdigit() or term in NUMBER_TERMS]
        near = any(
            abs(one - other) <= (_NEAR_UNSPACED if analysis.is_unspaced(terms[one]) else _NEAR)
            for one in places
            for other in numbers
        )
    return float(fit == 1), float(fit == 0), float(near), len(said) / max(len(terms), 4), min(len(said), 5) / 5


def _row(text: str, part: PassagePart, heads: tuple[int, int]) -> str:
    """A row of a table with what stands at the head of each column: "Plan: Meadow · A year: £180"."""
    names, cells = (
        [as_read(row) for row in _CELL.split(text[start:end].strip("|"))]
        for start, end in (heads, (part.start, part.end))
    )
    names += [""] * (len(cells) - len(names))
    told = (
        f"{name}: {cell}" if name and name != cell else cell for name, cell in zip(names, cells, strict=False) if cell
    )
    return " · ".join(told)


def _is_whole(text: str, part: PassagePart, shown: str) -> bool:
    """Whether it is a sentence or a whole line: no heading, not cut in the middle, no half bracket or link."""
    line = text[text.rfind("\n", 0, part.start) + 1 : part.start]
    stop = text.find("\n", part.end)
    after = text[part.end : stop if stop >= 0 else len(text)].strip()
    before = line.rstrip().rstrip("*_~=`")
    begins = not before.strip("#>|*+-.)0123456789 \t[]xX") or before.endswith(_STOPS)
    return (
        not line.lstrip("> ").startswith("#")
        and begins
        and (not after.strip("*_~=`") or shown.endswith(_STOPS))
        and sum(map(shown.count, _OPEN)) == sum(map(shown.count, _CLOSED))
        and "](" not in shown
        and "[[" not in shown
    )
