"""`python -m tests.quality.card`: how often the one sentence that answers a question is shown, and right.

Questions to four vaults, a third of them without an answer (`card.jsonl`), in parts: the weights of the evidence
are made with the first (`--fit` makes them anew), the second is to be looked at when all is decided, and the third and
the fourth were written after that, each when a later change stood. Those to a household's notes (`household.jsonl`)
ask for what is said of another thing, too: the weights are made with one half of these, the other was looked at when
all was decided. A shown sentence is right if it, or the first row of its table, holds one of a question's answers.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from scrubjay.daemon.answers.answering_sentence import ENOUGH, EVIDENCE, MOST_PASSAGES, Statement, statements
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import Cited
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store
from tests.quality.beir import load
from tests.quality.conftest import labelled_vault, sample_vault
from tests.quality.index import build, build_vault

HERE = Path(__file__).parent
DEVELOPMENT, HELD_BACK, LATER, FRESH, PAIRS = "development", "held back", "later", "fresh", "pairs"
HOUSEHOLD, UNSEEN = "household", "unseen"
VAULTS = ("sample", "nikita-knowledge", "nuget-de", "household")
_FOLDS = 5


class Asked(msgspec.Struct, frozen=True):
    """A question to a vault, and what a right answer holds one of; without answers the vault has none."""

    vault: str
    query: str
    answers: tuple[str, ...]
    half: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, what may be shown as its answer, and which of that is right."""

    asked: Asked
    found: tuple[Statement, ...]
    right: tuple[bool, ...]

    def evidence(self) -> NDArray[np.float64]:
        """Shape (statements, kinds of evidence)."""
        return np.array([each.evidence for each in self.found]).reshape(-1, len(EVIDENCE))


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of some questions: shares."""

    precision: float  # of what is shown
    answered: float  # of the questions with an answer, something is shown for
    answered_idly: float  # of those without


def questions() -> Iterator[Asked]:
    """All questions; those whose answers the block for agents is measured with are for fitting alone."""
    yield from (msgspec.json.decode(line, type=Asked) for line in (HERE / "card.jsonl").read_text("utf-8").splitlines())
    for name in ("answers.jsonl", "answers_later.jsonl"):
        for pair in map(json.loads, (HERE / name).read_text("utf-8").splitlines()):
            yield Asked(pair["vault"], pair["query"], (pair["answer"],), PAIRS)


def judged(asked: Sequence[Asked], store: Store, embedder: Embedder) -> list[Judged]:
    """The questions, put to this store as `/v1/answer` puts them."""
    stores = {"p": store}
    searcher = Searcher(lambda: stores, embedder)
    made: list[Judged] = []
    for each in asked:
        found = searcher.search(SearchRequest(each.query, limit=MOST_PASSAGES, group="chunk"))
        passages = tuple(Cited.found(found, stores, MOST_PASSAGES))
        question = Question.of(each.query)
        asks = question.kind != "none"
        sentences = tuple(statements(question, AskedTerms.of([store], question.subject), passages)) if asks else ()
        made.append(Judged(each, sentences, tuple(_is_right(one, each.answers) for one in sentences)))
    searcher.close()
    return made


def figures(found: Sequence[Judged], worth: Sequence[NDArray[np.float64]], enough: float = ENOUGH) -> Figures:
    """What is shown and right, of statements that are worth so much."""
    shown = right = idle = 0
    for each, values in zip(found, worth, strict=True):
        if len(values) and values.max() >= enough:
            shown += 1
            right += each.right[int(values.argmax())]
            idle += not each.asked.answers
    answerable = sum(bool(each.asked.answers) for each in found)
    return Figures(
        precision=right / max(shown, 1),
        answered=(shown - idle) / max(answerable, 1),
        answered_idly=idle / max(len(found) - answerable, 1),
    )


def by_weights(found: Sequence[Judged]) -> list[NDArray[np.float64]]:
    """What the statements of each question are worth."""
    return [np.array([statement.worth for statement in each.found]) for each in found]


def store_of(vault: str, folder: Path, embedder: Embedder) -> Store:
    """A vault's index below `folder`, made if it is not there yet."""
    if vault == "nuget-de":
        return build(load(labelled_vault(vault)), folder, embedder).store
    if vault in ("sample", "household"):
        write = sample_vault if vault == "sample" else household
        with tempfile.TemporaryDirectory() as written:
            return build_vault(write(Path(written) / "vault"), vault, folder, embedder)
    return build_vault(labelled_vault(vault), vault, folder, embedder)


def household(target: Path) -> Path:
    """Write a household's notes to `target`."""
    for line in (HERE / "household.jsonl").read_text("utf-8").splitlines():
        note = msgspec.json.decode(line, type=dict[str, str])
        path = target / note["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(note["text"], "utf-8")
    return target


def _is_right(statement: Statement, answers: Sequence[str]) -> bool:
    text = statement.cited.source.text
    told = plain(f"{text[statement.part.start : statement.part.end]} {statement.shown}")
    return any(plain(answer) in told for answer in answers)


def plain(text: str) -> str:
    """A text without marks, links and case, as answers are looked for in it."""
    text = re.sub(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]|!?\[([^\[\]]*)\]\([^()]*\)", r"\1\2", text)
    return " ".join(re.sub(r"[*_`$]|==", "", text).casefold().split())


def fitted(evidence: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of a logistic regression with an L2 penalty of one half."""
    weights = np.zeros(evidence.shape[1])
    for _ in range(60):
        likely = 1 / (1 + np.exp(-evidence @ weights))
        slope = evidence.T @ (likely - right) + weights
        curve = (evidence.T * (likely * (1 - likely))) @ evidence + np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return weights


def _fit(found: Sequence[Judged]) -> None:
    """Print the weights that all these questions give, and what each fifth of them gets by those of the others."""
    fold = np.random.default_rng(0).integers(0, _FOLDS, len(found))
    worth: list[NDArray[np.float64]] = [np.zeros(0)] * len(found)
    for part in range(_FOLDS):
        weights = fitted(*_stacked([each for each, number in zip(found, fold, strict=True) if number != part]))
        for number in np.flatnonzero(fold == part).tolist():
            worth[number] = found[number].evidence() @ weights
    print(dict(zip(EVIDENCE, fitted(*_stacked(found)).round(2).tolist(), strict=True)))
    for enough in np.arange(-1.5, 1.0, 0.25):
        print(f"{enough:5.2f}", figures(found, worth, enough))


def _stacked(found: Sequence[Judged]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.vstack([each.evidence() for each in found]), np.concatenate(
        [np.array(each.right, float) for each in found]
    )


def main() -> None:
    """Print the figures by vault and half."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.card", description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--held-back", action="store_true", help="show these as well")
    parser.add_argument("--wrong", action="store_true", help="print what is wrong")
    parser.add_argument("--vaults", default=",".join(VAULTS))
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    arguments = parser.parse_args()
    embedder = InProcessEmbedder(BUNDLED)
    halves = (DEVELOPMENT, HOUSEHOLD, PAIRS, *((HELD_BACK, LATER, FRESH, UNSEEN) if arguments.held_back else ()))
    found: list[Judged] = []
    for vault in arguments.vaults.split(","):
        store = store_of(vault, arguments.cache, embedder)
        found += judged([each for each in questions() if each.vault == vault and each.half in halves], store, embedder)
        store.close()
    embedder.close()
    for half in halves:
        for vault in (*arguments.vaults.split(","), ""):
            some = [each for each in found if each.asked.half == half and vault in ("", each.asked.vault)]
            print(f"{half:12} {vault or 'all':18} {len(some):4} {figures(some, by_weights(some))}")
    if arguments.wrong:
        _print_wrong(found)
    if arguments.fit:
        _fit([each for each in found if each.asked.half in (DEVELOPMENT, HOUSEHOLD, PAIRS)])


def _print_wrong(found: Sequence[Judged]) -> None:
    for each in found:
        line = sorted(zip(each.found, each.right, strict=True), key=lambda pair: -pair[0].worth)
        if line and not line[0][1] and (each.asked.answers or line[0][0].worth >= ENOUGH):
            print(f"\n{each.asked.half}: {each.asked.query} {list(each.asked.answers)}")
            for statement, is_right in (line[0], *[pair for pair in line if pair[1]][:1]):
                evidence = dict(zip(EVIDENCE, (round(value, 2) for value in statement.evidence), strict=True))
                print(f"  {'right' if is_right else 'wrong'} {statement.worth:.1f} {statement.shown}\n    {evidence}")


if __name__ == "__main__":
    main()
