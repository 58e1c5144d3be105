"""A laptop is lost: its sessions end, and what it knows tells nothing of the words that are asked for from then on."""

import json
import re
import secrets

import pytest
from psycopg import sql

from scrubjay.profiles.team.hashed_words import HashedWords
from scrubjay.profiles.team.team_key import PREFIX, TeamKeys
from tests.integration.team.conftest import Person, Team
from tests.integration.team.test_daemon import daemon_of, first, found, lively, state, until, with_own_notes

__all__ = ["lively"]
PASSPHRASE = "correct horse battery"
WORDS = ("kittiwake", '"nests on the cliff"')
BIRDS = {"Birds": "# Seen\n\nThe kittiwake nests on the cliff."}
LEXICAL = ("--mode", "lexical")
NEWEST = "Take the newest line"


def operators_member(team: Team, name: str) -> Person:
    """Somebody whose role is the operator's: its password stays as it is."""
    word = secrets.token_urlsafe(12)
    with team.database.as_operator() as operator:
        operator.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(name), sql.Literal(word)))
    person = team.person(name)
    person.does("team", "join", types=f"{team.invitation(name)}{word}\n")
    return person


def lines_of(person: Person, *options: str) -> dict[str, str]:
    """The invitations that a new key gives, by member."""
    said = person.does("team", "new-key", *options).stdout.splitlines()
    return dict(line.split("\t") for line in said if PREFIX in line)


def found_by(person: Person) -> list[str]:
    """The notes that a member finds on their computer."""
    return person.finds("kittiwake", *LEXICAL)


def test_a_lost_laptop_gets_in_no_more_and_its_key_is_of_no_word_that_the_server_has(team: Team) -> None:
    olga, anna, ben = team.owner_with_notes(**BIRDS), team.member("anna"), team.member("ben")
    stolen = anna.kept
    lines = lines_of(olga, "--lost", "anna")
    assert lines.keys() == {"olga", "anna", "ben"}
    for person in (anna, ben):
        said = person.is_told("search", "kittiwake")
        assert "Nothing found. Profile team did not answer. Its server does not let you in any more" in said
    old = HashedWords(TeamKeys(stolen.key))
    with team.database.as_operator() as operator:
        rows = operator.execute("SELECT term, term_key, begin_key FROM scrubjay_p1.posting").fetchall()
        lexemes = operator.execute(
            "SELECT DISTINCT unnest(tsvector_to_array(words)) FROM scrubjay_p1.chunk_words"
            " UNION SELECT unnest(tsvector_to_array(own)) FROM scrubjay_p1.note_words"
        ).fetchall()
    terms = {term for term, _, _ in rows}
    assert "kittiwak" in terms
    assert not {key for _, *keys in rows for key in keys} & {key for term in terms for key in old.keys(term)}
    assert not {each for (each,) in lexemes} & {old.lexeme(term) for term in terms}

    for person in (anna, ben):
        person.does("team", "join", types=lines[person.installation.root.name])
        assert {query: person.finds(query, *LEXICAL) for query in WORDS} == {query: ["Birds.md"] for query in WORDS}
    assert {each.kept.words_key for each in (olga, anna, ben)} == {olga.kept.words_key}
    assert anna.kept.key == stolen.key
    assert anna.kept.password != stolen.password
    assert olga.kept.password == team.database.owner_password
    last = olga.json("team", "audit")[-1]
    assert (last["who"], last["action"], last["about"], last["whole"]) == ("olga", "new-key", "team", True)


def test_who_has_not_taken_the_line_yet_is_told_so_and_nothing_is_found_or_written(lively: Team) -> None:
    olga, ben = lively.owner_with_notes(**BIRDS), operators_member(lively, "ben")
    ben.writes(Fish="The gurnard walks on the sand.")
    ben.adds_the_vault()
    with daemon_of(ben) as client:
        until(lambda: first(client, "gurnard"), lambda path: path == "Fish.md")
        lines = lines_of(olga)
        until(lambda: found(client, "kittiwake"), lambda seen: seen == (set(), {"team": "key-changed"}))
        closed = until(lambda: state(client, "team"), lambda seen: seen.state == "failed")
        assert "Ask the team's owner for a new invitation" in closed.reason
        ben.writes(Crab="The spider crab dresses up.")
        ben.does("team", "join", types=lines["ben"])
        until(lambda: first(client, "spider crab"), lambda path: path == "Crab.md")
        assert first(client, "kittiwake") == "Birds.md"
    assert olga.finds("spider crab", *LEXICAL) == ["Crab.md"]


def test_who_comes_later_and_who_is_given_another_password_get_todays_key(team: Team) -> None:
    olga, anna = team.owner_with_notes(**BIRDS), team.member("anna")
    lines = lines_of(olga)
    ben = team.member("ben")
    assert found_by(ben) == ["Birds.md"]
    line = team.invitation("anna", "--new-password")
    assert anna.tries("team", "join", types=lines["anna"]).exit_code == 1
    anna.does("team", "join", types=line)
    assert found_by(anna) == ["Birds.md"]


def test_an_owner_with_the_key_from_before_gives_nobody_that_one(team: Team) -> None:
    olga = team.owner_with_notes(**BIRDS)
    before = olga.keyring
    lines_of(olga)
    (team.root / "olga.json").write_text(json.dumps(before))
    refused = olga.is_told("team", "grant", "anna")
    assert ("Ask the team's owner for a new invitation" in refused, PREFIX in refused) == (True, False)
    assert [each["member"] for each in olga.json("team", "list")] == ["olga"]
    lines_of(olga)  # without the key of today, which nobody has: another one
    assert found_by(olga) == ["Birds.md"]


def test_who_is_no_owner_and_who_is_not_there_change_no_key(team: Team) -> None:
    olga, anna = team.owner_with_notes(**BIRDS), team.member("anna")
    assert "does not own the team's database" in anna.tries("team", "new-key").output
    assert "nobody is not in this profile" in olga.tries("team", "new-key", "--lost", "nobody").output
    assert "That is you" in olga.tries("team", "new-key", "--lost", "olga").output
    assert found_by(anna) == ["Birds.md"]


def test_the_profiles_that_a_lost_laptop_has_the_key_of_besides_are_named(team: Team) -> None:
    olga = team.owner_with_notes(**BIRDS)
    team.owner(name="hr")
    anna = team.person("anna")
    for profile in ("team", "hr"):
        options = ("--new-password",) if profile == "hr" else ()
        anna.does("team", "join", types=team.invitation("anna", "--profile", profile, *options))
    said = olga.does("team", "new-key", "--lost", "anna", "--profile", "team").stderr
    assert "anna has the keys of hr, too" in " ".join(said.split())


@pytest.mark.parametrize("options", [(), ("--passphrase",)], ids=["keyring", "passphrase"])
def test_the_latest_line_alone_brings_a_member_in_whatever_was_taken_before(
    team: Team, options: tuple[str, ...]
) -> None:
    olga, anna = team.owner_with_notes(**BIRDS), team.person("anna")
    said = f"{PASSPHRASE}\n" if options else ""
    anna.does("team", "join", *options, types=f"{team.invitation('anna')}{said}")
    lines = [lines_of(olga, "--lost", "anna")["anna"], lines_of(olga, "--lost", "anna")["anna"]]
    lines.append(lines_of(olga)["anna"])
    for line in lines[:2]:
        assert NEWEST in anna.is_told("team", "join", types=f"{line}\n{said}")
    assert "You are in" in anna.does("team", "join", types=f"{lines[2]}\n{said}").output
    _, line = (lines_of(olga)["anna"] for _ in range(2))  # nothing was taken of the first
    anna.does("team", "join", types=f"{line}\n{said}")
    laptop = team.person("anna-laptop")
    laptop.does("team", "join", types=line)
    assert found_by(laptop) == ["Birds.md"]
    assert [each["member"] for each in anna.json("team", "list", types=said)] == ["anna"]


def test_who_was_let_in_just_before_a_turn_joins_by_the_line_of_the_turn(team: Team) -> None:
    olga = team.owner_with_notes(**BIRDS)
    first_line = team.invitation("neu")
    team.invitation("rita", "--as", "reader")
    lines = lines_of(olga)
    neu, rita = team.person("neu"), team.person("rita")
    assert NEWEST in neu.is_told("team", "join", types=first_line)
    neu.does("team", "join", types=lines["neu"])
    assert "You are a reader of it" in " ".join(rita.does("team", "join", types=lines["rita"]).output.split())
    assert [found_by(each) for each in (neu, rita)] == [["Birds.md"], ["Birds.md"]]


def test_who_has_a_password_of_the_operators_keeps_it_and_is_asked_for_none(team: Team) -> None:
    olga = team.owner_with_notes(**BIRDS)
    carla = operators_member(team, "carla")
    before = carla.kept.password
    lost = olga.is_told("team", "new-key", "--lost", "carla")
    assert "who alone changes its password: nothing was done" in lost
    with team.database.as_operator() as operator:  # she owns it as well now
        operator.execute("GRANT olga TO carla")
    carla.does("team", "join", types=lines_of(olga)["carla"])
    assert (carla.kept.password, found_by(carla)) == (before, ["Birds.md"])
    olga.does("team", "join", types=lines_of(carla)["olga"])
    assert (olga.kept.password, found_by(olga)) == (team.database.owner_password, ["Birds.md"])


def test_what_is_not_the_password_of_a_profile_is_not_kept_for_it(team: Team) -> None:
    olga = team.owner_with_notes(**BIRDS)
    carla = operators_member(team, "carla")
    line, word = lines_of(olga)["carla"], secrets.token_urlsafe(12)
    with team.database.as_operator() as operator:
        operator.execute(sql.SQL("ALTER ROLE carla PASSWORD {}").format(sql.Literal(word)))
    before = carla.keyring
    for wrong in ("another", ""):
        refused = carla.tries("team", "join", types=f"{line}\n{wrong}\n")
        assert (refused.exit_code, "You are in" in refused.output) == (1, False)
    assert carla.keyring == before
    carla.does("team", "join", types=f"{line}\n{word}\n")
    assert found_by(carla) == ["Birds.md"]


def test_the_other_profiles_of_a_member_go_on_with_the_password_of_a_line(team: Team) -> None:
    olga = team.owner_with_notes(**BIRDS)
    team.owner(name="hr")
    anna = team.person("anna")
    anna.does("team", "join", types=team.invitation("anna", "--profile", "team"))
    anna.does("team", "join", types=team.invitation("anna", "--profile", "hr"))
    lines = {each: lines_of(olga, "--profile", each)["anna"] for each in ("team", "hr")}
    assert NEWEST in anna.is_told("team", "join", types=lines["team"])  # the other one is newer
    anna.does("team", "join", types=lines["hr"])
    anna.does("team", "list", "--profile", "team")
    anna.does("team", "join", types=lines["team"])
    assert found_by(anna) == ["Birds.md"]
    anna.does("team", "list", "--profile", "hr")


def test_a_turn_that_was_ended_before_its_lines_were_printed_is_mended_by_another(team: Team) -> None:
    olga, anna = team.owner_with_notes(**BIRDS), team.member("anna")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scrubjay.profiles.registry.keys.Custody.keep_team", _ended)
        with pytest.raises(_Ended):
            olga.tries("team", "new-key", "--lost", "anna")
    assert "key of the team's words was changed" in olga.is_told("search", "kittiwake")
    anna.does("team", "join", types=lines_of(olga)["anna"])
    assert [found_by(olga), found_by(anna)] == [["Birds.md"], ["Birds.md"]]


class _Ended(BaseException):
    """The process was killed."""


def _ended(*_: object) -> None:
    raise _Ended


def test_a_line_is_taken_as_it_is_printed_and_another_members_is_named(team: Team) -> None:
    olga, anna, _ = team.owner_with_notes(**BIRDS), team.member("anna"), team.member("ben")
    lines = lines_of(olga)
    refused = anna.is_told("team", "join", types=f"ben\t{lines['ben']}\n")
    assert "This is the line of ben, and team is here as anna" in refused
    anna.does("team", "join", types=f"anna\t{lines['anna']}\n")
    assert found_by(anna) == ["Birds.md"]


def test_the_owners_daemon_finds_by_the_new_key_as_soon_as_the_command_is_done(lively: Team) -> None:
    olga = lively.owner_with_notes(**BIRDS)
    with daemon_of(olga) as client:
        until(lambda: first(client, "kittiwake"), lambda path: path == "Birds.md")
        for options in ((), ("--lost", lively.member("anna").installation.root.name)):
            lines_of(olga, *options)
            assert found(client, "kittiwake") == ({"team"}, {})


@pytest.mark.parametrize("turned", ["by a password of the team's", "by one of the operator's"])
def test_whatever_is_asked_before_the_line_is_taken_says_what_to_do(lively: Team, turned: str) -> None:
    olga = lively.owner_with_notes(**BIRDS)
    ben = lively.member("ben") if "team's" in turned else operators_member(lively, "ben")
    with_own_notes(ben, "Saw a gannet today.")
    line = lines_of(olga)["ben"]
    with daemon_of(ben) as client:
        until(lambda: state(client, "team").state, lambda seen: seen == "failed")
        for command in (
            ("explain", "kittiwake", "--note", "Birds.md"),
            ("history",),
            ("changes", "Birds.md"),
            ("changes",),
        ):
            said = " ".join(ben.tries(*command).output.split())
            assert re.search(r"new invitation.*scrubjay team join", said), said
            assert "unlock" not in said
            assert "No searches are remembered" not in said
        ben.does("team", "join", types=line)
        until(lambda: first(client, "kittiwake"), lambda path: path == "Birds.md")
