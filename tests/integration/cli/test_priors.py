"""`scrubjay profile priors` as a person uses it: what is set acts in the daemon that runs, and what is not is off."""

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.helpers.installation import Installation, wait_until_indexed

OFF = {"recency_days": 0.0, "importance": False}
USUAL = OFF | {"opened": True}
NOTES = {
    "Low.md": "---\nimportance: low\n---\nThe curlew was heard at dawn.",
    "High.md": "---\nimportance: critical\n---\nThe curlew was heard at dusk.",
}


@pytest.fixture
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("priors"))
    made.write(NOTES)
    made.create_profile("notes")
    return made


def priors(installation: Installation, *options: str) -> Any:
    return json.loads(installation.run("profile", "priors", "notes", *options, "--json").stdout)


def signals(client: ScrubjayClient) -> set[str]:
    results = client.ask(SEARCH, SearchAsk(query="curlew", mode="lexical", explain=True)).results
    return {part.signal for result in results for part in result.explain or ()}


def test_what_is_set_is_kept_acts_at_once_and_can_be_taken_back(installation: Installation) -> None:
    assert priors(installation) == USUAL
    with installation.daemon() as client:
        wait_until_indexed(client)
        assert "importance" not in signals(client)
        assert priors(installation, "--importance", "--recency-days", "30") == USUAL | {
            "importance": True,
            "recency_days": 30.0,
        }
        assert {"importance", "recency"} <= signals(client)
        assert priors(installation, "--off", "--recency-days", "7") == OFF | {"opened": False, "recency_days": 7.0}
        assert "importance" not in signals(client)


def test_priors_of_earlier_versions_are_passed_over_where_a_profile_names_them(installation: Installation) -> None:
    settings = next((installation.root / "home").rglob("profile.toml"))
    written = settings.read_text("utf-8")
    assert "[priors]\n" in written
    retired = '[priors]\npagerank = 0.1\nlinks = 0.2\nladder = "author"\n'
    settings.write_text(written.replace("[priors]\n", retired, 1), "utf-8")
    assert priors(installation) == USUAL


@pytest.mark.parametrize("wrong", [("--pagerank", "0.1"), ("--recency-days", "-1")])
def test_what_can_not_be_a_prior_is_refused(tmp_path: Path, wrong: tuple[str, str]) -> None:
    refused = Installation(tmp_path).invoke("profile", "priors", "notes", *wrong)
    assert refused.exit_code == 2
    assert wrong[0] in refused.stderr
