"""Questions in each language of the interface over notes in it: answered and refused as the English ones are."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from scrubjay.daemon.answers.citation import quotable
from scrubjay.daemon.answers.extracted_answer import extracted
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Group, SearchRequest, SearchResponse
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault

FOLDER = Path(__file__).parent / "languages" / "asked"
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


@dataclass(frozen=True, slots=True)
class Vault:
    """Notes by title; questions, each with what its answer has; questions that no note answers."""

    notes: dict[str, str]
    asked: dict[str, str]
    unanswered: tuple[str, ...]


def read(language: str) -> Vault:
    lines = [line.partition(" ") for line in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines()]

    def pairs(mark: str) -> dict[str, str]:
        return {name: text for kind, _, rest in lines if kind == mark for name, _, text in (rest.partition(" | "),)}

    return Vault(pairs("*"), pairs("?"), tuple(rest for kind, _, rest in lines if kind == "-"))


class Asking:
    """Questions to a vault, as `/v1/search`, `/v1/answer` and `/v1/context` put them."""

    def __init__(self, store: Store, embedder: InProcessEmbedder) -> None:
        self._stores = {"notes": store}
        self.searcher = Searcher(lambda: self._stores, embedder)

    def search(self, text: str, group: Group = "note") -> SearchResponse:
        return self.searcher.search(SearchRequest(text, group=group))

    def answer(self, text: str) -> str:
        question = Question.of(text)
        said = extracted(question, self._terms(question), self.search(text, "chunk"), self._stores)
        return said.text if said else ""

    def context(self, text: str) -> str:
        question = Question.of(text)
        quoted = quotable(self.search(text, "chunk"), self._stores, self._terms(question), question)
        return "\n".join(each.source.text for each in quoted)

    def _terms(self, question: Question) -> AskedTerms:
        return AskedTerms.of(self._stores.values(), question.subject)


@contextmanager
def asking(vault: Vault, folder: Path, embedder: InProcessEmbedder) -> Generator[Asking]:
    (folder / "notes").mkdir()
    for title, text in vault.notes.items():
        (folder / "notes" / f"{title}.md").write_text(f"{text}\n", encoding="utf-8")
    store = FileStore.open(folder / "index.sqlite3")
    index_vault(store, folder / "notes", embedder)
    opened = Asking(store, embedder)
    yield opened
    opened.searcher.close()
    store.close()


ANSWERED = 6
"""Of seven questions, in each language; in English as many."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_answered_as_in_english(language: str, tmp_path: Path, embedder: InProcessEmbedder) -> None:
    vault = read(language)
    with asking(vault, tmp_path, embedder) as opened:
        right = [question for question, wanted in vault.asked.items() if wanted in opened.answer(question)]
        given = [question for question, wanted in vault.asked.items() if wanted in opened.context(question)]
        first = [opened.search(question).results[0].title for question in vault.asked]
        made_up = [question for question in vault.unanswered if opened.answer(question)]
        answers = [opened.search(question) for question in (*vault.asked, *vault.unanswered)]
        high = [question for question in vault.unanswered if opened.search(question).relevance == "high"]
    assert len(right) >= ANSWERED, right
    assert len(given) >= ANSWERED, given
    assert first == list(vault.notes)
    assert (made_up, high) == ([], [])
    codes = {notice.code for answer in answers for notice in answer.notices}
    assert codes.isdisjoint({"mended", "absent-password", "other-language"})


@pytest.mark.parametrize(
    ("notes", "question"),
    [
        ("de", "How much does the crown cost?"),
        ("zh", "How much does the crown cost?"),
        ("ja", "Where is the spare key?"),
        ("en", "Wie lange ruht der Teig?"),
        ("en", "¿Dónde está la llave de repuesto?"),
        ("en", "备用钥匙在哪里？"),
        ("en", "予備の鍵はどこですか"),
    ],
)
def test_a_question_across_languages_says_what_the_model_reads(
    notes: str, question: str, tmp_path: Path, embedder: InProcessEmbedder
) -> None:
    with asking(read(notes), tmp_path, embedder) as opened:
        said = [notice for notice in opened.search(question).notices if notice.code == "other-language"]
        by_name = opened.search("Keller").notices
    assert [notice.words for notice in said] == [("en",)]
    assert "The model reads English" in said[0].text
    assert "other-language" not in {notice.code for notice in by_name}
