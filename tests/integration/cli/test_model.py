"""`scrubjay model …` as a person uses it: downloaded on command, used by a profile, removed; with the real daemon."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.onnx_file import DIM, bilingual_words, toy_folder
from tests.helpers.waiting import until
from tests.integration.models.model_hub import model_hub

NAME = "sentence-transformers/all-MiniLM-L6-v2"
REPO = "Qdrant/all-MiniLM-L6-v2-onnx"  # where fastembed has it from
FILES = {
    name: (BUNDLED.path or Path()) / name
    for name in ("config.json", "model.onnx", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")
}


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with model_hub(REPO, FILES) as (hub, _):
        made = Installation(tmp_path, {"HF_ENDPOINT": hub, "HF_HUB_DISABLE_XET": "1"})
        made.write({"Heron.md": "The heron waits at the weir.", "Boat.md": "Sail and rope."})
        yield made


@pytest.mark.slow
def test_a_model_of_ones_own_answers_in_the_language_that_it_knows(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write({"Heron.md": "The heron waits at the weir.", "Boat.md": "A boat with sail and rope."})
    installation.create_profile("notes")
    folder = toy_folder(tmp_path / "toy", bilingual_words({"reiher": "heron", "wehr": "weir", "segel": "sail"}))
    asked = SearchAsk(query="Wo ist der Reiher", mode="semantic", limit=1)
    with installation.daemon() as client:
        wait_until_indexed(client)
        refused = installation.run("model", "add", str(folder), check=False)
        assert (refused.returncode, "--pooling" in refused.stderr) == (1, True)
        assert does(installation, "model", "add", str(folder), "--pooling", "mean", "--name", "zwei")["dim"] == DIM
        assert does(installation, "profile", "model", "notes", "zwei")["model"] == "zwei"
        until(lambda: client.ask(STATUS).model == "zwei", lambda: client.ask(STATUS))
        wait_until_indexed(client)
        assert [hit.path for hit in client.ask(SEARCH, asked).results] == ["Heron.md"]
        used = installation.run("model", "remove", "zwei", check=False)
        assert (used.returncode, "notes" in used.stderr) == (1, True)


def does(installation: Installation, *arguments: str) -> Any:
    return json.loads(installation.run(*arguments, "--json").stdout)


@pytest.mark.slow
def test_a_model_is_downloaded_used_and_removed_beside_a_running_daemon(installation: Installation) -> None:
    installation.create_profile("plain")
    installation.create_profile("special")
    with installation.daemon() as client:
        wait_until_indexed(client)
        refused = installation.run("profile", "model", "special", NAME, check=False)
        assert (refused.returncode, f"scrubjay model download {NAME}" in refused.stderr) == (1, True)
        assert does(installation, "model", "download", NAME)["profiles"] == []
        assert does(installation, "profile", "model", "special", NAME.lower())["model"] == NAME
        until(lambda: "," in client.ask(STATUS).model, lambda: client.ask(STATUS))
        wait_until_indexed(client)
        found = client.ask(SEARCH, SearchAsk(query="a bird that hunts fish", mode="semantic", limit=1))
        assert (found.results[0].path, found.semantic, found.pending_embeddings) == ("Heron.md", "used", 0)
        used = installation.run("model", "remove", NAME, check=False)
        assert (used.returncode, "special" in used.stderr) == (1, True)
        does(installation, "profile", "model", "special", "bundled")
        assert does(installation, "model", "remove", NAME) == {"removed": NAME}
    listed = does(installation, "model", "list")
    assert [(each["name"], each["profiles"]) for each in listed] == [("bundled", ["plain", "special"])]


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    for arguments, says in (
        ("download bundled", "nothing to download"),
        ("download makers/nothing", "no model called makers/nothing"),
        ("remove bundled", "stays"),
        ("remove makers/nothing", "not on this machine"),
    ):
        done = Installation(tmp_path).invoke("model", *arguments.split())
        assert (done.exit_code, says in done.stderr) == (1, True), done.stderr


def test_those_that_can_be_downloaded_are_listed_the_smallest_first(tmp_path: Path) -> None:
    found = does(Installation(tmp_path), "model", "list", "--available")
    assert NAME in {each["name"] for each in found}
    assert [each["gigabytes"] for each in found] == sorted(each["gigabytes"] for each in found)
