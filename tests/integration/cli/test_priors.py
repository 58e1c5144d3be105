"""`scrubjay profile priors` as a person uses it: what is set acts in the daemon that runs, and what is not is off."""

import json
import time
from typing import Any

import pytest
from click.testing import CliRunner

from scrubjay.daemon.api.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.client import ScrubjayClient
from tests.helpers.installation import Installation, wait_until_indexed

OFF = {"pagerank": 0.0, "centrality": 0.0, "links": 0.0, "recency_days": 0.0, "ladder": "off", "importance": False}
USUAL = OFF | {"opened": True}
NOTES = {
    "Log.md": "A curlew at dawn. [[Telescope]]",
    "Diary.md": "The curlew again. [[Telescope]]",
    "Telescope.md": "Focal length and aperture.",
}


@pytest.fixture
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("priors"))
    made.write(NOTES)
    made.create_profile("notes")
    return made


def priors(installation: Installation, *options: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRUBJAY_HOME", str(installation.root / "home"))
        done = CliRunner().invoke(scrubjay, ["profile", "priors", "notes", *options, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def found(client: ScrubjayClient) -> set[str]:
    return {hit.path for hit in client.ask(SEARCH, SearchAsk(query="curlew", mode="lexical")).results}


def test_what_is_set_is_kept_acts_at_once_and_can_be_taken_back(installation: Installation) -> None:
    assert priors(installation) == USUAL
    with installation.daemon() as client:
        wait_until_indexed(client)
        assert found(client) == {"Log.md", "Diary.md"}
        assert priors(installation, "--links", "0.4", "--ladder", "author") == USUAL | {
            "links": 0.4,
            "ladder": "author",
        }
        deadline = time.monotonic() + 60
        while found(client) != set(NOTES):  # once the graph has been made
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert priors(installation, "--off", "--importance") == OFF | {"opened": False, "importance": True}
        assert found(client) == {"Log.md", "Diary.md"}


@pytest.mark.parametrize("wrong", [("--pagerank", "0.6"), ("--links", "-1"), ("--ladder", "age")])
def test_what_can_not_be_a_prior_is_refused(wrong: tuple[str, str]) -> None:
    refused = CliRunner().invoke(scrubjay, ["profile", "priors", "notes", *wrong])
    assert refused.exit_code == 2
    assert wrong[0] in refused.stderr
