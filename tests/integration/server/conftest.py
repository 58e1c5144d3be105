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


@contextmanager
def furnished_house(folder: Path) -> Generator[Residents]:
    """A house with its residents, until the block ends."""
    with open_house(folder) as house:
        work = house.add_profile("work", {"Jackdaw.md": WORK_TEXT, "Ledger.md": "The ledger of the jackdaw budget."})
        personal = house.add_profile("personal", {"Diary.md": PERSONAL_TEXT}, secrets=2)
        yield Residents(
            house=house,
            work=work,
            personal=personal,
            owner=house.clients.create("owner", scopes=("search", "manage"), profiles="all").token,
            reader=house.token("reader", work).token,
            manager=house.token("manager", work, scopes=("search", "manage")).token,
        )


@pytest.fixture(scope="module")
def residents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Residents]:
    with furnished_house(tmp_path_factory.mktemp("house")) as found:
        yield found
