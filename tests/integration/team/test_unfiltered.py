"""What a server is told in no statement: its log holds all of them."""

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.integration.team.conftest import Team
from tests.integration.team.test_daemon import daemon_of, first, until


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
