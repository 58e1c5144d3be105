"""`scrubjay review` as a person uses it: asked, shown, written, taken back; and only what the note still says.

What was suggested of notes and said of proposals holds when they move; nothing is written into what may not be read.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.changes.undo_records import Record, UndoRecords
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.server.endpoints.review import REVIEW_PROPOSE, REVIEW_WRITABLE, ProposeAsk, WritableAsk
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import connect
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import PATIENCE_SECONDS, until

SECRET = expand("ghp_{alnum:36}", "review command")
NOTES = {
    "Birds/Heron.md": f"The heron stands at the weir.\r\ntoken: {SECRET}\r\nIt eats eels.\r\n",
    "Weir.md": "Below the mill. [[Heron]]\n",
    "Inbox/Eels.md": "Eels come up at dusk.\n",
    "Pond/Frog.md": "Frogs call.\n",
    "Reeds.md": "Reeds call.\n",
}
NOTHING: dict[str, Any] = {"keys": [], "notes": [], "refused": [], "run": ""}


@dataclass
class Desk:
    """The commands of one installation, with its daemon, over notes as they are at the beginning of each test."""

    installation: Installation
    client: ScrubjayClient
    was: Mapping[str, bytes]

    @property
    def vault(self) -> Path:
        return self.installation.vault

    def begin(self, notes: Mapping[str, str]) -> None:
        """Just these notes, nothing excluded, nothing proposed or answered."""
        self.was = {path: text.encode() for path, text in notes.items()}
        for folder in (self.vault, *self.installation.home.profiles.glob("*/review")):
            for path in folder.iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        self.installation.write(notes)
        self.excludes()
        self.sees(*notes)
        registry = Registry(self.installation.home.profiles)
        with closing(connect(registry.store_path(registry.get("notes")), None, "writer")) as connection:
            for table in ("review_answer", "review_suggestion"):
                connection.execute(f"DELETE FROM {table}")
        self.read()

    def read(self) -> None:
        self.installation.run("index")
        wait_until_indexed(self.client)

    def run(self, *arguments: str, types: str = "") -> Result:
        return self.installation.invoke("review", *arguments, types=types)

    def ask(self, *arguments: str, status: int = 0) -> Any:
        done = self.run(*arguments, "--json")
        assert done.exit_code == status, done.output
        return json.loads(done.stdout)

    def keys(self, *filters: str) -> set[str]:
        return {each["key"] for each in self.ask(*filters)["proposals"]}

    def says(self, answer: str, *keys: str) -> None:
        assert self.run(answer, *keys).exit_code == 0

    def propose(self, change: Change) -> str:
        ask = ProposeAsk(vault="vault", path=change.path, why="It reads better.", changes=(change,))
        return self.client.ask(REVIEW_PROPOSE, ask).proposal.key

    def accept(self, *changes: Change) -> list[str]:
        keys = [self.propose(change) for change in changes]
        self.says("yes", *keys)
        return keys

    def one_by_one(self, *changes: Change) -> None:
        """Each change accepted and applied by a run of its own."""
        for change in changes:
            self.accept(change)
            self.ask("apply")

    def on_disk(self) -> dict[str, bytes]:
        found = (path for path in self.vault.rglob("*") if path.is_file())
        return {path.relative_to(self.vault).as_posix(): path.read_bytes() for path in found}

    def takes_back_all(self) -> None:
        assert self.run("undo").exit_code == 0
        assert self.on_disk() == self.was

    def excludes(self, *folders: str) -> None:
        """Exclude just these, by an editor; the daemon may not have seen it yet."""
        (settings,) = self.installation.home.profiles.rglob("profile.toml")
        listed = ", ".join(f'"{folder}"' for folder in folders)
        lines = [line for line in settings.read_text().splitlines() if not line.startswith("exclude")]
        place = next(number for number, line in enumerate(lines) if line.startswith("allow"))
        lines.insert(place, f"exclude = [{listed}]")
        settings.write_text("\n".join(lines) + "\n")

    def sees(self, *paths: str) -> None:
        """Until the daemon has just these of the notes in its index."""
        end = time.monotonic() + PATIENCE_SECONDS
        while {path for path in self.was if self.installation.invoke("get", path).exit_code == 0} != set(paths):
            assert time.monotonic() < end, "the daemon does not take the settings over"
            self.read()


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    made = Installation(tmp_path_factory.mktemp("review"))
    made.create_profile("notes")
    with made.daemon() as client:
        yield Desk(made, client, {})


@pytest.fixture
def desk(at_work: Desk) -> Desk:
    at_work.begin(NOTES)
    return at_work


def replace(path: str, before: str, after: str, line: int = 1) -> Change:
    return Change(action="replace", vault="vault", path=path, line=line, before=before, after=after)


def move(path: str, to: str) -> Change:
    return Change(action="move", vault="vault", path=path, to=to)


def test_what_is_accepted_is_shown_written_and_taken_back(desk: Desk) -> None:
    heron = "Birds/Heron.md"
    tags = Change(action="add-tags", vault="vault", path=heron, tags=("bird",))
    changes = (replace(heron, "weir", "[[Weir|weir]]"), tags, move(heron, "Animals/Grey heron.md"))
    link, *others = keys = [desk.propose(change) for change in changes]
    assert desk.keys("--kind", "suggested") >= set(keys)
    shown = desk.run("show", link[:10])
    assert "+The heron stands at the [[Weir|weir]]." in shown.stdout
    desk.says("yes", link[:10], *others)
    dry = desk.run("apply", "--dry-run")
    assert "Animals/Grey heron.md" in dry.stdout
    assert SECRET not in shown.output + dry.output
    assert desk.on_disk() == desk.was, "nothing is written before apply"
    assert sorted(desk.ask("apply")["keys"]) == sorted(keys)
    written = f"---\r\ntags:\r\n  - bird\r\n---\r\n{NOTES[heron]}".replace("weir", "[[Weir|weir]]")
    moved = {"Animals/Grey heron.md": written.encode(), "Weir.md": b"Below the mill. [[Grey heron]]\n"}
    assert desk.on_disk() == {path: text for path, text in desk.was.items() if path != heron} | moved
    assert desk.ask("apply") == NOTHING
    assert not any(SECRET.encode() in held for held in desk.installation.everything_written().values())
    assert sorted(desk.ask("undo")["keys"]) == sorted(keys)
    assert desk.on_disk() == desk.was
    assert desk.run("undo").exit_code == 1


def test_what_changes_no_note_says_so_at_each_step_and_is_put_away(desk: Desk) -> None:
    desk.installation.write({"Bare.md": ""})
    desk.read()
    until(lambda: bool(desk.keys("--kind", "empty")))
    (hint,) = desk.ask("--kind", "empty")["proposals"]
    link = desk.propose(replace("Reeds.md", "call", "sway"))
    said = "changes no note: `review apply` puts it away as seen to"
    assert said in desk.run("show", hint["key"]).stdout
    accepted = desk.run("yes", hint["key"], link).stdout
    assert "1 proposal accepted. `scrubjay review apply` writes" in accepted
    assert f"1 proposal accepted that {said}" in accepted
    for step in (("apply", "--dry-run"), ("apply",)):
        assert f"{hint['path']} {said}" in desk.run(*step).stdout
    assert desk.keys("--answer", "done") == {hint["key"], link}
    assert desk.on_disk() == {**desk.was, "Reeds.md": b"Reeds sway.\n", "Bare.md": b""}


def test_a_note_that_changed_since_is_not_written_and_the_others_are(desk: Desk) -> None:
    stale, good = desk.accept(replace("Weir.md", "mill", "old mill"), replace("Inbox/Eels.md", "dusk", "night"))
    (desk.vault / "Weir.md").write_text("Another text.\n")
    report = desk.ask("apply", status=1)
    assert (report["keys"], [each["keys"] for each in report["refused"]]) == ([good], [[stale]])
    changed = {"Weir.md": b"Another text.\n", "Inbox/Eels.md": b"Eels come up at night.\n"}
    assert desk.on_disk() == {**desk.was, **changed}
    (desk.vault / "Inbox/Eels.md").write_text("Eels. Eels.\n")
    undone = desk.run("undo")
    assert (undone.exit_code, "has changed since" in undone.output) == (1, True)
    assert (desk.vault / "Inbox/Eels.md").read_text() == "Eels. Eels.\n"


def test_what_was_written_and_not_marked_is_marked_by_the_next_call(desk: Desk) -> None:
    (key,) = desk.accept(replace("Inbox/Eels.md", "come", "swim"))
    assert key in desk.ask("apply")["keys"]
    desk.says("yes", key)  # as if the first call had been killed before it could mark it
    assert desk.ask("apply") == NOTHING
    assert key not in desk.keys("--answer", "yes")
    desk.takes_back_all()


def test_one_edited_note_holds_up_neither_its_run_nor_those_before(desk: Desk) -> None:
    desk.one_by_one(replace("Weir.md", "mill", "tall mill"))
    desk.accept(replace("Reeds.md", "call", "croak"), replace("Inbox/Eels.md", "dusk", "night"))
    desk.ask("apply")
    edited = (desk.vault / "Reeds.md").read_bytes() + b"Typed later.\n"
    (desk.vault / "Reeds.md").write_bytes(edited)
    (newer, older) = desk.ask("undo", "--list")
    assert [each["path"] for each in newer["blocked"]] == ["Reeds.md"]
    assert (newer["proposals"], older["blocked"]) == (2, [])
    first = json.loads(desk.run("undo", "--json").stdout)
    assert first["notes"] == ["Inbox/Eels.md"]
    assert "Reeds.md has changed since" in first["refused"][0]["reason"]
    second = json.loads(desk.run("undo", "--json").stdout)
    assert second["notes"] == ["Weir.md"]
    assert [each["path"] for each in second["refused"]] == ["Reeds.md"], "it is still named"
    assert desk.on_disk() == {**desk.was, "Reeds.md": edited}
    (left,) = desk.ask("undo", "--list")
    assert left["run"] == newer["run"]
    (desk.vault / "Reeds.md").write_bytes(edited.removesuffix(b"Typed later.\n"))
    desk.takes_back_all()


def test_any_run_can_be_named_and_one_that_others_stand_on_says_so(desk: Desk) -> None:
    desk.one_by_one(replace("Weir.md", "mill", "water mill"), replace("Reeds.md", "Reeds", "Green reeds"))
    reeds, weir = desk.ask("undo", "--list")
    assert [desk.run("undo", "--run", weir["run"]).exit_code for _ in range(2)] == [0, 1]
    assert (desk.vault / "Weir.md").read_bytes() == desk.was["Weir.md"]
    listed = desk.run("undo", "--list").output
    assert (reeds["run"] in listed, weir["run"] in listed) == (True, False)
    desk.read()
    desk.one_by_one(replace("Reeds.md", "call", "sing"))
    again = desk.ask("undo", "--list")
    assert f"take back {again[0]['run']} first" in again[1]["blocked"][0]["reason"]
    assert desk.run("undo", "--list").output.replace("\n", " ").count("Reeds.md") == 1
    assert desk.run("undo").exit_code == 0
    desk.takes_back_all()


def test_what_will_not_be_undoable_is_said_before_anything_is_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrubjay.daemon.review.changes.undo_records.MOST_RECORDS", 1)
    desk.one_by_one(replace("Weir.md", "mill", "saw mill"))
    desk.accept(replace("Inbox/Eels.md", "dusk", "noon"))
    before = desk.on_disk()
    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.daemon.cli.review.commands.on_terminal", lambda: True)
        assert "1 earlier apply in notes" in desk.run("apply", types="n\n").output
    assert desk.on_disk() == before
    written = desk.run("apply", "--yes")
    assert (written.exit_code, "can't be taken back after this one" in written.output) == (0, True)
    assert [desk.run("undo").exit_code for _ in range(2)] == [0, 1]
    assert desk.on_disk() == before


def killed(*_: object) -> None:
    raise SystemExit(9)


def test_an_undo_that_was_killed_is_finished_by_an_apply_of_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.one_by_one(move("Birds/Heron.md", "Grey heron.md"))
    assert desk.on_disk()["Weir.md"] == b"Below the mill. [[Grey heron]]\n"
    with monkeypatch.context() as patch:  # when the texts are back, and the name is not
        patch.setattr("scrubjay.daemon.review.changes.note_writer.move_to_free", killed)
        assert desk.run("undo").exit_code == 9
    half = desk.on_disk()
    assert ("Grey heron.md" in half, half["Weir.md"]) == (True, desk.was["Weir.md"])
    assert desk.ask("apply") == NOTHING
    assert desk.on_disk() == desk.was


def test_a_patch_is_printed_of_all_that_one_can_hold_and_nothing_is_written(desk: Desk) -> None:
    (desk.vault / "Reeds.md").write_bytes("Reeds call.\n".encode("utf-16"))
    before = desk.on_disk()
    desk.read()
    near_a_secret = replace("Birds/Heron.md", "eels", "roach", line=3)
    desk.accept(replace("Inbox/Eels.md", "dusk", "dawn"), near_a_secret, replace("Reeds.md", "call", "rustle"))
    made = desk.run("patch")
    assert (made.exit_code, "+Eels come up at dawn.\n" in made.stdout) == (1, True), "two of the notes are not in it"
    assert "Reeds.md is in UTF-16" in made.stderr
    assert SECRET not in made.output
    assert desk.on_disk() == before


def test_what_was_refused_or_put_off_is_asked_no_more(desk: Desk) -> None:
    refused = desk.propose(replace("Weir.md", "Below", "Above"))
    later = desk.propose(replace("Weir.md", "mill", "bridge"))
    desk.says("no", refused)
    desk.says("later", later)
    assert not desk.keys("--kind", "suggested") & {refused, later}
    assert desk.keys("--answer", "no") == {refused}
    desk.says("reopen", refused, later)
    assert desk.keys("--kind", "suggested") == {refused, later}


def test_keys_that_name_nothing_or_too_much_are_told(desk: Desk) -> None:
    unknown = desk.run("yes", "0123456789abcdef0123")
    assert (unknown.exit_code, "No proposal has the key" in unknown.output) == (1, True)
    assert "is no key" in desk.run("yes", "ferry").output
    assert desk.run("yes").exit_code == 2


def test_on_a_terminal_they_are_asked_one_by_one_and_written_at_the_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.propose(replace("Pond/Frog.md", "Frogs", "The frogs"))
    monkeypatch.setattr("scrubjay.daemon.cli.review.commands.on_terminal", lambda: True)
    asked = desk.run("--kind", "suggested", "--folder", "Pond", types="?\nd\n1\n1\ny\ny\n")
    assert asked.exit_code == 0, asked.output
    assert "+The frogs call." in asked.output
    assert "[ ] 1" in asked.output
    assert desk.on_disk() == {**desk.was, "Pond/Frog.md": b"The frogs call.\n"}
    desk.takes_back_all()


@pytest.mark.slow
def test_what_was_applied_in_an_encrypted_profile_is_kept_encrypted(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write({"Weir.md": "Below the mill.\n"})
    words = "\n".join(["curlew at dawn"] * 3)
    encrypting = made.invoke("profile", "encrypt", "notes", "--passphrase-stdin", types=words)
    assert encrypting.exit_code == 0, encrypting.output
    with made.daemon() as client:
        desk = Desk(made, client, {"Weir.md": b"Below the mill.\n"})
        made.invoke("unlock", "notes", "--passphrase-stdin", types=words)
        desk.read()
        desk.accept(replace("Weir.md", "mill", "bridge"))
        assert desk.run("apply", "--passphrase-stdin", types=words).exit_code == 0
        assert desk.on_disk() == {"Weir.md": b"Below the bridge.\n"}
        (folder,) = made.home.profiles.glob("*/review")
        assert b"mill" not in b"".join(path.read_bytes() for path in folder.iterdir())
        assert desk.run("undo", "--passphrase-stdin", types=words).exit_code == 0
    assert desk.on_disk() == desk.was


# Notes that move: by a person, by an apply, and back.

NAMES = ("Grey Heron", "Marsh Harrier", "Water Rail")
GREY, WALK = "Birds/Grey Heron.md", "Walk.md"
BIRDS = {
    **{f"Birds/{name}.md": f"Known of it. [Weir](../Weir.md) {number}.\n" for number, name in enumerate(NAMES)},
    "Weir.md": "Below the mill.\n",
    WALK: "".join(f"By the weir we saw the {name} on day {number}.\n" for number, name in enumerate(NAMES)),
    "Links.md": "[[Birds/Grey Heron]] [[Birds/Marsh Harrier]] [[Birds/Water Rail]]\n",
}
BESIDE = Change(action="add-tags", vault="vault", path=GREY, tags=("bird",))


@pytest.fixture
def birds(at_work: Desk) -> Desk:
    at_work.begin(BIRDS)
    return at_work


def suggested(desk: Desk) -> dict[str, str]:
    """Paths of what waits, by the key."""
    return {each["key"]: each["path"] for each in desk.ask("--kind", "suggested")["proposals"]}


@pytest.mark.parametrize("end", ["undone", "killed"])
def test_what_was_suggested_of_a_note_outlives_a_move_of_it_that_was_taken_back(
    birds: Desk, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    beside = birds.propose(BESIDE)
    (moved,) = birds.accept(move(GREY, "Animals/far/The grey one.md"))
    if end == "undone":
        assert birds.ask("apply")["keys"] == [moved]
    else:
        with monkeypatch.context() as patch:  # when the name is another, and no record says that it is done
            patch.setattr(UndoRecords, "put", _only_begun(UndoRecords.put))
            assert birds.run("apply").exit_code == 9
    birds.read()
    assert not (birds.vault / GREY).exists()
    assert birds.run("undo").exit_code in (0, 1)
    birds.read()
    assert (birds.vault / GREY).exists()
    assert suggested(birds).get(beside) == GREY
    assert moved in suggested(birds).keys() | birds.keys("--answer", "yes")


def _only_begun(put: Callable[[UndoRecords, Record], None]) -> Callable[[UndoRecords, Record], None]:
    return lambda records, record: put(records, record) if record.state == "begun" else killed()


def test_what_was_suggested_of_a_note_goes_with_it_under_another_name(birds: Desk) -> None:
    beside = birds.propose(BESIDE)
    (birds.vault / GREY).rename(birds.vault / "Birds/Ardea.md")
    birds.read()
    assert suggested(birds) == {beside: "Birds/Ardea.md"}


def linkable(desk: Desk, answer: str) -> dict[str, str]:
    """Titles of the notes that the walk might link to, by the key."""
    found = desk.ask("--kind", "missing-link", "--answer", answer)["proposals"]
    return {each["key"]: each["others"][0]["title"] for each in found}


@pytest.fixture
def no_links(birds: Desk) -> Desk:
    """All that the walk might link to was answered with no."""
    asked = linkable(birds, "open")
    assert sorted(asked.values()) == sorted(NAMES)
    birds.says("no", *asked)
    return birds


def test_a_no_to_links_holds_when_the_folder_that_they_lead_to_has_another_name(no_links: Desk) -> None:
    vault = no_links.vault
    for before, after in (("Birds", "Animals"), ("Animals", "Birds")):
        (vault / before).rename(vault / after)
        no_links.read()
        assert (linkable(no_links, "open"), sorted(linkable(no_links, "no").values())) == ({}, sorted(NAMES))


@pytest.mark.parametrize("seen", ["at once", "in halves"])
@pytest.mark.parametrize("moves", [{WALK: "Day/Walk.md"}, {WALK: "At dawn.md"}, {"Birds": "Day/Birds"}], ids=str)
def test_a_no_holds_however_notes_moved_and_when_the_note_has_one_more_line_then(
    no_links: Desk, tmp_path: Path, moves: Mapping[str, str], seen: str
) -> None:
    vault = no_links.vault
    for before, after in moves.items():
        away = tmp_path / "away"
        if seen == "in halves":
            (vault / before).rename(away)
            no_links.read()
            assert linkable(no_links, "open") == {}
        else:
            away = vault / before
        (vault / after).parent.mkdir(exist_ok=True)
        away.rename(vault / after)
        no_links.read()
    with (vault / moves.get(WALK, WALK)).open("a") as note:
        note.write("Then home.\n")
    no_links.read()
    assert (linkable(no_links, "open"), sorted(linkable(no_links, "no").values())) == ({}, sorted(NAMES))


# Notes that may not be read any more.

DAY, BOAT, OPEN = "Diary/Day.md", "Plans/Boat.md", "Open.md"
ROWED, OARED = replace(DAY, "rowed", "sailed"), replace(BOAT, "oar", "sail")


@pytest.fixture
def diary(at_work: Desk) -> Desk:
    at_work.begin({DAY: "We rowed to the weir.\n", BOAT: "A new oar.\n", OPEN: "The ferry waits.\n"})
    return at_work


def test_undo_writes_no_note_that_was_excluded_since_and_can_when_it_is_allowed_again(diary: Desk) -> None:
    day, boat = diary.accept(ROWED, OARED)
    assert set(diary.ask("apply")["keys"]) == {day, boat}
    written = diary.on_disk()
    diary.excludes("Diary")
    (listed,) = diary.ask("undo", "--list")
    assert [each["path"] for each in listed["blocked"]] == [DAY]
    report = diary.ask("undo", status=1)
    (refused,) = report["refused"]
    assert (report["notes"], refused["path"], refused["keys"]) == ([BOAT], DAY, [day])
    assert "may not be read" in refused["reason"]
    assert diary.on_disk() == {**diary.was, DAY: written[DAY]}
    diary.excludes()
    assert diary.ask("undo")["notes"] == [DAY]
    assert diary.on_disk() == diary.was


def test_a_moved_note_does_not_go_back_into_a_folder_that_was_excluded_since(diary: Desk) -> None:
    diary.one_by_one(move(DAY, "Plans/Day.md"))
    written = diary.on_disk()
    assert "Plans/Day.md" in written
    diary.excludes("Diary")
    diary.ask("undo", status=1)
    assert diary.on_disk() == written
    diary.excludes()
    diary.takes_back_all()


def test_a_program_that_writes_by_itself_hears_of_an_exclusion_as_soon_as_the_file_says_so(diary: Desk) -> None:
    asked = WritableAsk(profile="notes", vault="vault", paths=(DAY, BOAT, OPEN, "Diary/New.md", "New.md"))
    assert diary.client.ask(REVIEW_WRITABLE, asked).refused == ()
    diary.excludes("Diary")
    assert diary.client.ask(REVIEW_WRITABLE, asked).refused == (DAY, "Diary/New.md")
    elsewhere = WritableAsk(profile="notes", vault="another", paths=(OPEN,))
    assert diary.client.ask(REVIEW_WRITABLE, elsewhere).refused == (OPEN,)


@pytest.mark.parametrize("said", ["yes", "no", "done"])
def test_what_was_decided_about_a_note_comes_back_with_it_when_it_is_allowed_again(diary: Desk, said: str) -> None:
    (key,) = diary.accept(ROWED)
    if said == "no":
        diary.says("no", key)
    if said == "done":
        diary.ask("apply")
    diary.excludes("Diary")
    diary.sees(BOAT, OPEN)
    diary.excludes()
    diary.sees(DAY, BOAT, OPEN)
    assert key in diary.keys("--answer", said)
    if said == "done":
        diary.ask("undo")
        assert key in diary.keys("--answer", "open")
    if said == "yes":
        assert diary.ask("apply")["keys"] == [key]


def test_each_accepted_proposal_that_is_not_written_is_named_with_its_reason(diary: Desk) -> None:
    day, boat, ferry = diary.accept(ROWED, OARED, replace(OPEN, "waits", "leaves"))
    diary.excludes("Diary")
    elsewhere = diary.installation.root / "Boat.md"
    (diary.vault / BOAT).rename(elsewhere)
    (diary.vault / BOAT).symlink_to(elsewhere)
    diary.sees(OPEN)
    report = diary.ask("apply", status=1)
    refused = {each["path"]: each for each in report["refused"]}
    assert (report["keys"], {path: each["keys"] for path, each in refused.items()}) == (
        [ferry],
        {DAY: [day], BOAT: [boat]},
    )
    assert "may not be read" in refused[DAY]["reason"]
    assert "link" in refused[BOAT]["reason"]
    assert {each["path"] for each in diary.ask("apply", status=1)["refused"]} == {DAY, BOAT}
    assert DAY in diary.run("apply", "--dry-run").output
    (diary.vault / BOAT).unlink()
    diary.read()
    gone = {each["path"]: each["reason"] for each in diary.ask("apply", status=1)["refused"]}
    assert "not there" in gone[BOAT]
    diary.says("reopen", day, boat)
    assert diary.ask("apply") == NOTHING
