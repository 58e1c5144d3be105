"""`scrubjay review` as a person uses it: asked, shown, written, taken back; and only what the note still says."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.server.endpoints.review import REVIEW_PROPOSE, ProposeAsk
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import connect
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

SECRET = expand("ghp_{alnum:36}", "review command")
NOTES = {
    "Birds/Heron.md": f"The heron stands at the weir.\r\ntoken: {SECRET}\r\nIt eats eels.\r\n",
    "Weir.md": "Below the mill. [[Heron]]\n",
    "Inbox/Eels.md": "Eels come up at dusk.\n",
    "Pond/Frog.md": "Frogs call.\n",
    "Reeds.md": "Reeds call.\n",
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("review"))
    made.create_profile("notes")
    return made


@pytest.fixture(scope="module")
def daemon(installation: Installation) -> Iterator[ScrubjayClient]:
    with installation.daemon() as client:
        yield client


@pytest.fixture
def client(installation: Installation, daemon: ScrubjayClient) -> ScrubjayClient:
    """The daemon, over notes as they are at the beginning of each test, and nothing proposed or answered."""
    for path in installation.vault.rglob("*.md"):
        path.unlink()
    installation.write(NOTES)
    for record in installation.home.profiles.glob("*/review/*-*"):
        record.unlink()
    registry = Registry(installation.home.profiles)
    with closing(connect(registry.store_path(registry.get("notes")), None, "writer")) as connection:
        for table in ("review_answer", "review_suggestion"):
            connection.execute(f"DELETE FROM {table}")
    run(installation, "index")
    wait_until_indexed(daemon)
    return daemon


def run(installation: Installation, *arguments: str, types: str | None = None) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRUBJAY_HOME", str(installation.root / "home"))
        return CliRunner().invoke(scrubjay, list(arguments), input=types, catch_exceptions=False)


def review(installation: Installation, *arguments: str) -> Any:
    done = run(installation, "review", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def on_disk(installation: Installation) -> dict[str, bytes]:
    found = (path for path in installation.vault.rglob("*") if path.is_file())
    return {path.relative_to(installation.vault).as_posix(): path.read_bytes() for path in found}


def propose(client: ScrubjayClient, path: str, *changes: Change) -> str:
    ask = ProposeAsk(vault="vault", path=path, why="It reads better.", changes=changes)
    return client.ask(REVIEW_PROPOSE, ask).proposal.key


def replace(path: str, line: int, before: str, after: str) -> Change:
    return Change(action="replace", vault="vault", path=path, line=line, before=before, after=after)


AS_IT_WAS = {path: text.encode() for path, text in NOTES.items()}


def test_what_is_accepted_is_shown_written_and_taken_back(installation: Installation, client: ScrubjayClient) -> None:
    link = propose(client, "Birds/Heron.md", replace("Birds/Heron.md", 1, "weir", "[[Weir|weir]]"))
    tags = Change(action="add-tags", vault="vault", path="Birds/Heron.md", tags=("bird",))
    tag = propose(client, "Birds/Heron.md", tags)
    move = Change(action="move", vault="vault", path="Birds/Heron.md", to="Animals/Grey heron.md")
    moved = propose(client, "Birds/Heron.md", move)
    listed = review(installation, "--kind", "suggested")
    assert {each["key"] for each in listed["proposals"]} >= {link, tag, moved}
    shown = run(installation, "review", "show", link[:10])
    assert "+The heron stands at the [[Weir|weir]]." in shown.stdout
    assert SECRET not in shown.output
    assert run(installation, "review", "yes", link[:10], tag, moved).exit_code == 0
    dry = run(installation, "review", "apply", "--dry-run")
    assert "Animals/Grey heron.md" in dry.stdout
    assert SECRET not in dry.output
    assert on_disk(installation) == AS_IT_WAS, "nothing is written before apply"
    report = review(installation, "apply")
    assert sorted(report["keys"]) == sorted((link, tag, moved))
    heron = f"---\r\ntags:\r\n  - bird\r\n---\r\n{NOTES['Birds/Heron.md']}".replace("weir", "[[Weir|weir]]")
    assert on_disk(installation) == {
        "Animals/Grey heron.md": heron.encode(),
        "Weir.md": b"Below the mill. [[Grey heron]]\n",
        "Inbox/Eels.md": AS_IT_WAS["Inbox/Eels.md"],
        "Pond/Frog.md": AS_IT_WAS["Pond/Frog.md"],
        "Reeds.md": AS_IT_WAS["Reeds.md"],
    }
    assert review(installation, "apply") == {"keys": [], "notes": [], "refused": [], "run": ""}
    kept = b"".join(file.read_bytes() for file in (installation.root / "home").rglob("*") if file.is_file())
    assert SECRET.encode() not in kept
    assert sorted(review(installation, "undo")["keys"]) == sorted((link, tag, moved))
    assert on_disk(installation) == AS_IT_WAS
    assert run(installation, "review", "undo").exit_code == 1


def test_what_changes_no_note_says_so_at_each_step_and_is_put_away(
    installation: Installation, client: ScrubjayClient
) -> None:
    installation.write({"Bare.md": ""})
    run(installation, "index")
    until(lambda: bool(review(installation, "--kind", "empty")["proposals"]))
    (hint,) = review(installation, "--kind", "empty")["proposals"]
    link = propose(client, "Reeds.md", replace("Reeds.md", 1, "call", "sway"))
    said = "changes no note: `review apply` puts it away as seen to"
    assert said in run(installation, "review", "show", hint["key"]).stdout
    accepted = run(installation, "review", "yes", hint["key"], link).stdout
    assert "1 proposal accepted. `scrubjay review apply` writes" in accepted
    assert f"1 proposal accepted that {said}" in accepted
    for step in (("apply", "--dry-run"), ("apply",)):
        assert f"{hint['path']} {said}" in run(installation, "review", *step).stdout
    assert {each["key"] for each in review(installation, "--answer", "done")["proposals"]} == {hint["key"], link}
    assert on_disk(installation) == AS_IT_WAS | {"Reeds.md": b"Reeds sway.\n", "Bare.md": b""}


def test_a_note_that_changed_since_is_not_written_and_the_others_are(
    installation: Installation, client: ScrubjayClient
) -> None:
    stale = propose(client, "Weir.md", replace("Weir.md", 1, "mill", "old mill"))
    good = propose(client, "Inbox/Eels.md", replace("Inbox/Eels.md", 1, "dusk", "night"))
    assert run(installation, "review", "yes", stale, good).exit_code == 0
    (installation.vault / "Weir.md").write_text("Another text.\n")
    done = run(installation, "review", "apply", "--json")
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert report["keys"] == [good]
    assert [each["keys"] for each in report["refused"]] == [[stale]]
    assert on_disk(installation) == AS_IT_WAS | {
        "Weir.md": b"Another text.\n",
        "Inbox/Eels.md": b"Eels come up at night.\n",
    }
    (installation.vault / "Inbox/Eels.md").write_text("Eels. Eels.\n")
    undone = run(installation, "review", "undo")
    assert undone.exit_code == 1
    assert "has changed since" in undone.output
    assert (installation.vault / "Inbox/Eels.md").read_text() == "Eels. Eels.\n"


def test_what_was_written_and_not_marked_is_marked_by_the_next_call(
    installation: Installation, client: ScrubjayClient
) -> None:
    key = propose(client, "Inbox/Eels.md", replace("Inbox/Eels.md", 1, "come", "swim"))
    run(installation, "review", "yes", key)
    assert key in review(installation, "apply")["keys"]
    run(installation, "review", "yes", key)  # as if the first call had been killed before it could mark it
    assert review(installation, "apply") == {"keys": [], "notes": [], "refused": [], "run": ""}
    assert not [each for each in review(installation, "--answer", "yes")["proposals"] if each["key"] == key]
    assert run(installation, "review", "undo").exit_code == 0


def one_by_one(installation: Installation, client: ScrubjayClient, *changes: Change) -> None:
    """Each change accepted and applied by a run of its own."""
    for change in changes:
        assert run(installation, "review", "yes", propose(client, change.path, change)).exit_code == 0
        review(installation, "apply")


def test_one_edited_note_holds_up_neither_its_run_nor_those_before(
    installation: Installation, client: ScrubjayClient
) -> None:
    one_by_one(installation, client, replace("Weir.md", 1, "mill", "tall mill"))
    both = [
        propose(client, path, replace(path, 1, before, after))
        for path, before, after in (("Reeds.md", "call", "croak"), ("Inbox/Eels.md", "dusk", "night"))
    ]
    assert run(installation, "review", "yes", *both).exit_code == 0
    review(installation, "apply")
    edited = (installation.vault / "Reeds.md").read_bytes() + b"Typed later.\n"
    (installation.vault / "Reeds.md").write_bytes(edited)
    (newer, older) = json.loads(run(installation, "review", "undo", "--list", "--json").stdout)
    assert [each["path"] for each in newer["blocked"]] == ["Reeds.md"]
    assert (newer["proposals"], older["blocked"]) == (2, [])
    first = json.loads(run(installation, "review", "undo", "--json").stdout)
    assert first["notes"] == ["Inbox/Eels.md"]
    assert "Reeds.md has changed since" in first["refused"][0]["reason"]
    second = json.loads(run(installation, "review", "undo", "--json").stdout)
    assert second["notes"] == ["Weir.md"]
    assert [each["path"] for each in second["refused"]] == ["Reeds.md"], "it is still named"
    assert on_disk(installation) == AS_IT_WAS | {"Reeds.md": edited}
    (left,) = json.loads(run(installation, "review", "undo", "--list", "--json").stdout)
    assert left["run"] == newer["run"]
    (installation.vault / "Reeds.md").write_bytes(edited.removesuffix(b"Typed later.\n"))
    assert run(installation, "review", "undo").exit_code == 0
    assert on_disk(installation) == AS_IT_WAS


def test_any_run_can_be_named_and_one_that_others_stand_on_says_so(
    installation: Installation, client: ScrubjayClient
) -> None:
    one_by_one(
        installation,
        client,
        replace("Weir.md", 1, "mill", "water mill"),
        replace("Reeds.md", 1, "Reeds", "Green reeds"),
    )
    frog, weir = json.loads(run(installation, "review", "undo", "--list", "--json").stdout)
    assert run(installation, "review", "undo", "--run", weir["run"]).exit_code == 0
    assert (installation.vault / "Weir.md").read_bytes() == AS_IT_WAS["Weir.md"]
    assert run(installation, "review", "undo", "--run", weir["run"]).exit_code == 1
    listed = run(installation, "review", "undo", "--list").output
    assert frog["run"] in listed
    assert weir["run"] not in listed
    run(installation, "index")
    wait_until_indexed(client)
    one_by_one(installation, client, replace("Reeds.md", 1, "call", "sing"))
    again = json.loads(run(installation, "review", "undo", "--list", "--json").stdout)
    assert f"take back {again[0]['run']} first" in again[1]["blocked"][0]["reason"]
    assert run(installation, "review", "undo", "--list").output.replace("\n", " ").count("Reeds.md") == 1
    assert run(installation, "review", "undo").exit_code == 0
    assert run(installation, "review", "undo").exit_code == 0
    assert on_disk(installation) == AS_IT_WAS


def test_what_will_not_be_undoable_is_said_before_anything_is_written(
    installation: Installation, client: ScrubjayClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrubjay.daemon.review.changes.undo_records.MOST_RECORDS", 1)
    one_by_one(installation, client, replace("Weir.md", 1, "mill", "saw mill"))
    run(installation, "review", "yes", propose(client, "Inbox/Eels.md", replace("Inbox/Eels.md", 1, "dusk", "noon")))
    before = on_disk(installation)
    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.daemon.cli.review.commands.on_terminal", lambda: True)
        asked = run(installation, "review", "apply", types="n\n")
    assert "1 earlier apply in notes" in asked.output
    assert on_disk(installation) == before
    written = run(installation, "review", "apply", "--yes")
    assert written.exit_code == 0
    assert "can't be taken back after this one" in written.output
    assert run(installation, "review", "undo").exit_code == 0
    assert on_disk(installation) == before
    assert run(installation, "review", "undo").exit_code == 1


def test_an_undo_that_was_killed_is_finished_by_an_apply_of_nothing(
    installation: Installation, client: ScrubjayClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = Change(action="move", vault="vault", path="Birds/Heron.md", to="Grey heron.md")
    one_by_one(installation, client, move)
    assert on_disk(installation)["Weir.md"] == b"Below the mill. [[Grey heron]]\n"

    def killed(*_: object) -> None:
        raise SystemExit(9)

    with monkeypatch.context() as patch:  # when the texts are back, and the name is not
        patch.setattr("scrubjay.daemon.review.changes.note_writer.move_to_free", killed)
        assert run(installation, "review", "undo").exit_code == 9
    half = on_disk(installation)
    assert "Grey heron.md" in half
    assert half["Weir.md"] == AS_IT_WAS["Weir.md"]
    assert review(installation, "apply") == {"keys": [], "notes": [], "refused": [], "run": ""}
    assert on_disk(installation) == AS_IT_WAS


def test_a_patch_is_printed_and_nothing_is_written(installation: Installation, client: ScrubjayClient) -> None:
    near_a_secret = propose(client, "Birds/Heron.md", replace("Birds/Heron.md", 3, "eels", "roach"))
    plain = propose(client, "Inbox/Eels.md", replace("Inbox/Eels.md", 1, "dusk", "dawn"))
    run(installation, "review", "yes", plain, near_a_secret)
    made = run(installation, "review", "patch")
    assert "+Eels come up at dawn.\n" in made.stdout
    assert SECRET not in made.output
    assert made.exit_code == 1, "one of the notes is not in it"
    assert on_disk(installation) == AS_IT_WAS
    run(installation, "review", "reopen", plain, near_a_secret)


def test_one_note_that_no_patch_can_hold_is_left_out_and_the_others_are_in_it(
    installation: Installation, client: ScrubjayClient
) -> None:
    (installation.vault / "Reeds.md").write_bytes("Reeds call.\n".encode("utf-16"))
    run(installation, "index")
    wait_until_indexed(client)
    odd = propose(client, "Reeds.md", replace("Reeds.md", 1, "call", "rustle"))
    plain = propose(client, "Inbox/Eels.md", replace("Inbox/Eels.md", 1, "dusk", "noon"))
    run(installation, "review", "yes", odd, plain)
    made = run(installation, "review", "patch")
    assert "+Eels come up at noon.\n" in made.stdout
    assert "Reeds.md is in UTF-16" in made.stderr
    assert made.exit_code == 1
    run(installation, "review", "reopen", odd, plain)


def test_what_was_refused_or_put_off_is_asked_no_more(installation: Installation, client: ScrubjayClient) -> None:
    refused = propose(client, "Weir.md", replace("Weir.md", 1, "Below", "Above"))
    later = propose(client, "Weir.md", replace("Weir.md", 1, "mill", "bridge"))
    assert run(installation, "review", "no", refused).exit_code == 0
    assert run(installation, "review", "later", later).exit_code == 0
    waiting = {each["key"] for each in review(installation, "--kind", "suggested")["proposals"]}
    assert not waiting & {refused, later}
    assert {each["key"] for each in review(installation, "--answer", "no")["proposals"]} == {refused}
    assert run(installation, "review", "reopen", refused, later).exit_code == 0


def test_keys_that_name_nothing_or_too_much_are_told(installation: Installation, client: ScrubjayClient) -> None:
    propose(client, "Weir.md", replace("Weir.md", 1, "Below", "Under"))
    unknown = run(installation, "review", "yes", "0123456789abcdef0123")
    assert unknown.exit_code == 1
    assert "No proposal has the key" in unknown.output
    assert "is no key" in run(installation, "review", "yes", "ferry").output
    assert run(installation, "review", "yes").exit_code == 2


def test_on_a_terminal_they_are_asked_one_by_one_and_written_at_the_end(
    installation: Installation, client: ScrubjayClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(client, "Pond/Frog.md", replace("Pond/Frog.md", 1, "Frogs", "The frogs"))
    monkeypatch.setattr("scrubjay.daemon.cli.review.commands.on_terminal", lambda: True)
    asked = run(installation, "review", "--kind", "suggested", "--folder", "Pond", types="?\nd\n1\n1\ny\ny\n")
    assert asked.exit_code == 0, asked.output
    assert "+The frogs call." in asked.output
    assert "[ ] 1" in asked.output
    assert on_disk(installation) == AS_IT_WAS | {"Pond/Frog.md": b"The frogs call.\n"}
    assert run(installation, "review", "undo").exit_code == 0
    assert on_disk(installation) == AS_IT_WAS


@pytest.mark.slow
def test_what_was_applied_in_an_encrypted_profile_is_kept_encrypted(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write({"Weir.md": "Below the mill.\n"})
    words = "\n".join(["curlew at dawn"] * 3)
    encrypting = run(made, "profile", "encrypt", "notes", "--passphrase-stdin", types=words)
    assert encrypting.exit_code == 0, encrypting.output
    with made.daemon() as client:
        run(made, "unlock", "notes", "--passphrase-stdin", types=words)
        run(made, "index")
        wait_until_indexed(client)
        run(made, "review", "yes", propose(client, "Weir.md", replace("Weir.md", 1, "mill", "bridge")))
        assert run(made, "review", "apply", "--passphrase-stdin", types=words).exit_code == 0
        assert (made.vault / "Weir.md").read_text() == "Below the bridge.\n"
        (folder,) = made.home.profiles.glob("*/review")
        assert b"mill" not in b"".join(path.read_bytes() for path in folder.iterdir())
        assert run(made, "review", "undo", "--passphrase-stdin", types=words).exit_code == 0
    assert (made.vault / "Weir.md").read_text() == "Below the mill.\n"
