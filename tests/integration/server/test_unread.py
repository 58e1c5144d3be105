"""While notes are read for the first time, a search says that there may be more, and its notes are embedded next."""

from collections.abc import Collection

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.integration.server.conftest import Residents


def told(residents: Residents, token: str, query: str) -> list[tuple[str, str]]:
    with ScrubjayClient(residents.house.url, token) as client:
        return [(notice.code, notice.text) for notice in client.ask(SEARCH, SearchAsk(query=query)).notices]


def test_a_search_says_that_notes_are_unread_and_of_no_word_that_no_note_has_it(residents: Residents) -> None:
    progress = residents.house.engine.open_profiles.same(residents.work).progress
    assert told(residents, residents.owner, "jackdaw xylophone")[0][0] == "absent-words"
    progress.reading(scanned=1_400, to_read=1_300, size=1_300, new=1_200)
    progress.stored(read=100, size=100, new=80, redacted=0, failed=0, chunked=0)
    said = told(residents, residents.owner, "jackdaw xylophone")
    assert said == [("unread", "1,120 of your notes have not been read yet, so there may be more.")]
    progress.phase("idle")
    assert told(residents, residents.owner, "jackdaw") == []


def test_who_does_not_see_a_profile_hears_nothing_of_its_notes(residents: Residents) -> None:
    progress = residents.house.engine.open_profiles.same(residents.personal).progress
    progress.reading(scanned=10, to_read=10, size=10, new=10)
    assert told(residents, residents.reader, "jackdaw") == []
    assert told(residents, residents.owner, "jackdaw")[0][0] == "unread"
    progress.phase("idle")


def test_what_a_search_finds_while_passages_wait_is_to_be_embedded_next(
    residents: Residents, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, set[str]] = {}

    def keep(profile_id: str, paths: Collection[str]) -> None:
        found[profile_id] = set(paths)

    monkeypatch.setattr(residents.house.engine.supervisor, "found", keep)
    told(residents, residents.owner, "ledger")
    assert found == {residents.work.id: {"Jackdaw.md", "Ledger.md"}, residents.personal.id: set()}
    found.clear()
    told(residents, residents.reader, "ledger")
    assert found == {residents.work.id: {"Jackdaw.md", "Ledger.md"}}
