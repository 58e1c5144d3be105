"""An exclusion always wins, whoever writes: the API, a person with an editor, and reading, in any order."""

import random
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from scrubjay.profiles.registry.registry import Profile
from tests.integration.server.house import House, open_house

FOLDERS = ("Diary", "Diary/Old", "Work", "Work/Clients", "Trips")
_LIST = {name: re.compile(rf"^{name} = \[[^\]]*\].*", re.MULTILINE) for name in ("allow", "exclude")}


class Estate:
    """A vault, its daemon's API and its settings file; and what the person who writes both has forbidden."""

    def __init__(self, house: House, seed: int) -> None:
        self.rng = random.Random(seed)
        self.house = house
        self.vault = house.vaults / "estate"
        for folder in FOLDERS:
            for number in range(2):
                path = self.vault / folder / f"note {number}.md"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self.text(path), encoding="utf-8")
        self.http: httpx.Client = house.client(
            house.clients.create("owner", scopes=("search", "manage"), profiles="all").token
        )
        ask = {"name": "estate", "vaults": [{"root": str(self.vault), "allow": ["."]}]}
        made = self.http.post("/v1/profiles", json=ask).json()
        self.seen: Any = made  # what the page has on its screen, perhaps for long
        self.profile: Profile = house.engine.registry.get("estate")
        self.settings = house.engine.registry.folder_of(self.profile) / "profile.toml"
        self.excluded: set[str] = set()

    def text(self, path: Path) -> str:
        folder = path.parent.relative_to(self.vault).as_posix()
        return f"---\ntags: [estate]\n---\n# Heron\n\nheron weir of {folder} number {self.rng.randrange(10**6)}\n"

    def by_hand(self) -> None:
        """Exclude a folder, or take one off the list, in an editor."""
        folder = self.rng.choice(FOLDERS)
        self.excluded ^= {folder}
        written = ", ".join(f'"{each}"' for each in sorted(self.excluded))
        text, count = _LIST["exclude"].subn(f"exclude = [{written}]", self.settings.read_text(encoding="utf-8"))
        assert count == 1
        self.settings.write_text(text, encoding="utf-8")

    def colour(self) -> None:
        """Something that has nothing to do with folders, from the page."""
        change = self.rng.choice(
            [
                {"colour": f"#{self.rng.randrange(1 << 24):06x}"},
                {"federate": self.rng.random() < 0.5},
                {"name": "estate"},
            ]
        )
        self.http.post(f"/v1/profiles/{self.profile.id}", json=change).raise_for_status()

    def look(self) -> None:
        """The page is loaded anew."""
        (self.seen,) = self.http.get("/v1/profiles").json()["profiles"]

    def from_page(self) -> None:
        """Exclude a folder, or take one off the list, on a page that may be old."""
        folder = self.rng.choice(FOLDERS)
        (vault,) = self.seen["vaults"]
        exclude = sorted({*vault["exclude"]} ^ {folder})
        ask = {
            "vaults": [{"root": str(self.vault), "allow": ["."], "exclude": exclude}],
            "folders_revision": self.seen["folders_revision"],
        }
        reply = self.http.post(f"/v1/profiles/{self.profile.id}", json=ask)
        if reply.is_success:
            self.seen, self.excluded = reply.json(), set(exclude)
        else:
            assert reply.json()["code"] == "folders-changed"

    def from_script(self) -> None:
        """Exclude one more folder by a call that says nothing of what it has seen."""
        self.house.engine.profile_sync.sync()
        (vault,) = self.http.get("/v1/profiles").json()["profiles"][0]["vaults"]
        self.by_hand()
        folder = self.rng.choice(FOLDERS)
        self.excluded |= {folder} - {*vault["exclude"]}
        ask = {"vaults": [{"root": str(self.vault), "allow": ["."], "exclude": [*vault["exclude"], folder]}]}
        self.http.post(f"/v1/profiles/{self.profile.id}", json=ask).raise_for_status()

    def write_note(self) -> None:
        path = self.vault / self.rng.choice(FOLDERS) / f"note {self.rng.randrange(3)}.md"
        path.write_text(self.text(path), encoding="utf-8")

    def read(self) -> None:
        """What the daemon does every few seconds: look at the settings, then at the notes."""
        self.house.engine.profile_sync.sync()
        engine = self.house.engine
        engine.preparation.indexer(engine.open_profiles.same(self.profile)).reconcile(threading.Event())
        self.check()

    def check(self) -> None:
        """No reply tells of an excluded note, and no exclusion is gone from the file."""
        (vault,) = self.house.engine.registry.current(self.profile).vaults
        assert set(vault.exclude) == self.excluded
        get = self.http.get
        replies = [
            self.http.post("/v1/search", json={"query": query, "limit": 50, "facets": ["folder"]}).text
            for query in ("heron weir", "number", "tag:estate", "path:Diary")
        ]
        replies += [get(path).text for path in ("/v1/recent?limit=100", "/v1/notes?filter=heron", "/v1/status")]
        replies += [self.http.post("/v1/context", json={"prompt": "heron weir of Diary"}).text]
        for folder in self.excluded:
            assert not any(f"{folder}/note" in reply for reply in replies), folder


@contextmanager
def estate(folder: Path, seed: int) -> Generator[Estate]:
    with open_house(folder) as house:
        made = Estate(house, seed)
        try:
            yield made
        finally:
            made.http.close()


def live(made: Estate, steps: int) -> None:
    actions = (made.by_hand, made.colour, made.colour, made.look, made.from_page, made.from_script, made.write_note)
    for step in range(steps):
        made.rng.choice(actions)()
        (vault,) = made.house.engine.registry.current(made.profile).vaults
        assert set(vault.exclude) == made.excluded, step
        if step % 5 == 4:
            made.read()


@pytest.mark.parametrize(("seed", "steps"), [(0, 40), pytest.param(2026, 1_000, marks=pytest.mark.slow)])
def test_no_exclusion_is_lost_and_no_excluded_note_is_told_of(tmp_path: Path, seed: int, steps: int) -> None:
    with estate(tmp_path, seed) as made:
        live(made, steps)
