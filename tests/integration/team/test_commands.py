"""`scrubjay team …` and what other commands say of a team's profile, as its owner and members meet them."""

import re
import secrets
from collections.abc import Iterator

import pytest
from psycopg import sql

from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team.members import members
from scrubjay.profiles.team.team_key import PREFIX, Invitation
from tests.helpers.team_server import TeamServer
from tests.integration.team.conftest import Team, handed_over

PASSPHRASE = "correct horse battery"


@pytest.fixture(scope="module")
def crew(team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """Olga and Ada, for tests that change nothing."""
    with handed_over(team_server) as database:
        team = Team(database, tmp_path_factory.mktemp("crew"))
        team.owner()
        team.member("ada")
        yield team


def test_members_join_by_the_line_that_the_owner_was_given_and_each_has_a_password_of_its_own(team: Team) -> None:
    olga = team.owner()
    line = team.invitation("anna")
    assert (line.startswith(PREFIX), line.count("\n")) == (True, 1)  # alone on standard output
    anna, laptop, ben = team.person("anna"), team.person("anna-laptop"), team.member("ben")
    for each in (anna, laptop):
        each.does("team", "join", types=line)
    assert anna.profile.team_number == olga.profile.team_number
    assert anna.profile.server == laptop.profile.server == str(team.database.owner).replace("olga@", "anna@")
    assert anna.json("profile", "list")[0]["server"] == anna.profile.server
    assert len({each.kept.key for each in (olga, anna, ben)}) == 1
    assert len({each.kept.password for each in (olga, anna, ben)}) == 3


def test_joining_again_puts_back_what_was_lost_and_makes_no_second_profile(team: Team) -> None:
    team.owner()
    line, anna = team.invitation("anna"), team.person("anna")
    anna.does("team", "join", types=line)
    before = anna.keyring
    (team.root / "anna.json").unlink()
    anna.does("team", "join", types=line)
    assert anna.keyring == before
    assert [each.name for each in anna.registry.list()] == ["team"]


def test_a_role_that_was_there_keeps_its_password_which_is_asked_for(team: Team) -> None:
    team.owner()
    word = secrets.token_urlsafe(12)
    with team.database.as_operator() as operator:
        operator.execute(sql.SQL("CREATE ROLE carla LOGIN PASSWORD {}").format(sql.Literal(word)))
    line, carla = team.invitation("carla"), team.person("carla")
    assert word not in line
    wrong = carla.tries("team", "join", types=f"{line}another\n")
    assert wrong.exit_code == 1
    assert carla.registry.list() == ()
    carla.does("team", "join", types=f"{line}{word}\n")
    assert carla.profile.team_number == 1


def test_granting_twice_gives_a_new_line_and_the_old_one_no_longer_opens_the_key(team: Team) -> None:
    team.owner()
    anna = team.person("anna")
    old, new = team.invitation("anna"), team.invitation("anna", "--new-password")
    assert anna.tries("team", "join", types=old).exit_code == 1
    assert anna.registry.list() == ()
    anna.does("team", "join", types=new)
    granted = team.person("olga").does("team", "grant", "anna")
    third = granted.stdout  # without a password, which a member who is in has here
    assert "where nobody knows it, --new-password gives another" in " ".join(granted.stderr.split())
    refused = anna.tries("team", "join", types=new)
    assert (refused.exit_code, "Ask the owner for a new one" in " ".join(refused.output.split())) == (1, True)
    anna.does("team", "join", types=third)


def test_who_was_revoked_gets_in_no_more(team: Team) -> None:
    olga, line = team.owner(), team.invitation("anna")
    team.person("anna").does("team", "join", types=line)
    olga.does("team", "revoke", "anna")
    assert [each["member"] for each in olga.json("team", "list")] == ["olga"]
    laptop = team.person("anna-laptop")
    laptop.is_told("team", "join", types=line)
    assert laptop.registry.list() == ()


def test_the_list_says_who_may_use_what_and_a_member_sees_itself_alone(crew: Team) -> None:
    olga, ada = crew.person("olga"), crew.person("ada")
    shown = {each["member"]: each["profiles"] for each in olga.json("team", "list")}
    assert shown == {"olga": ["team"], "ada": ["team"]}
    assert [each["member"] for each in ada.json("team", "list")] == ["ada"]


def test_what_is_the_owners_is_refused_to_a_member_and_who_has_nothing_to_lose_is_not_revoked(crew: Team) -> None:
    olga, ada = crew.person("olga"), crew.person("ada")
    for command in ("grant ben", "change ada writer", "revoke olga", "upgrade", "drop team"):
        # a name need not be typed for it
        assert "The role ada does not own the team's database" in ada.is_told("team", *command.split())
    assert "nobody may not use team" in olga.is_told("team", "revoke", "nobody")
    assert "That is you." in olga.is_told("team", "revoke", "olga", status=2)
    assert {each["member"] for each in olga.json("team", "list")} == {"ada", "olga"}


def test_a_reader_finds_what_others_wrote_and_brings_nothing(team: Team) -> None:
    olga, rita = team.owner_with_notes(Birds="The kittiwake nests on the cliff."), team.person("rita")
    joined = rita.does("team", "join", types=team.invitation("rita", "--as", "reader"))
    assert "You are a reader of it" in " ".join(joined.output.split())
    rita.writes(Fish="The gurnard walks on the sand.")
    assert "You are a reader of team: these notes are not read" in " ".join(rita.adds_the_vault().stderr.split())
    assert "You are a reader of team" in " ".join(rita.does("profile", "allow", "team", "Fish").stderr.split())
    assert "reader" not in rita.does("profile", "exclude", "team", "Fish").stderr
    rita.does("profile", "exclude", "team", "Fish", "--undo")
    said = " ".join(rita.does("index").output.split())
    assert "rita is a reader of this team's profile" in said
    assert "SCRUBJAY_HOME" not in said  # the command is the owner's
    assert "`team change rita writer`" in said
    assert rita.finds("kittiwake") == ["Birds.md"]
    assert "Fish.md" not in rita.finds("gurnard")
    rita.does("check")  # what a reader's disk has is not missing
    assert "keeps no searches of readers" in " ".join(rita.does("history", "on", "team").output.split())
    assert {each["member"]: each["reader_of"] for each in olga.json("team", "list")} == {"olga": [], "rita": ["team"]}
    assert "team (reader)" in olga.does("team", "list").output
    olga.does("team", "change", "rita", "writer")
    assert "reader" not in rita.does("profile", "allow", "team", "Birds").stderr
    rita.does("index")
    assert rita.finds("gurnard")[0] == "Fish.md"
    assert [each["reader_of"] for each in rita.json("team", "list")] == [[]]


def test_removing_takes_it_off_this_computer_and_the_server_keeps_it(team: Team) -> None:
    team.owner()
    line, anna = team.invitation("anna"), team.person("anna")
    anna.does("team", "join", types=line)
    said = anna.does("profile", "remove", "team", types="y\n").output
    assert "The server keeps it" in said
    assert (anna.registry.list(), anna.keyring) == ((), {})
    anna.does("team", "join", types=line)


def test_dropping_wants_the_name_typed_and_deletes_it_for_everybody(team: Team) -> None:
    olga = team.owner()
    anna = team.member("anna")
    assert olga.tries("team", "drop", "team", types="tema\n").exit_code == 2
    with team.database.as_owner() as connection:
        assert len(members(connection)) == 2
    olga.does("team", "drop", "team", types="team\n")
    with team.database.as_operator() as operator:
        assert operator.execute("SELECT count(*) FROM scrubjay.team_profile").fetchall() == [(0,)]
        assert operator.execute("SELECT count(*) FROM pg_roles WHERE rolname = 'anna'").fetchall() == [(0,)]
    assert olga.registry.list() == ()
    assert anna.tries("team", "list").exit_code == 1


def test_a_name_that_is_taken_makes_nothing_on_the_server(crew: Team) -> None:
    for name in ("team", "TEAM"):
        create = ("profile", "create", name, "--server", str(crew.database.owner))
        assert "already" in crew.person("olga").is_told(*create, types="?\n")


def test_a_profile_that_could_not_be_kept_here_is_not_left_on_the_server(team: Team) -> None:
    olga = team.person("olga")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.helpers.file_keyring.FileKeyring.set_password", _no_keyring)
        said = f"{team.database.owner_password}\n"
        done = olga.tries("profile", "create", "team", "--server", str(team.database.owner), types=said)
    assert (done.exit_code, "--passphrase" in done.output) == (1, True)
    assert olga.registry.survey() == type(olga.registry.survey())((), ())
    with team.database.as_operator() as operator:
        assert operator.execute("SELECT count(*) FROM scrubjay.team_profile").fetchall() == [(0,)]


def _no_keyring(*_: object) -> None:
    raise RuntimeError("no keyring")


def test_without_a_keyring_a_passphrase_keeps_what_opens_it(team: Team) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.helpers.file_keyring.FileKeyring.set_password", _no_keyring)
        olga = team.owner("--passphrase", types=f"{PASSPHRASE}\n")
        line = olga.does("team", "grant", "anna", types=f"{PASSPHRASE}\n").stdout
        anna = team.person("anna")
        anna.does("team", "join", "--passphrase", types=f"{line}{PASSPHRASE}\n")
        assert anna.tries("team", "list", types="a wrong passphrase\n").exit_code == 1
        assert [each["member"] for each in anna.json("team", "list", types=f"{PASSPHRASE}\n")] == ["anna"]
        assert anna.json("profile", "list")[0]["protection"] == "passphrase"


def test_a_password_that_changed_on_the_server_is_tried_before_it_is_kept(team: Team) -> None:
    team.owner()
    anna, word = team.member("anna"), secrets.token_urlsafe(12)
    with team.database.as_operator() as operator:
        operator.execute(sql.SQL("ALTER ROLE anna PASSWORD {}").format(sql.Literal(word)))
    assert anna.tries("team", "list").exit_code == 1
    before = anna.keyring
    assert anna.tries("team", "password", types="a wrong one\n").exit_code == 1
    assert anna.keyring == before
    anna.does("team", "password", types=f"{word}\n")
    anna.does("team", "list")


def test_the_profile_must_be_named_where_there_are_several(team: Team) -> None:
    olga = team.owner()
    said = f"{team.database.owner_password}\n"
    olga.does("profile", "create", "second", "--server", str(team.database.owner), types=said)
    assert "--profile" in olga.tries("team", "grant", "anna").output
    olga.does("team", "grant", "anna", "--profile", "second")
    shown = {each["member"]: each["profiles"] for each in olga.json("team", "list", "--profile", "team")}
    assert shown == {"olga": ["team", "second"], "anna": ["second"]}


NEED_A_FILE = (
    "profile encrypt team", "profile encrypt team --passphrase", "profile decrypt team", "profile rekey team",
    "profile passphrase team", "profile backup team copy.db", f"profile restore team {__file__} --yes",
    "profile export team copy.zip --readable", "eval questions.jsonl --make 5",
)  # fmt: skip


def test_what_needs_a_file_says_what_to_use_instead(crew: Team) -> None:
    olga = crew.person("olga")
    before = olga.keyring
    for command in NEED_A_FILE:
        said = olga.is_told(*command.split(), types=f"{PASSPHRASE}\n{PASSPHRASE}\n")
        assert re.search(r"on a server: there is no file of it here\. .+; see docs/team-server\.md\.", said), said
    assert olga.keyring == before


def test_a_team_profile_can_be_locked_and_unlocked(crew: Team) -> None:
    olga = crew.person("olga")
    olga.does("lock", "team")
    assert "is locked" in olga.tries("team", "list").output
    olga.does("unlock", "team")
    olga.does("team", "list")


def test_an_address_that_can_not_be_is_refused_before_a_password_is_asked_for(crew: Team) -> None:
    word = secrets.token_urlsafe(12)
    for server, why in {
        f"postgresql://olga:{word}@db.example.org/notes": "Leave the password out",
        "postgresql://olga@db.example.org/notes?sslmode=disable": "TLS",
        "db.example.org": "no address",
    }.items():
        said = crew.person("new").is_told("profile", "create", "team", "--server", server)
        assert (why in said, word in said) == (True, False)


def test_what_is_no_invitation_is_refused(crew: Team) -> None:
    new = crew.person("new")
    for line in ("", "hello", PREFIX, f"{PREFIX}AAAA"):
        assert new.tries("team", "join", types=f"{line}\n").exit_code in (1, 2)
    assert new.registry.list() == ()


def test_an_invitation_brings_the_servers_root_and_no_path_of_the_owners(team: Team) -> None:
    root = team.root / "olga-s-own" / "root.crt"
    root.parent.mkdir()
    certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
    root.write_text(f"{certificate}what else is in the file\n")
    olga = team.person("olga")
    address = f"{team.database.owner}&sslrootcert={root}&sslkey={root}"
    olga.does("profile", "create", "team", "--server", address, types=f"{team.database.owner_password}\n")
    line = team.invitation("anna")
    assert "olga-s-own" not in str(Invitation.parse(line).address)
    anna = team.person("anna")
    anna.does("team", "join", types=line)
    kept = ServerAddress.parse(anna.profile.server).root
    assert kept is not None
    assert kept.is_relative_to(team.root / "anna")
    assert kept.read_text() == certificate
    assert "olga-s-own" not in anna.profile.server
    anna.does("team", "join", types=team.invitation("anna", "--new-password"))  # the same profile as before
    assert len(anna.registry.list()) == 1
