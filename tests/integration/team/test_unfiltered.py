"""What a server is told in no statement: its log holds all of them."""

from contextlib import suppress

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.journal import RECALL, REMEMBER, JournalAsk, RecallAsk
from scrubjay.daemon.server.endpoints.links import RELATED, TRAVERSE, RelatedAsk, TraverseAsk
from scrubjay.daemon.server.endpoints.notes import NOTES, SUGGEST, NotesAsk, SuggestAsk
from scrubjay.daemon.server.endpoints.read import READ, ReadAsk
from scrubjay.daemon.server.endpoints.search import CONTEXT, EXPLAIN, SEARCH, ContextAsk, ExplainAsk, SearchAsk
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import wait_until_indexed
from tests.integration.team.conftest import Person, Team
from tests.integration.team.test_daemon import daemon_of, first, until, with_own_notes


def token() -> str:
    """What the filter takes for a credential wherever it stands."""
    return "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def test_no_credential_in_a_name_or_a_query_is_in_any_statement(team: Team) -> None:
    olga = team.person("olga")
    notes = olga.installation
    notes.write({"Birds.md": "The kittiwake nests on the cliff."})
    team.owner("--vault", str(notes.vault), "--allow", ".")
    with daemon_of(olga) as client:
        until(lambda: first(client, "kittiwake"), lambda path: path == "Birds.md")
        notes.write({"open/turbot.md": "The turbot lies flat."})
        until(lambda: first(client, "turbot"), lambda path: path == "open/turbot.md")
        # Met by a look at what has changed, and at nothing else.
        notes.write({f"open/{token()}.md": "A secret in its name.", "open/gurnard.md": "The gurnard walks."})
        until(lambda: first(client, "gurnard"), lambda path: path == "open/gurnard.md")
        (notes.vault / "Birds.md").rename(notes.vault / f"Birds {token()}.md")
        until(lambda: first(client, "kittiwake"), lambda path: path != "Birds.md")
        said = client.ask(SEARCH, SearchAsk(query=f"turbot {token()}"))
        assert said.results[0].path == "open/turbot.md"
        assert [notice.words for notice in said.notices if notice.code == "absent-password"] == [(token(),)]
        first(client, f'path:"{token()}" -tag:{token()} "turbot {token()}"')
    logged = team.database.server.log.splitlines()
    assert any("open/gurnard.md" in line for line in logged)
    assert [line for line in logged if token().lower() in line.lower()] == []


NOTES_OF_BIRDS = {
    "Seabirds/Kittiwakes.md": "---\ntags: [ledges]\nstatus: fledged\naliases: [Tickleass]\n---\n"
    "# Colonies\n\nThe kittiwakes nested on the northern cliffs, above 濑户.\n\n- [ ] ring the chicks\n",
    "Seabirds/Gannet.md": "The gannet plunges. See [[Kittiwakes|tarrocks]].\n",
}
SAID = (
    "kittiw", "tickle", "tarrock", "nested", "northern", "cliff", "ledge", "fledged", "seabird", "coloni", "chick",
    "濑",
)  # fmt: skip
"""Of what notes say and queries ask for, as typed and as the index has it."""
UNSAID = ("zoloft", "kumquat", "wobbleg")
"""Of what queries ask for and no note says."""


def searches(client: ScrubjayClient) -> None:
    """Everything that sends what somebody has typed; of each, something that is there and something that is not."""
    queries = (
        "kittiwakes zoloftpill", "kittywakes kumquatina", "tickleass", "tarrocks", "濑", "wobblegong",
        '"nested on the northern cliffs"', '"zoloftpill kumquatina"', "cliffs -kumquatina -gannet",
        "path:Seabirds cliffs", "path:zoloft* cliffs", "file:kittiwakes -file:kumquatina", "tag:ledges",
        "tag:zoloftpill OR tag:ledges/kumquatina", "[status:fledged] cliffs", "[kumquatina:zoloftpill]",
        "line:(kittiwakes northern)", "section:(wobblegong cliffs)", "task:chicks",
    )  # fmt: skip
    for query in queries:
        for mode in ("hybrid", "lexical"):
            client.ask(SEARCH, SearchAsk(query=query, mode=mode, explain=True, facets=("folder", "tag")))
    client.ask(SEARCH, SearchAsk(query="cliffs", facets=("property:status", "property:kumquatina"), sort="title"))
    for end in range(3, len("northern kumqua")):
        client.ask(SEARCH, SearchAsk(query="northern kumqua"[:end], typing=True, mode="lexical"))
    client.ask(EXPLAIN, ExplainAsk(query="kittiwakes zoloftpill", path="Seabirds/Kittiwakes.md"))
    client.ask(CONTEXT, ContextAsk(prompt="Where have the kittiwakes nested, wobblegong?"))
    client.ask(NOTES, NotesAsk(filter="path:Seabirds tag:ledges -path:zoloftpill"))
    client.ask(NOTES, NotesAsk(filter="kittiwakes"))
    for kind in ("title", "tag", "folder", "property"):
        for typed in ("kittiw", "kumqua", "ledg"):
            client.ask(SUGGEST, SuggestAsk(kind=kind, prefix=typed))
    for note in ("Kittiwakes", "Seabirds/Kittiwakes.md", "seabirds/kumquatina", "wobblegong*"):
        with suppress(ApiError):
            client.ask(RELATED, RelatedAsk(note=note))
        with suppress(ApiError):
            client.ask(READ, ReadAsk(notes=(note,)))
    with suppress(ApiError):
        client.ask(TRAVERSE, TraverseAsk(search="kittiwakes zoloftpill", about="kumquatina"))
    client.ask(RECALL, RecallAsk(query="fledged wobblegong", tags=("kumquatina",), author="zoloftpill"))


def told_since(team: Team, before: int, words: tuple[str, ...]) -> list[str]:
    """The lines of the server's log, from a length of it on, that say one of the words."""
    lines = team.database.server.log[before:].splitlines()
    assert any("posting" in line for line in lines)
    return [line for line in lines if any(word in line.lower() for word in words)]


@pytest.fixture
def searcher(team: Team) -> Person:
    """Olga with notes in a team's profile, which keeps no history."""
    olga = team.person("olga")
    olga.installation.write(NOTES_OF_BIRDS)
    team.owner("--vault", str(olga.installation.vault), "--allow", ".")
    olga.does("history", "off", "team")
    return olga


def test_no_word_of_a_query_or_a_command_is_in_any_statement(team: Team, searcher: Person) -> None:
    with daemon_of(searcher) as client:
        until(lambda: first(client, "gannet"), lambda path: path == "Seabirds/Gannet.md")
        wait_until_indexed(client)
        client.ask(REMEMBER, JournalAsk(text="The chicks fledged on Monday.", profile="team"))
        before = len(team.database.server.log)
        for query in ('"nested on the northern cliffs"', "kittywakes", "tag:ledges [status:fledged] path:seab", "濑"):
            assert first(client, query) == "Seabirds/Kittiwakes.md"
        assert client.ask(RECALL, RecallAsk(query="fledged")).entries
        searches(client)
    searcher.does("search", "kittiwakes zoloftpill path:Seabirds")
    searcher.does("search", '"northern cliffs"', "--explain")
    searcher.does("related", "Seabirds/Kittiwakes.md")
    assert told_since(team, before, (*SAID, *UNSAID)) == []


def test_a_search_that_leaves_the_profile_out_asks_its_server_nothing(team: Team, searcher: Person) -> None:
    with_own_notes(searcher, "Kumquatina in the diary.")
    searcher.does("profile", "federate", "team", "off")
    with daemon_of(searcher) as client:
        until(lambda: first(client, "kumquatina"), lambda path: path == "Day.md")
        wait_until_indexed(client)
        statements = team.database.server.log.count("FROM posting")
        assert first(client, "kumquatina wobblegong") == "Day.md"
        client.ask(SEARCH, SearchAsk(query="kittiwakes", profiles=("diary",)))
        assert team.database.server.log.count("FROM posting") == statements
