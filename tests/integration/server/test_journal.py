"""`/v1/journal`: what is remembered, by whom it may be changed, and that no secret and no other profile gets in."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.engine.journal_limits import LONGEST_TEXT
from scrubjay.daemon.server.endpoints.journal import (
    FORGET,
    LOG,
    PRUNE,
    RECALL,
    REMEMBER,
    EntryAsk,
    JournalAsk,
    LogAsk,
    PruneAsk,
    RecallAsk,
    RememberedReply,
)
from scrubjay.daemon.transport import ApiError
from tests.integration.server.conftest import Residents

SECRET = "ghp" + "_" + "a1B2" * 9


@pytest.fixture
def agent(residents: Residents) -> ScrubjayClient:
    token = residents.house.token("agent", residents.work, scopes=("search", "journal")).token
    return ScrubjayClient(residents.house.url, token)


def remember(client: ScrubjayClient, text: str, profile: str | None = None, **more: Any) -> RememberedReply:
    return client.ask(REMEMBER, JournalAsk(text=text, profile=profile, **more))


def recalled(client: ScrubjayClient, query: str, as_of: datetime | None = None) -> list[str]:
    return [entry.text for entry in client.ask(RECALL, RecallAsk(query=query, as_of=as_of)).entries]


@contextmanager
def refused(code: str) -> Generator[None]:
    with pytest.raises(ApiError) as found:
        yield
    assert found.value.code == code


def test_what_is_remembered_is_recalled_listed_and_forgotten(agent: ScrubjayClient) -> None:
    with agent:
        saved = remember(agent, "Ada wants the ferry timetable in metric units", tags=("#travel",))
        other = remember(agent, "The build takes nine minutes")
        assert (saved.profile, saved.author, saved.tags) == ("work", "agent", ("travel",))
        assert recalled(agent, "ferry units")[0] == saved.text
        assert [entry.id for entry in agent.ask(LOG, LogAsk(limit=2)).entries] == [other.id, saved.id]
        later = datetime.now(UTC) + timedelta(hours=1)
        assert agent.ask(LOG, LogAsk(since=later)).entries == ()
        agent.ask(FORGET, EntryAsk(entry_id=saved.id))
        assert saved.text not in recalled(agent, "ferry units")
        with refused("entry-not-found"):
            agent.ask(FORGET, EntryAsk(entry_id=saved.id))


def test_credentials_are_taken_out_before_anything_is_stored(residents: Residents, agent: ScrubjayClient) -> None:
    with agent:
        saved = remember(agent, f"Deploy with {SECRET} on Fridays", tags=(SECRET,))
        assert saved.redactions == 1
        assert SECRET not in saved.text + "".join(saved.tags)
        assert recalled(agent, "deploy on Fridays")[0] == saved.text
    files = residents.house.engine.registry.store_path(residents.work).parent.iterdir()
    assert not any(SECRET.encode() in file.read_bytes() for file in files if file.is_file())


def test_a_client_forgets_only_what_it_saved_and_a_manager_anything(
    residents: Residents, agent: ScrubjayClient
) -> None:
    with agent, ScrubjayClient(residents.house.url, residents.owner) as owner:
        own, agents = remember(owner, "The owner's own words", "work"), remember(agent, "The agent's words")
        with refused("entry-not-found"):
            agent.ask(FORGET, EntryAsk(entry_id=own.id))
        owner.ask(FORGET, EntryAsk(entry_id=agents.id))
        owner.ask(FORGET, EntryAsk(entry_id=own.id))


def test_the_other_profile_s_journal_does_not_exist_for_a_client(residents: Residents, agent: ScrubjayClient) -> None:
    with agent, ScrubjayClient(residents.house.url, residents.owner) as owner:
        hidden = remember(owner, "A private jackdaw memory", "personal")
        assert hidden.text not in recalled(agent, "private jackdaw memory")
        assert hidden.id not in {entry.id for entry in agent.ask(LOG).entries}
        for name in ("personal", "nowhere"):
            with refused("profile-not-found"):
                remember(agent, "x", name)
        with refused("entry-not-found"):
            agent.ask(FORGET, EntryAsk(entry_id=hidden.id))
        assert hidden.text in recalled(owner, "private jackdaw memory")
        owner.ask(FORGET, EntryAsk(entry_id=hidden.id))


def test_reading_alone_does_not_let_a_client_write(residents: Residents) -> None:
    with ScrubjayClient(residents.house.url, residents.reader) as reader:
        reader.ask(LOG)
        with refused("forbidden"):
            remember(reader, "x")
        with refused("forbidden"):
            reader.ask(FORGET, EntryAsk(entry_id="0" * 12))


def test_one_who_sees_several_profiles_says_which(residents: Residents) -> None:
    with ScrubjayClient(residents.house.url, residents.owner) as owner, pytest.raises(ApiError, match="profile"):
        remember(owner, "Where does this go?")


def test_pruning_forgets_what_is_older_and_is_the_manager_s(residents: Residents, agent: ScrubjayClient) -> None:
    with agent, ScrubjayClient(residents.house.url, residents.manager) as manager:
        remember(agent, "Something old")
        ask = PruneAsk(profile="work", before=datetime.now(UTC) + timedelta(seconds=5))
        with refused("forbidden"):
            agent.ask(PRUNE, ask)
        assert manager.ask(PRUNE, ask).forgotten >= 1
        assert agent.ask(LOG).entries == ()


@pytest.mark.parametrize(
    "body",
    [
        {"text": ""},
        {"text": "   "},
        {"text": "x" * (LONGEST_TEXT + 1)},
        {"text": "x\x00"},
        {"text": "x", "tags": ["a\nb"]},
        {"text": "x", "tags": ["t"] * 21},
        {"text": "x", "author": "somebody else"},
        {"text": 5},
        {},
    ],
)
def test_what_can_t_be_remembered_is_refused(residents: Residents, body: object) -> None:
    with residents.http(residents.manager) as http:
        assert http.post("/v1/journal", json=body).status_code == 400
        for path in ("/v1/journal?since=yesterday", "/v1/journal?since=2026-01-01T00:00:00", "/v1/journal?limit=0"):
            assert http.get(path).status_code == 400
        assert http.get("/v1/journal", params={"until": "9999-12-31T00:00:00Z"}).status_code == 200


def test_what_is_said_again_replaces_what_took_its_place_and_its_first_time_stays_known(agent: ScrubjayClient) -> None:
    with agent:
        first = remember(agent, "The parking spot is number 12")
        other = remember(agent, "The parking spot is number 47")
        again = remember(agent, first.text, replaces=other.id)
        assert (again.id, again.refreshed, again.replaced) == (first.id, True, other.id)
        assert again.first_saved == first.saved < again.saved
        assert other.text not in recalled(agent, "parking spot number")
        by_id = {entry.id: entry for entry in agent.ask(LOG, LogAsk(limit=10)).entries}
        assert (by_id[other.id].replaced_by, by_id[first.id].first_saved) == (first.id, first.saved)
        third = remember(agent, first.text)
        assert (third.replaced, third.first_saved) == ("", first.saved)


def test_what_is_to_hold_later_replaces_then_and_what_held_before_is_found_by_its_time(agent: ScrubjayClient) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    in_3_days, begun, ended = (
        now + timedelta(days=3),
        datetime(1950, 3, 1, tzinfo=UTC),
        datetime(1960, 1, 1, tzinfo=UTC),
    )
    with agent:
        old = remember(agent, "The locker code is jackdaw", valid_from=now - timedelta(days=9))
        over = remember(agent, "The locker code is heron", valid_to=now - timedelta(days=2))
        new = remember(agent, "The locker code is magpie", replaces=old.id, valid_from=in_3_days)
        assert f"recalled until {in_3_days.astimezone():%Y-%m-%d}" in new.replacement
        for as_of, held in (
            (None, {old.text, new.text}),
            (now - timedelta(days=5), {old.text}),
            (now + timedelta(days=4), {new.text}),
        ):
            assert {*recalled(agent, "locker code", as_of)} & {old.text, over.text, new.text} == held
        mill = remember(agent, "The quorn mill ran", valid_from=begun, valid_to=ended)
        assert (mill.valid_from, mill.valid_to) == (begun, ended)
        found = {
            year: mill.text in recalled(agent, "quorn mill", datetime(year, 6, 1, tzinfo=UTC))
            for year in (1, 1949, 1955, 1961, 9999)
        }
        assert found == {1: False, 1949: False, 1955: True, 1961: False, 9999: False}
        for year in (1, 9999):
            with pytest.raises(ApiError, match="1678-01-01 to 2262-01-01"):
                remember(agent, "x", valid_from=datetime(year, 6, 1, tzinfo=UTC))
        with pytest.raises(ApiError, match="after `valid_from`"):
            remember(agent, "x", valid_from=now, valid_to=now - timedelta(days=1))
