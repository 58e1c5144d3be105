"""What happens to notes on disk happens to the index: a real engine, real files, real events."""

import os
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest

from scrubjay.daemon.processes import worker_process
from scrubjay.daemon.settings import Settings
from tests.helpers.waiting import until
from tests.integration.engine.living import Living, living

LINUX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX names")


@pytest.fixture
def alive(tmp_path: Path) -> Iterator[Living]:
    vault = tmp_path / "vault"
    (vault / "birds").mkdir(parents=True)
    for name in ("heron", "kite", "wren"):
        (vault / f"birds/{name}.md").write_text(f"# {name}\n\nThe {name} was seen by the weir.\n", encoding="utf-8")
    (vault / "diary.md").write_text("Rain all day.\n", encoding="utf-8")
    with living(tmp_path) as engine:
        assert engine.paths() == {"birds/heron.md", "birds/kite.md", "birds/wren.md", "diary.md"}
        yield engine


def test_what_is_written_and_deleted_is_found_and_forgotten(alive: Living) -> None:
    alive.write("new/folder/otter.md", "An otter swam by.")
    until(lambda: alive.found("otter") == {"new/folder/otter.md"})
    alive.write("diary.md", "Sun at last.\n")
    until(lambda: alive.found("sun") == {"diary.md"})
    assert alive.found("rain") == set()
    temporary = alive.vault / ".diary.md.tmp"  # an atomic save
    temporary.write_text("Snow in the night.\n", encoding="utf-8")
    temporary.replace(alive.vault / "diary.md")
    until(lambda: alive.found("snow") == {"diary.md"})
    assert len(alive.paths()) == 5
    (alive.vault / "diary.md").unlink()
    shutil.rmtree(alive.vault / "birds")
    alive.until_paths("new/folder/otter.md")


def test_what_moves_or_is_copied_is_not_embedded_again(alive: Living) -> None:
    before, vault = alive.encoder.passages, alive.vault
    (vault / "diary.md").rename(vault / "journal.md")
    alive.until_paths("birds/heron.md", "birds/kite.md", "birds/wren.md", "journal.md")
    assert alive.found("rain") == {"journal.md"}
    (vault / "birds").rename(vault / "fowl")
    alive.until_paths("fowl/heron.md", "fowl/kite.md", "fowl/wren.md", "journal.md")
    assert alive.found("path:fowl kite") == {"fowl/kite.md"}
    (vault / "old").mkdir()
    (vault / "fowl/kite.md").rename(vault / "old/kite.md")
    alive.until_paths("fowl/heron.md", "fowl/wren.md", "old/kite.md", "journal.md")
    (vault / "fowl").rename(vault / "Fowl")  # in case alone
    (vault / "journal.md").rename(vault / "Journal.md")
    alive.until_paths("Fowl/heron.md", "Fowl/wren.md", "old/kite.md", "Journal.md")
    shutil.copytree(vault / "Fowl", vault / "copy")
    alive.until_paths("Fowl/heron.md", "Fowl/wren.md", "copy/heron.md", "copy/wren.md", "old/kite.md", "Journal.md")
    assert alive.encoder.passages == before


def test_two_notes_that_change_places_keep_their_texts_apart(alive: Living) -> None:
    heron, kite, aside = (alive.vault / name for name in ("birds/heron.md", "birds/kite.md", "aside.tmp"))
    heron.rename(aside)
    kite.rename(heron)
    aside.rename(kite)
    until(lambda: alive.found('"the kite was seen"') == {"birds/heron.md"})
    until(lambda: alive.found('"the heron was seen"') == {"birds/kite.md"})


@LINUX
def test_both_spellings_of_a_name_meet_as_one(alive: Living) -> None:
    composed, apart = "Café.md", unicodedata.normalize("NFD", "Café.md")
    alive.write(apart, "Espresso.")
    until(lambda: alive.found("espresso") == {composed})
    (alive.vault / apart).rename(alive.vault / composed)
    alive.write(composed, "Ristretto.")
    until(lambda: alive.found("ristretto") == {composed})
    assert alive.found("espresso") == set()
    (alive.vault / composed).unlink()
    until(lambda: composed not in alive.paths())


def test_notes_of_a_vault_that_vanishes_stay_and_its_return_embeds_nothing(alive: Living) -> None:
    before, notes = alive.encoder.passages, alive.paths()
    away = alive.vault.with_name("away")
    alive.vault.rename(away)
    until(lambda: (".", "vault-gone") in alive.problems())
    alive.vault.mkdir()  # as of a drive that is not mounted
    until(lambda: (".", "vault-empty") in alive.problems())
    assert alive.paths() == notes
    alive.vault.rmdir()
    away.rename(alive.vault)
    until(lambda: alive.problems() == set())
    alive.settled()
    assert (alive.paths(), alive.encoder.passages) == (notes, before)
    alive.write("after.md", "It is watched again.")
    until(lambda: alive.found("watched") == {"after.md"})
    shutil.rmtree(alive.vault)  # and another folder takes its place
    alive.vault.mkdir()
    alive.write("fresh.md", "A new beginning.")
    alive.until_paths("fresh.md")
    alive.write("second.md", "It is looked after.")
    until(lambda: alive.found("looked after") == {"second.md"})


def test_notes_of_an_allowed_folder_that_vanishes_stay_and_its_return_embeds_nothing(tmp_path: Path) -> None:
    with living(tmp_path, allow=("birds", "plants")) as alive:
        for path in ("birds/heron.md", "birds/waders/plover.md", "plants/reed.md"):
            alive.write(path, f"About {path}.")
        notes = {"birds/heron.md", "birds/waders/plover.md", "plants/reed.md"}
        alive.until_paths(*notes)
        before = alive.encoder.passages
        away = alive.vault.with_name("away")
        (alive.vault / "birds").rename(away)
        until(lambda: ("birds", "allowed-missing") in alive.problems())
        alive.settled()
        assert (alive.paths(), alive.found("plover")) == (notes, {"birds/waders/plover.md"})
        away.rename(alive.vault / "birds")
        until(lambda: alive.problems() == set())
        alive.settled()
        assert (alive.paths(), alive.encoder.passages) == (notes, before)
        (alive.vault / "birds").rename(alive.vault / "plants/birds")
        alive.until_paths("plants/birds/heron.md", "plants/birds/waders/plover.md", "plants/reed.md")
        assert alive.encoder.passages == before


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[[Path], None]]:
    """Mounts the same small drive at a folder, or, given it again, unmounts it."""
    image = tmp_path / "drive.img"
    mounted: list[Path] = []

    def toggle(folder: Path) -> None:
        if folder in mounted:
            mounted.remove(folder)
            subprocess.run(["umount", folder], check=True)
        else:
            subprocess.run(["mount", "-o", "loop", image, folder], check=True, capture_output=True)
            mounted.append(folder)

    image.write_bytes(bytes(2_000_000))
    try:
        subprocess.run(["mkfs.ext4", "-q", image], check=True, capture_output=True)
        (tmp_path / "trial").mkdir()
        toggle(tmp_path / "trial")
        toggle(tmp_path / "trial")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    yield toggle
    for folder in mounted:
        subprocess.run(["umount", "-l", folder], check=False)


def test_notes_of_a_drive_in_the_vault_stay_while_it_is_away_and_its_return_embeds_nothing(
    tmp_path: Path, drive: Callable[[Path], None]
) -> None:
    place = tmp_path / "vault/drive"
    place.mkdir(parents=True)
    drive(place)
    (place / "reed.md").write_text("Reeds by the water.", encoding="utf-8")
    with living(tmp_path) as alive:
        alive.write("kite.md", "A kite circled.")
        alive.until_paths("drive/reed.md", "kite.md")
        before = alive.encoder.passages
    drive(place)
    with living(tmp_path) as alive:
        assert (alive.paths(), alive.problems()) == ({"drive/reed.md", "kite.md"}, {("drive", "drive-away")})
        drive(place)
        alive.engine.supervisor.request()
        until(lambda: alive.problems() == set())
        alive.settled()
        assert (alive.paths(), alive.encoder.passages) == ({"drive/reed.md", "kite.md"}, 0)
        (place / "reed.md").unlink()
        alive.engine.supervisor.request()
        alive.until_paths("kite.md")
    assert before == 2


def test_what_a_link_leads_to_outside_is_never_read(alive: Living, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("Buried treasure.", encoding="utf-8")
    (alive.vault / "way").symlink_to(outside, target_is_directory=True)
    (alive.vault / "direct.md").symlink_to(outside / "secret.md")
    until(lambda: {("way", "link-outside"), ("direct.md", "link-outside")} <= alive.problems())
    (outside / "secret.md").write_text("Buried treasure, changed.", encoding="utf-8")
    alive.write("last.md", "Written after it.")
    until(lambda: alive.found("written") == {"last.md"})
    assert alive.found("treasure") == set()


def test_obsidians_excluded_files_are_followed_and_other_hidden_files_wake_nothing(alive: Living) -> None:
    report = alive.engine.open_profiles.named("notes").progress.report()
    alive.write(".git/index", "x")
    alive.write(".obsidian/workspace.json", "{}")
    alive.write("diary.md", "The sign that events came.")
    until(lambda: alive.found("sign") == {"diary.md"})
    assert alive.engine.open_profiles.named("notes").progress.report().scanned <= report.scanned
    alive.write(".obsidian/app.json", '{"userIgnoreFilters": ["birds/"]}')
    alive.until_paths("diary.md")
    alive.write(".obsidian/app.json", "{}")
    alive.until_paths("birds/heron.md", "birds/kite.md", "birds/wren.md", "diary.md")


def test_a_note_whose_name_takes_on_a_secret_is_forgotten(alive: Living) -> None:
    token = "ghp" + "_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
    (alive.vault / "secrets" / token).mkdir(parents=True)
    (alive.vault / "diary.md").rename(alive.vault / "secrets" / token / "diary.md")
    alive.until_paths("birds/heron.md", "birds/kite.md", "birds/wren.md")
    until(lambda: "secret-in-name" in {code for _, code in alive.problems()})


def test_changes_made_while_it_was_off_are_found_at_the_start(tmp_path: Path) -> None:
    with living(tmp_path) as alive:
        for name in ("a", "b", "c", "d"):
            alive.write(f"x/{name}.md", f"This is {name}{name}{name}.")
        alive.until_paths("x/a.md", "x/b.md", "x/c.md", "x/d.md")
    vault = tmp_path / "vault"
    (vault / "x/a.md").unlink()
    (vault / "x/b.md").rename(vault / "b.md")
    (vault / "x/c.md").write_text("Changed.", encoding="utf-8")
    (vault / "x/e.md").write_text("Created.", encoding="utf-8")
    with living(tmp_path) as alive:
        assert alive.paths() == {"b.md", "x/c.md", "x/d.md", "x/e.md"}
        assert alive.encoder.passages == 2


@pytest.mark.slow
def test_a_burst_of_files_is_taken_whole_and_leaves_whole(tmp_path: Path) -> None:
    count = 5_000
    with living(tmp_path) as alive:
        for number in range(count):
            alive.write(f"many/{number % 50}/{number}.md", "A line of few words.")
        until(lambda: len(alive.paths()) == count)
        shutil.rmtree(alive.vault / "many")
        until(lambda: alive.paths() == set() or (".", "vault-empty") in alive.problems())


def test_a_note_that_takes_too_long_is_named_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "_WALL_FACTOR", 1000)  # a busy machine takes its time for the other note, too
    # Headings take longest: six seconds on a quick machine, on which as many bytes of plain lines take half a one.
    endless = "".join(f"# {number}\n\n" for number in range(500_000))
    with living(tmp_path, settings=Settings(note_seconds=1)) as alive:
        alive.write("endless.md", endless)
        alive.write("kite.md", "A kite circled.")
        until(lambda: ("endless.md", "too-slow") in alive.problems())
        until(lambda: alive.found("kite") == {"kite.md"})
        assert alive.paths() == {"kite.md"}
        alive.write("endless.md", "It was mended.")
        alive.until_paths("endless.md", "kite.md")
        assert alive.problems() == set()


@LINUX
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_allowed_folder_is_watched_however_the_disk_spells_it(tmp_path: Path, form: Literal["NFC", "NFD"]) -> None:
    with living(tmp_path, allow=("Café/Über",)) as alive:
        alive.write(unicodedata.normalize(form, "Café/Über/otter.md"), "An otter swam by.")
        alive.until_paths("Café/Über/otter.md")
        alive.write(unicodedata.normalize(form, "Café/Über/otter.md"), "A badger came.")
        until(lambda: alive.found("badger") == {"Café/Über/otter.md"})
