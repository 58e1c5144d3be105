"""Daemons of a team's members: what one writes another finds, and a server that goes costs nobody else anything."""

import asyncio
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from mcp_types import TextContent
from prometheus_client.parser import text_string_to_metric_families

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.server.endpoints.journal import REMEMBER, JournalAsk
from scrubjay.daemon.server.endpoints.links import RELATED, VERIFY, RelatedAsk, VerifyAsk
from scrubjay.daemon.server.endpoints.profiles import (
    BACK_UP_PROFILE,
    LIST_PROFILES,
    PROTECT_PROFILE,
    ProfileId,
    ProtectAsk,
)
from scrubjay.daemon.server.endpoints.read import READ, ReadAsk
from scrubjay.daemon.server.endpoints.review import REVIEW, ReviewAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS, ProfileStatus
from scrubjay.daemon.settings import Settings
from scrubjay.daemon.transport import ApiError
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.server_address import ServerAddress
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.installation import wait_until_indexed
from tests.helpers.team_server import TeamServer, frozen
from tests.integration.mcp.conftest import Place
from tests.integration.team.conftest import Person, Team, handed_over

T = TypeVar("T")
_SECONDS = 120.0
CLIFF = "The kittiwake nests on the cliff."


@pytest.fixture
def lively(own_server: TeamServer, tmp_path: Path) -> Generator[Team]:
    with handed_over(own_server) as database:
        yield Team(database, tmp_path)
        own_server.start()


def until(look: Callable[[], T], wanted: Callable[[T], bool]) -> T:
    """What is seen once it is as wanted."""
    deadline = time.monotonic() + _SECONDS
    while not wanted(seen := look()):
        assert time.monotonic() < deadline, seen
        time.sleep(0.1)
    return seen


def state(client: ScrubjayClient, name: str) -> ProfileStatus:
    return next(each for each in client.ask(STATUS).profiles if each.name == name)


def found(client: ScrubjayClient, query: str) -> tuple[set[str], dict[str, str]]:
    """The profiles that a word is found in, and those that did not answer, with the code of the reason."""
    reply = client.ask(SEARCH, SearchAsk(query=query))
    return {hit.profile for hit in reply.results}, {each.profile: each.code for each in reply.unanswered}


def first(client: ScrubjayClient, query: str) -> str:
    """The note that is found first."""
    return next((hit.path for hit in client.ask(SEARCH, SearchAsk(query=query)).results), "")


@contextmanager
def daemon_of(person: Person) -> Generator[ScrubjayClient]:
    """The daemon, and a client with the person's own token, which is in the person's keyring."""
    with person.at_work(), person.installation.daemon() as client:
        yield client


def with_own_notes(person: Person, text: str) -> None:
    """A profile of the person's own beside the team's, in a file."""
    folder = person.installation.root / "diary"
    folder.mkdir()
    (folder / "Day.md").write_text(text)
    person.does("profile", "create", "diary", "--vault", str(folder), "--allow", ".")


def owner_with_a_diary(team: Team) -> Person:
    """The owner, who has a kittiwake in the team's notes and in their own."""
    olga = team.owner_with_notes(Birds=CLIFF)
    with_own_notes(olga, "Saw a kittiwake today.")
    return olga


def test_notes_of_each_profile_are_digested_by_its_own_key_however_long_they_are(team: Team) -> None:
    olga = owner_with_a_diary(team)
    with daemon_of(olga) as client:
        wait_until_indexed(client)
        for folder in (olga.installation.vault, olga.installation.root / "diary"):
            (folder / "Long.md").write_text("The gannet plunges.\n\n" * 700)  # a short note takes no process of its own
        until(lambda: [each.notes for each in client.ask(STATUS).profiles], lambda notes: notes == [2, 2])
        wait_until_indexed(client)
        olga.does("check")


def measured(client: ScrubjayClient, token: str) -> dict[tuple[str, str], float]:
    """What a monitor is told of profiles, by the metric and the profile."""
    headers = {"Authorization": f"Bearer {token}"}
    text = httpx.get(f"{client.url}/metrics", headers=headers, trust_env=False).raise_for_status().text
    return {
        (each.name.removeprefix("scrubjay_"), each.labels["profile"]): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
        if "profile" in each.labels
    }


def test_a_server_that_goes_costs_the_others_nothing_and_opens_again_by_itself(lively: Team) -> None:
    olga = owner_with_a_diary(lively)
    with daemon_of(olga) as client:
        wait_until_indexed(client)
        token = olga.does("clients", "create", "prometheus", "--profile", "all", "--scope", "manage").stdout.split()[-1]
        until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"team", "diary"}, {}))
        # Others of the daemon may want a connection just then.
        seen = until(lambda: measured(client, token), lambda seen: seen["server_waiting", "team"] == 0)
        assert seen["server_up", "team"] == 1
        assert seen["server_connections", "team"] > 0
        assert seen["server_answer_seconds", "team"] > 0
        assert seen["server_differing_notes", "team"] == 0
        assert [key for key in seen if key[0].startswith("server_") and key[1] != "team"] == []
        lively.database.server.stop("immediate")
        profiles, unanswered = found(client, "kittiwake")
        assert (profiles, set(unanswered)) == ({"diary"}, {"team"})
        away = until(lambda: state(client, "team"), lambda seen: seen.state == "away")
        assert away.reason
        seen = measured(client, token)
        assert (seen["server_up", "team"], seen["profile_notes", "diary"]) == (0, 1)
        assert ("server_connections", "team") not in seen
        assert found(client, "kittiwake") == ({"diary"}, {"team": "away"})
        until(lambda: state(client, "diary").state, lambda seen: seen == "idle")
        assert "team: server away: " in olga.tries("status").output
        lively.database.server.start()
        until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"team", "diary"}, {}))
        until(lambda: state(client, "team").state, lambda seen: seen == "idle")


@pytest.mark.slow
def test_a_server_that_is_away_at_the_start_is_waited_for(lively: Team) -> None:
    olga = owner_with_a_diary(lively)
    lively.database.server.stop()
    with daemon_of(olga) as client:
        assert state(client, "team").state == "away"
        until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"diary"}, {"team": "away"}))
        lively.database.server.start()
        until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"team", "diary"}, {}))


@pytest.mark.slow
@pytest.mark.parametrize(
    "has_another", [False, True], ids=["whose last profile it was", "who has another profile there"]
)
def test_a_member_who_was_revoked_is_told_to_ask_the_owner(lively: Team, *, has_another: bool) -> None:
    olga = lively.owner()
    if has_another:
        lively.owner(name="second")
        lively.invitation("anna", "--profile", "second")
        anna = lively.person("anna")
        anna.does("team", "join", types=lively.invitation("anna", "--profile", "team", "--new-password"))
    else:
        anna = lively.member("anna")
    with daemon_of(anna) as client:
        until(lambda: state(client, "team").state, lambda seen: seen == "idle")
        olga.does("team", "revoke", "anna", "--profile", "team")
        until(lambda: found(client, "kittiwake"), lambda seen: seen == (set(), {"team": "denied"}))
        closed = until(lambda: state(client, "team"), lambda seen: seen.state == "failed")
        assert "Ask the team's owner" in closed.reason
        anna.does("team", "join", types=lively.invitation("anna", "--profile", "team", "--new-password"))
        until(lambda: found(client, "kittiwake"), lambda seen: seen == (set(), {}))
    olga.does("team", "revoke", "anna", "--profile", "team")
    assert "Ask the team's owner" in anna.tries("search", "kittiwake").output


def test_a_readers_daemon_searches_and_says_what_it_is(lively: Team) -> None:
    olga = lively.owner_with_notes(Birds=CLIFF)
    rita = lively.person("rita")
    rita.does("team", "join", types=lively.invitation("rita", "--as", "reader"))
    rita.writes(Fish="The gurnard walks on the sand.")
    rita.adds_the_vault()
    with daemon_of(rita) as client:
        until(lambda: state(client, "team").state, lambda seen: seen == "idle")
        assert first(client, "kittiwake") == "Birds.md"
        assert state(client, "team").reason.startswith("rita is a reader of this team's profile")
        with pytest.raises(ApiError) as refused:
            client.ask(REMEMBER, JournalAsk(text="It nests here, too.", profile="team"))
        assert (refused.value.code, refused.value.status) == ("store-read-only", 403)
        token = rita.does("clients", "create", "agent", "--profile", "all", "--scope", "search").stdout.split()[-1]
        with ScrubjayClient(client.url, token) as agent:
            assert state(agent, "team").reason == "It can be searched; nothing is written to it from here."
        olga.does("team", "change", "rita", "writer")
        until(lambda: first(client, "gurnard"), lambda path: path == "Fish.md")
        until(lambda: state(client, "team"), lambda seen: (seen.state, seen.reason, seen.notes) == ("idle", "", 2))


def test_who_becomes_a_writer_has_their_vault_read_though_no_file_changes(lively: Team) -> None:
    olga, rita = lively.owner(), lively.person("rita")
    rita.does("team", "join", types=lively.invitation("rita", "--as", "reader"))
    rita.writes(Fish="The gurnard walks on the sand.")
    rita.adds_the_vault()
    with rita.at_work(), closing(Engine(rita.installation.home, Settings(), lambda _: HashEncoder())) as engine:
        engine.supervisor.start()
        assert engine.supervisor.wait_until_idle(_SECONDS)
        olga.does("team", "change", "rita", "writer")
        engine.searcher.search(SearchRequest("gurnard", mode="lexical"))
        engine.profile_sync.sync()
        assert engine.supervisor.wait_until_idle(_SECONDS)
        found = engine.searcher.search(SearchRequest("gurnard", mode="lexical"))
        assert [hit.path for hit in found.results] == ["Fish.md"]


@pytest.mark.slow
def test_who_may_not_manage_learns_neither_the_server_s_address_nor_why_it_is_away(lively: Team) -> None:
    olga = lively.person("olga")
    lively.owner()
    lively.database.server.stop()
    with daemon_of(olga) as own:
        token = olga.does("clients", "create", "reader", "--profile", "all", "--scope", "search").stdout.split()[-1]
        reader = ScrubjayClient(own.url, token)
        (mine,) = own.ask(LIST_PROFILES).profiles
        (theirs,) = reader.ask(LIST_PROFILES).profiles
        assert (mine.server, theirs.server) == (olga.profile.server, "")
        assert (mine.encrypted, mine.protection) == (False, "keyring")
        assert found(reader, "kittiwake") == (set(), {"team": "away"})
        address = ServerAddress.parse(olga.profile.server)
        said = f"{reader.ask(STATUS)} {reader.ask(SEARCH, SearchAsk(query='kittiwake'))}"
        assert [part for part in (address.host, address.database, "olga") if part in said] == []
        assert address.host in state(own, "team").reason
        reader.close()


@pytest.mark.slow
def test_the_api_refuses_what_needs_a_file(lively: Team) -> None:
    olga = lively.owner()
    with daemon_of(olga) as own:
        (mine,) = own.ask(LIST_PROFILES).profiles
        with pytest.raises(ApiError, match="there is no file of it here"):
            own.ask(PROTECT_PROFILE, ProtectAsk(profile_id=mine.id, by="keyring"))
        with pytest.raises(ApiError, match="there is no file of it here"):
            own.ask(BACK_UP_PROFILE, ProfileId(profile_id=mine.id))
        until(lambda: state(own, "team").state, lambda seen: seen == "idle")


@pytest.mark.slow
def test_a_server_that_hangs_is_given_up_and_opens_again_by_itself(lively: Team) -> None:
    olga = owner_with_a_diary(lively)
    with daemon_of(olga) as client:
        wait_until_indexed(client)
        until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"team", "diary"}, {}))
        with frozen(lively.database.server):
            profiles, unanswered = found(client, "kittiwake")
            assert (profiles, set(unanswered)) == ({"diary"}, {"team"})
            until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"diary"}, {"team": "away"}))
            assert state(client, "team").state == "away"
        until(lambda: found(client, "kittiwake"), lambda seen: seen == ({"team", "diary"}, {}))


async def told(agent: Place, tool: str, **given: str) -> str:
    """What a tool tells an agent."""
    async with agent.http() as mcp:
        result = await mcp.call_tool(tool, given)
    assert not result.is_error, result
    return "".join(part.text for part in result.content if isinstance(part, TextContent))


def test_a_member_without_a_vault_reads_others_notes_by_their_paths(lively: Team) -> None:
    lively.owner_with_notes(**{"Cliff/Birds": CLIFF, "Fish": "The kittiwake eats it."})
    ben = lively.member("ben")
    with daemon_of(ben) as client:
        until(lambda: first(client, "nests"), lambda path: path == "Cliff/Birds.md")
        for name in ("Cliff/Birds.md", "Birds", "cliff/birds"):
            read = client.ask(READ, ReadAsk(notes=(name,)))
            assert [note.path for note in read.notes] == ["Cliff/Birds.md"], read.missing
        (note,) = read.notes
        near = [
            client.ask(RELATED, RelatedAsk(note=note.path)),
            client.ask(RELATED, RelatedAsk(vault=note.vault, path=note.path)),
        ]
        assert [[each.path for each in reply.notes] for reply in near] == [["Fish.md"]] * 2
        assert client.ask(VERIFY, VerifyAsk(quote="The kittiwake nests", path=note.path)).verdict == "verified"
        assert note.path in ben.does("related", "Fish.md").output
        assert "nests on the cliff" in ben.does("get", note.path).output
        token = ben.does("clients", "create", "agent", "--profile", "all", "--scope", "search").stdout.split()[-1]
        agent = Place(ben.installation, client.url, token)
        assert "nests on the cliff" in asyncio.run(told(agent, "get_note", id=note.path))
        assert note.path in asyncio.run(told(agent, "related", id="Fish.md"))
        for _ in range(2):  # again is no error
            ben.does("hide", note.path)
        assert first(client, "nests") != note.path
        ben.does("hide", note.path, "--undo")
        assert first(client, "nests") == note.path


def with_sea_birds(team: Team, notes: Mapping[str, str]) -> tuple[Person, Person]:
    """Olga, who has brought in a vault of these notes that is called *Sea birds*, and Ben, who has not got it."""
    olga = team.person("olga")
    vault = olga.installation.root / "Sea birds"
    vault.mkdir()
    for name, text in notes.items():
        (vault / name).write_text(text)
    team.owner("--vault", str(vault), "--allow", ".")
    olga.does("index")
    return olga, team.member("ben")


def test_a_member_without_a_vault_is_told_its_name_and_the_server_is_not(lively: Team) -> None:
    olga, ben = with_sea_birds(
        lively, {"Birds.md": "The kittiwake nests on the cliff.", "Fish.md": "The gurnard walks on the sand."}
    )
    assert {hit["open_url"] != "" for hit in olga.json("search", "kittiwake")["results"]} == {True}
    with daemon_of(ben) as client:
        hit, *_ = until(lambda: client.ask(SEARCH, SearchAsk(query="kittiwake")).results, lambda seen: len(seen) > 0)
        assert (hit.vault, hit.open_url) == ("Sea birds", "")
        for query in ('kittiwake vault:"Sea birds"', 'kittiwake -vault:"Land birds"'):
            assert first(client, query) == hit.path
        (note,) = client.ask(READ, ReadAsk(notes=(hit.path,))).notes
        assert note.vault == "Sea birds"
        client.ask(RELATED, RelatedAsk(vault=note.vault, path=note.path))
    with lively.database.as_operator() as operator:
        kept = operator.execute("SELECT string_agg(value, ' ') FROM scrubjay_p1.meta").fetchone()
    assert "birds" not in str(kept).casefold()


def test_proposals_about_a_vault_that_is_not_here_say_its_name(lively: Team) -> None:
    _, ben = with_sea_birds(
        lively, {"Heron.md": "The heron stands at the weir.", "Weir.md": "By [[old/Heron]] it rained."}
    )
    with daemon_of(ben) as client:
        asked = ReviewAsk(kind="broken-link")
        (found,) = until(lambda: client.ask(REVIEW, asked).proposals, lambda seen: len(seen) > 0)
        assert found.vault == "Sea birds"


def sealed(team: Team) -> int:
    """The names of vaults that the server keeps."""
    with team.database.as_operator() as operator:
        return operator.execute("SELECT FROM scrubjay_p1.meta WHERE starts_with(name, 'vault_name ')").rowcount


def test_a_vault_that_is_taken_from_the_profile_leaves_no_name_once_nobody_has_notes_of_it(lively: Team) -> None:
    olga, ben = lively.owner_with_notes(Birds=CLIFF), lively.member("ben")
    ben.writes(Fish="The gurnard walks on the sand.")
    ben.adds_the_vault()
    ben.does("index")
    olga.does("profile", "remove-vault", "team", str(olga.installation.vault))
    olga.does("index")
    assert sealed(lively) == 1
    ben.does("profile", "remove-vault", "team", str(ben.installation.vault))
    ben.does("index")
    assert sealed(lively) == 0
    ben.adds_the_vault()
    ben.does("index")
    assert sealed(lively) == 1
