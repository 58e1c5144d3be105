"""What a person opens and calls their notes moves the same searches the next time, can be seen, and be taken back."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import OPENED, OpenedAsk
from tests.helpers.installation import Installation, wait_until_indexed

NOTES = {
    f"{bird}.md": f"---\nimportance: low\n---\nA {bird.lower()} at the weir. {text}"
    for bird, text in (
        ("Curlew", "weir weir"),
        ("Heron", "weir again"),
        ("Egret", "white"),
        ("Bittern", "brown and hidden in the reeds"),
    )
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("habits"))
    made.write(NOTES)
    made.create_profile("notes")
    return made


@pytest.fixture(scope="module")
def client(installation: Installation) -> Iterator[ScrubjayClient]:
    with installation.daemon() as made:
        wait_until_indexed(made)
        yield made


def run(installation: Installation, *arguments: str) -> str:
    return installation.run(*arguments).stdout


def search(client: ScrubjayClient, query: str, **options: Any) -> list[str]:
    return [hit.path for hit in client.ask(SEARCH, SearchAsk(query=query, explain=True, **options)).results]


def answer(client: ScrubjayClient, query: str) -> list[object]:
    found = client.ask(SEARCH, SearchAsk(query=query, explain=True)).results
    return [(hit.path, hit.score, hit.explain) for hit in found]


def priors(installation: Installation, *options: str) -> Any:
    return json.loads(run(installation, "profile", "priors", "notes", *options, "--json"))


def signals(client: ScrubjayClient) -> set[str]:
    results = client.ask(SEARCH, SearchAsk(query="weir", mode="lexical", explain=True)).results
    return {part.signal for result in results for part in result.explain or ()}


def test_what_was_opened_rises_a_place_each_time_until_the_history_is_cleared(
    installation: Installation, client: ScrubjayClient
) -> None:
    others = ["weir reeds", "white egret", "brown", "the weir again"]
    untouched = [answer(client, query) for query in others]
    before = search(client, "weir")
    last = before[-1]
    for place in (2, 1, 0, 0):
        search(client, "weir")
        client.ask(OPENED, OpenedAsk(profile="notes", query="weir", path=last))
        assert search(client, "weir").index(last) == place
    assert [path for path in search(client, "weir") if path != last] == before[:-1]
    assert search(client, "wei", typing=True)[0] == last
    assert [answer(client, query) for query in others] == untouched
    (shown,) = (hit for hit in client.ask(SEARCH, SearchAsk(query="weir", explain=True)).results if hit.path == last)
    assert [part.points > 0 for part in shown.explain or () if part.signal == "opened"] == [True]
    assert search(client, "weir", habits=False) == before
    run(installation, "profile", "priors", "notes", "--no-opened")
    assert search(client, "weir") == before
    run(installation, "profile", "priors", "notes", "--opened")
    assert search(client, "weir")[0] == last
    run(installation, "history", "clear")
    assert search(client, "weir") == before


@pytest.mark.usefixtures("client")
def test_tune_says_what_was_learned_and_takes_no_for_an_answer(installation: Installation) -> None:
    def states() -> list[tuple[str, str]]:
        return [(each["profile"], each["state"]) for each in json.loads(run(installation, "tune", "--json"))]

    assert states() == [("notes", "too-few")]
    assert "fewer than 1,000 names" in run(installation, "tune", "notes")
    assert "turned off" in run(installation, "tune", "--off", "notes")
    assert states() == [("notes", "off")]
    run(installation, "tune", "--on")
    assert states() == [("notes", "too-few")]


def test_priors_that_are_set_act_at_once_and_can_be_taken_back(
    installation: Installation, client: ScrubjayClient
) -> None:
    usual = {"recency_days": 0.0, "importance": False, "opened": True}
    assert priors(installation) == usual
    assert "importance" not in signals(client)
    set_now = {"importance": True, "recency_days": 30.0}
    assert priors(installation, "--importance", "--recency-days", "30") == usual | set_now
    assert {"importance", "recency"} <= signals(client)
    assert priors(installation, "--off", "--recency-days", "7") == usual | {"opened": False, "recency_days": 7.0}
    assert "importance" not in signals(client)
    assert priors(installation, "--recency-days", "0", "--opened") == usual
    settings = next((installation.root / "home").rglob("profile.toml"))
    retired = '[priors]\npagerank = 0.1\nlinks = 0.2\nladder = "author"\n'
    settings.write_text(settings.read_text("utf-8").replace("[priors]\n", retired, 1), "utf-8")
    assert "pagerank" in settings.read_text("utf-8")
    assert priors(installation) == usual, "those of earlier versions are passed over"
    for wrong in (("--pagerank", "0.1"), ("--recency-days", "-1")):
        refused = installation.invoke("profile", "priors", "notes", *wrong)
        assert (refused.exit_code, wrong[0] in refused.stderr) == (2, True)
