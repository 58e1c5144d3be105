"""An owner says how much a member may bring into a team's profile; what there is no room for waits, and is named."""

from collections.abc import Sequence

from tests.integration.team.conftest import Person, Team
from tests.integration.team.test_daemon import daemon_of


def with_notes(team: Team, **notes: str) -> tuple[Person, Person]:
    """Olga, and Anna with a vault."""
    olga, anna = team.owner(), team.member("anna")
    anna.writes(**notes)
    anna.adds_the_vault()
    return olga, anna


def indexed(anna: Person) -> set[str]:
    """The notes that are found, once Anna's computer has looked at its folder."""
    anna.does("index")
    return set(anna.finds("file:md", "--limit", "50"))


def waiting(team: Team) -> Sequence[str]:
    with team.database.as_operator() as operator:
        rows = operator.execute("SELECT path FROM scrubjay_p1.failure WHERE code = 'over-quota' ORDER BY path")
        return [path for (path,) in rows.fetchall()]


def brought(person: Person, *arguments: str) -> tuple[int, int | None]:
    said = person.json("team", "quota", "anna", *arguments)
    return said["brought"], said["most"]


def test_what_there_is_no_room_for_waits_and_comes_in_once_there_is(team: Team) -> None:
    olga, anna = with_notes(team, auk="The auk dives.", eider="The eider sleeps.", gannet="The gannet falls.")
    assert brought(olga, "2") == (0, 2)
    first = indexed(anna)
    assert len(first) == 2
    assert waiting(team) == sorted({"auk.md", "eider.md", "gannet.md"} - first)
    with daemon_of(anna):
        said = " ".join(anna.does("status").output.split())
    assert "the team's owner has set how many passages you may bring" in said
    assert indexed(anna) == first
    assert brought(anna) == brought(olga) == (2, 2)
    assert brought(olga, "3") == (2, 3)
    assert indexed(anna) == {"auk.md", "eider.md", "gannet.md"}
    assert waiting(team) == []
    assert brought(olga, "--none") == (3, None)


def test_a_note_that_grows_too_long_stays_as_it_was_and_one_that_shrinks_makes_room(team: Team) -> None:
    olga, anna = with_notes(team, auk="The auk dives.", eider="The eider sleeps.")
    olga.does("team", "quota", "anna", "2")
    indexed(anna)
    long = "The auk dives, and comes up again with a fish. " * 30
    anna.writes(auk=f"# One\n\n{long}\n\n# Two\n\n{long}The kittiwake nests.")
    indexed(anna)
    assert waiting(team) == ["auk.md"]
    assert anna.tries("search", "kittiwake", "--mode", "lexical").exit_code == 1
    (anna.installation.vault / "eider.md").unlink()
    indexed(anna)  # forgets one, and makes room for the next look
    assert indexed(anna) == {"auk.md"}
    assert waiting(team) == ["auk.md"]  # which needs more than that
    olga.does("team", "quota", "anna", "9")
    indexed(anna)
    assert waiting(team) == []
    assert anna.finds("kittiwake", "--mode", "lexical") == ["auk.md"]
    olga.does("team", "quota", "anna", "1")  # what is there stays
    assert indexed(anna) == {"auk.md"}
    anna.writes(auk="The auk sleeps now.")
    assert indexed(anna) == {"auk.md"}
    assert brought(olga) == (1, 1)


def test_only_an_owner_sets_it_and_it_is_in_the_audit(team: Team) -> None:
    olga, anna = with_notes(team)
    team.member("ben")
    assert "does not own the team's database" in anna.tries("team", "quota", "anna", "9").output
    assert "only owners are told what others may bring" in anna.tries("team", "quota", "ben").output
    assert "nobody may not use this profile" in olga.tries("team", "quota", "nobody", "9").output
    olga.does("team", "quota", "anna", "1000")
    assert "may bring 1,000 at most" in anna.does("team", "quota", "anna").output
    last = olga.json("team", "audit")[-1]
    assert (last["action"], last["about"], last["whole"]) == ("quota", "anna", True)
