"""One real daemon, used as a person uses it: paused, hurried, asked what it did, and given other settings."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.endpoints.links import VERIFY, VerifyAsk
from scrubjay.daemon.server.endpoints.notes import NOTES, SUGGEST, NotesAsk, SuggestAsk
from scrubjay.daemon.server.endpoints.search import CONTEXT, EXPLAIN, SEARCH, ContextAsk, ExplainAsk, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS, ProfileStatus
from scrubjay.daemon.server.endpoints.upkeep import CLEAR_HISTORY, HISTORY, OPENED, OpenedAsk
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.plain_http import http_client
from tests.helpers.waiting import until

SECRET = "ghp" + "_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("daily"))
    installation.write(
        {"weir.md": "# Weir\n\nThe heron stood by the weir.\n", "mill.md": "# Mill\n\nThe mill ground.\n"}
    )
    installation.create_profile()
    return installation


@pytest.fixture(scope="module")
def client(place: Installation) -> Generator[ScrubjayClient]:
    with place.daemon() as running:
        wait_until_indexed(running)
        yield running


def only(client: ScrubjayClient) -> ProfileStatus:
    [profile] = client.ask(STATUS).profiles
    return profile


def found(client: ScrubjayClient, query: str) -> set[str]:
    return {hit.path for hit in client.ask(SEARCH, SearchAsk(query=query, mode="lexical")).results}


def test_a_paused_profile_reads_nothing_until_it_is_resumed(place: Installation, client: ScrubjayClient) -> None:
    assert "notes" in place.run("pause").stdout
    until(lambda: only(client).state == "paused")
    place.write({"otter.md": "An otter came by."})
    assert found(client, "heron") == {"weir.md"}
    assert "paused: `scrubjay resume` lets it go on" in " ".join(place.run("status").stdout.split())
    assert found(client, "otter") == set()
    waited = place.run("index", "--wait", check=False)
    assert waited.returncode == 1
    assert "Not all of notes is read: it is paused" in " ".join(waited.stderr.split())
    place.run("resume", "--profile", "notes")
    until(lambda: found(client, "otter") == {"otter.md"})


def test_what_was_done_and_what_failed_is_named(place: Installation, client: ScrubjayClient) -> None:
    place.run("index", "--full", "--wait", "--fast")
    progress = only(client).progress
    assert (progress.scanned, progress.read, progress.failed) == (only(client).notes, only(client).notes, 0)
    place.write({"broken.md": b"\xff\xfe\xff"})
    until(lambda: [failure.path for failure in only(client).failures] == ["broken.md"])
    assert "broken.md" in place.run("status").stdout
    place.run("index", "--retry", "--wait")
    assert [failure.path for failure in only(client).failures] == ["broken.md"]
    (place.vault / "broken.md").unlink()
    until(lambda: only(client).failures == ())


def test_searches_are_remembered_without_their_credentials(place: Installation, client: ScrubjayClient) -> None:
    client.ask(SEARCH, SearchAsk(query="heron by the weir"))
    client.ask(SEARCH, SearchAsk(query=f"weir {SECRET}"))
    client.ask(SEARCH, SearchAsk(query="hero", typing=True))
    client.ask(OPENED, OpenedAsk(profile="notes", query="heron by the weir", path="weir.md"))
    client.ask(OPENED, OpenedAsk(profile="notes", query="mill unheard", path="mill.md"))
    events = client.ask(HISTORY).events
    assert [(event.query, event.opened) for event in events[:3]] == [
        ("mill …", ("mill.md",)),
        ("weir [REDACTED:github-token]", ()),
        ("heron by the weir", ("weir.md",)),
    ]
    assert "heron by the weir" in place.run("history").stdout
    assert all(event["took_ms"] >= 500 for event in json.loads(place.run("history", "--slow", "--json").stdout))
    place.run("history", "off", "notes")
    until(lambda: _remembers(client, "nothing of this") == [])
    place.run("history", "on", "notes")
    until(lambda: _remembers(client, "heron again") != [])
    assert "Forgotten" in place.run("history", "clear").stdout
    assert client.ask(HISTORY).events == ()
    for path, content in place.everything_written().items():
        assert SECRET.encode() not in content, path


def test_what_programs_look_up_for_themselves_is_no_search_of_the_users(
    place: Installation, client: ScrubjayClient, tmp_path: Path
) -> None:
    client.ask(CLEAR_HISTORY)
    golden = tmp_path / "golden.jsonl"
    golden.write_text('{"query": "heron", "notes": ["weir.md"]}\n', encoding="utf-8")
    place.run("eval", str(golden), check=False)
    place.run("related", "weir.md", check=False)
    client.ask(NOTES, NotesAsk(filter="path:weir"))
    client.ask(SEARCH, SearchAsk(query="heron weir", profiles=("notes",), offset=1))
    client.ask(SEARCH, SearchAsk(query="heron weir", profiles=("notes",), remember=False))
    client.ask(SUGGEST, SuggestAsk(kind="title", prefix="we"))
    client.ask(CONTEXT, ContextAsk(prompt="where is the heron"))
    client.ask(EXPLAIN, ExplainAsk(query="heron", path="weir.md"))
    client.ask(VERIFY, VerifyAsk(path="weir.md", quote="The heron stood by the weir."))
    assert client.ask(HISTORY).events == ()


def test_the_history_says_who_searched_and_what_seems_to_have_missed(
    place: Installation, client: ScrubjayClient
) -> None:
    client.ask(CLEAR_HISTORY)
    registry = ClientRegistry(place.home.clients)
    agent = registry.create("Claude", scopes=("search",), profiles="all")
    panel = registry.create("Obsidian · vault", scopes=("search",), profiles="all", vault="vault")
    for token in (agent.token, panel.token):
        with ScrubjayClient(client.url, token) as other:
            other.ask(SEARCH, SearchAsk(query="heron weir", profiles=("notes",)))
    client.ask(SEARCH, SearchAsk(query="quokka zeppelin and the", profiles=("notes",)))
    registry.close()
    events = client.ask(HISTORY).events
    assert [(event.source, event.client, event.missed) for event in events] == [
        ("terminal", "command line", ("low",)),
        ("panel", "Obsidian · vault", ("unopened",)),
        ("agent", "Claude", ()),
    ]
    shown = place.run("history", "--missed").stdout
    assert [word in shown for word in ("Obsidian", "unopened", "all low", "Claude")] == [True, True, True, False]
    assert "Claude" in place.run("history").stdout


def _remembers(client: ScrubjayClient, query: str) -> list[str]:
    client.ask(CLEAR_HISTORY)
    client.ask(SEARCH, SearchAsk(query=query, profiles=("notes",)))
    return [event.query for event in client.ask(HISTORY).events]


def test_metrics_are_prometheus_text_without_names_of_notes(place: Installation, client: ScrubjayClient) -> None:
    client.ask(SEARCH, SearchAsk(query="heron"))
    registry = ClientRegistry(place.home.clients)
    token = own_token(registry, place.home.state).token
    registry.close()
    with http_client(client.url) as http:
        assert http.get("/metrics").status_code == 401
    with http_client(client.url, token) as http:
        text = http.get("/metrics").text
    families = {family.name: family for family in text_string_to_metric_families(text)}
    [notes] = families["scrubjay_profile_notes"].samples
    assert (notes.labels, notes.value) == ({"profile": "notes"}, only(client).notes)
    assert families["scrubjay_indexing_embedded"].samples[0].value > 0
    assert sum(each.value for each in families["scrubjay_search_seconds"].samples if each.name.endswith("_count")) > 0
    assert "process_resident_memory_bytes" in families
    assert "weir" not in text


def test_changed_limits_hold_at_once_and_another_port_from_the_next_start(
    place: Installation, client: ScrubjayClient
) -> None:
    all_ibises = SearchAsk(query="ibis", mode="lexical", limit=100)
    ibises = {
        f"Ibis {number}.md": "Ibis. " + " ".join(f"reed{number}of{each}" for each in range(20)) for number in range(12)
    }
    place.write(ibises)
    until(lambda: {each.path for each in client.ask(SEARCH, all_ibises).results} == set(ibises))
    settings = place.home.settings
    settings.write_text("speed = 'breakneck'\n", encoding="utf-8")
    until(lambda: any("speed" in warning for warning in client.ask(STATUS).warnings))
    tight = "port = 1\nmodel_idle_minutes = 0.1\n[limits]\nresults = 10\nbody_bytes = 1024\nnote_bytes = 1000\n"
    settings.write_text(tight, encoding="utf-8")
    until(lambda: any("scrubjay restart" in warning for warning in client.ask(STATUS).warnings))
    assert "the settings were taken over" in place.run("logs").stdout
    assert len(client.ask(SEARCH, all_ibises).results) == 10
    with pytest.raises(ApiError):
        client.ask(SEARCH, SearchAsk(query="heron " * 200))
    place.write({"longer.md": "An egret waded. " * 200})
    until(lambda: {each.code for each in only(client).failures} == {"too-large"})
    settings.unlink()
    until(lambda: found(client, "egret") == {"longer.md"})
    assert client.ask(STATUS).warnings == ()
    assert len(client.ask(SEARCH, all_ibises).results) == 12


def test_a_rule_of_the_users_own_is_taken_over(place: Installation, client: ScrubjayClient) -> None:
    place.write({"door.md": "The code is CELLAR-47190835 at the door."})
    until(lambda: found(client, "cellar") == {"door.md"})
    rules = place.home.user_rules
    rules.write_text(OWN_RULE, encoding="utf-8")
    until(lambda: found(client, "cellar") == set())
    assert found(client, "door") == {"door.md"}
    rules.unlink()
    until(lambda: found(client, "cellar") == {"door.md"})


OWN_RULE = """
[[rule]]
id = "house-code"
about = "the code of the cellar door"
needles = ["CELLAR-"]
everywhere = true
regex = 'CELLAR-[0-9]{8}'
must_hide = ["CELLAR-{digit:8}"]
must_keep = ["CELLAR-door"]
"""


def test_a_second_daemon_is_told_where_the_first_one_is(place: Installation, client: ScrubjayClient) -> None:
    done = place.run("run", "--port", "0", check=False)
    assert done.returncode == 1
    assert client.url in done.stderr


def test_the_log_is_readable_and_as_json(place: Installation, client: ScrubjayClient) -> None:
    assert "the daemon is ready" in place.run("logs").stdout
    lines = [json.loads(line) for line in place.run("logs", "--json", "--lines", "2").stdout.splitlines()]
    assert len(lines) == 2
    assert all("event" in line for line in lines)


def test_without_a_log_it_says_where_it_would_be(tmp_path: Path) -> None:
    assert "daemon.log" in Installation(tmp_path).run("logs").stdout
