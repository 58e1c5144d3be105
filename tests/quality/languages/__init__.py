"""Small vaults in many languages, with forms and spellings of what they say, and words that none of their notes has.

One text file a language: `* title | text` is a note, `? one; another` what finds it, `- one; another` what no
note says. Three sets: those here, by which rules and data were made; `fresh`, whose words were written afterwards
without a look at the rules; `compounds`, common parts of words that are put together. And `paraphrases`: what a person
might ask of the same notes in none of their words, by title; they are asked of all notes in the language.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store.file_store import FileStore
from tests.helpers.indexed_vault import index_vault

FOLDER = Path(__file__).parent
SETS = ("", "fresh", "compounds")
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Vault:
    """The notes of a language, by title; the queries with the title of the note that each should find; absent words."""

    notes: dict[str, str]
    asked: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]


def languages(of: str = "") -> tuple[str, ...]:
    """Those of a set."""
    return tuple(sorted(path.stem for path in (FOLDER / of).glob("*.txt")))


def read(language: str, of: str = "") -> Vault:
    """The vault of a language in a set."""
    notes: dict[str, str] = {}
    asked: list[tuple[str, str]] = []
    absent: list[str] = []
    title = ""
    for line in (FOLDER / of / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "*":
            title, _, text = rest.partition(" | ")
            notes[title] = text
        elif mark == "?":
            asked += [(query, title) for query in rest.split("; ")]
        else:
            absent += rest.split("; ")
    return Vault(notes, tuple(asked), tuple(absent))


def paraphrased(language: str) -> Vault:
    """All notes in a language, with what asks for some of them in other words."""
    notes: dict[str, str] = {}
    for of in ("", "fresh"):
        notes |= read(language, of).notes
    return Vault(notes, read(language, "paraphrases").asked, ())


@dataclass(frozen=True, slots=True)
class Found:
    """How a vault was found. rank: the mean reciprocal rank of the right notes. missed: each with its place (0: none).

    high: absent words whose results are said to be of high relevance.
    """

    queries: int
    rank: float
    missed: tuple[tuple[str, str, int], ...]
    high: tuple[str, ...]


def write(vault: Vault, folder: Path) -> None:
    """Write its notes as files."""
    folder.mkdir()
    for title, text in vault.notes.items():
        (folder / f"{title}.md").write_text(f"{text}\n", encoding="utf-8")


def measure(searcher: Searcher, vault: Vault, mode: Mode) -> Found:
    """Ask all that is to be asked of a vault."""
    places = [(query, title, _place(searcher, query, title, mode)) for query, title in vault.asked]
    high = [word for word in vault.absent if searcher.search(SearchRequest(word)).relevance == "high"]
    rank = sum(1 / place for _, _, place in places if place) / len(places)
    return Found(len(places), rank, tuple(each for each in places if each[2] != 1), tuple(high))


@contextmanager
def opened(vault: Vault, folder: Path, embedder: Embedder) -> Generator[Searcher]:
    """A searcher over the vault, indexed below `folder` the way that notes take."""
    write(vault, folder / "notes")
    store = FileStore.open(folder / "index.sqlite3")
    index_vault(store, folder / "notes", embedder)
    searcher = Searcher(lambda: {"notes": store}, embedder)
    yield searcher
    searcher.close()
    store.close()


def _place(searcher: Searcher, query: str, title: str, mode: Mode) -> int:
    found = searcher.search(SearchRequest(query, mode=mode, limit=_DEPTH)).results
    return next((place for place, result in enumerate(found, start=1) if result.path == f"{title}.md"), 0)
