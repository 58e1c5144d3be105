"""One house for a module's tests: two profiles, and the clients who may see what."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from scrubjay.profiles.registry.registry import Profile
from tests.integration.server.house import House, open_house

WORK_TEXT = "The jackdaw project ships in spring; the budget is in the ledger."
PERSONAL_TEXT = "A private diary entry about the jackdaw in the garden."


@dataclass(frozen=True)
class Residents:
    """Tokens by who holds them, and the profiles that they concern."""

    house: House
    work: Profile
    personal: Profile
    owner: str  # sees and may do everything
    reader: str  # searches work
    manager: str  # manages work

    def http(self, token: str | None = None) -> httpx.Client:
        return self.house.client(token)


def furnish(house: House) -> Residents:
    """Have its residents move into an empty house."""
    work = house.add_profile("work", {"Jackdaw.md": WORK_TEXT, "Ledger.md": "The ledger of the jackdaw budget."})
    personal = house.add_profile("personal", {"Diary.md": PERSONAL_TEXT}, secrets=2)
    return Residents(
        house=house,
        work=work,
        personal=personal,
        owner=house.clients.create("owner", scopes=("search", "manage"), profiles="all").token,
        reader=house.token("reader", work).token,
        manager=house.token("manager", work, scopes=("search", "manage")).token,
    )


@contextmanager
def furnished_house(folder: Path) -> Generator[Residents]:
    """A house with its residents, until the block ends."""
    with open_house(folder) as house:
        yield furnish(house)


@pytest.fixture(scope="module")
def residents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Residents]:
    with furnished_house(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="module")
def standing_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("standing")) as house:
        yield house


@pytest.fixture
def empty_house(standing_house: House) -> Iterator[House]:
    """The module's house, as if it were new: to build one takes longer than most tests."""
    yield standing_house
    standing_house.clear()


@pytest.fixture
def fresh(empty_house: House) -> Residents:
    """Residents who have just moved in, and whatever a test does to them is gone after it."""
    return furnish(empty_house)
