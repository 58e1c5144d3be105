"""A note that somebody does not want among results is not among them, is listed, counted, and comes back."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.hidden import (
    FORGET_OPENED,
    HIDDEN,
    HIDE,
    UNHIDE,
    ForgetOpenedAsk,
    HideAsk,
    UnhideAsk,
)
from scrubjay.daemon.server.endpoints.search import EXPLAIN, SEARCH, ExplainAsk, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import HISTORY, OPENED, HistoryAsk, OpenedAsk, ProfileChoice
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

NOTES = {
    "Birds/Curlew.md": "A curlew at the weir.",
    "Birds/Heron.md": "A heron at the weir, and a heron again.",
    "Birds/Egret.md": "An egret at the weir.",
    "Cellar.md": "Crates of apples.",
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("hidden"))
    made.write(NOTES)
    made.create_profile("notes")
    return made


@pytest.fixture(scope="module")
def client(installation: Installation) -> Iterator[ScrubjayClient]:
    with installation.daemon() as made:
        wait_until_indexed(made)
        yield made


@pytest.fixture(autouse=True)
def nothing_hidden_after(client: ScrubjayClient) -> Iterator[None]:
    yield
    for note in client.ask(HIDDEN, ProfileChoice()).notes:
        client.ask(UNHIDE, UnhideAsk(profile="notes", vault=note.vault, path=note.path, asked=note.asked))


def hidden(client: ScrubjayClient) -> list[tuple[str, str]]:
    """The path and the query of each."""
    return [(note.path, note.query) for note in client.ask(HIDDEN, ProfileChoice()).notes]


def hide(client: ScrubjayClient, path: str, query: str = "") -> None:
    client.ask(HIDE, HideAsk(path=path, query=query))


def notices(client: ScrubjayClient, query: str) -> list[tuple[str, str]]:
    """What is said of notes that were left out."""
    said = client.ask(SEARCH, SearchAsk(query=query, mode="lexical")).notices
    return [(notice.code, notice.text) for notice in said if notice.code in {"hidden", "dismissed"}]


def found(client: ScrubjayClient, query: str, **options: Any) -> set[str]:
    return {hit.path for hit in client.ask(SEARCH, SearchAsk(query=query, mode="lexical", **options)).results}


CURLEW, HERON, EGRET = (f"Birds/{name}.md" for name in ("Curlew", "Heron", "Egret"))
AT_THE_WEIR = {CURLEW, HERON, EGRET}


def test_a_note_hidden_from_one_query_is_found_by_all_others(client: ScrubjayClient) -> None:
    hide(client, HERON, "Weir")
    for same in ("weir", " WEIR "):
        assert found(client, same) == AT_THE_WEIR - {HERON}
    assert found(client, "the weir again") >= {HERON}
    assert hidden(client) == [(HERON, "Weir")]


def test_a_note_is_not_hidden_from_filters_alone_which_would_list_it_all_the_same(client: ScrubjayClient) -> None:
    for query in ("path:Birds", "tag:bird modified:7d"):
        with pytest.raises(ApiError, match="hidden ones too"):
            hide(client, HERON, query)
    assert hidden(client) == []
    hide(client, HERON, "weir path:Birds")
    assert hidden(client) == [(HERON, "weir path:Birds")]


def test_a_query_with_a_word_that_no_note_has_keeps_that_word_to_itself_and_hides_all_the_same(
    installation: Installation, client: ScrubjayClient
) -> None:
    secret = "xq" + "zt" * 4
    assert found(client, f"weir {secret}", mend=False) == AT_THE_WEIR
    hide(client, HERON, f"weir {secret}")
    assert found(client, f"weir {secret}", mend=False) == AT_THE_WEIR - {HERON}
    assert found(client, "weir") == found(client, "weir another", mend=False) == AT_THE_WEIR
    assert hidden(client) == [(HERON, "weir …")]
    data = b"".join(file.read_bytes() for file in installation.home.data.rglob("*") if file.is_file())
    assert secret.encode() not in data


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
def test_a_hidden_note_is_in_no_search_of_any_kind_and_counted_in_none(client: ScrubjayClient, mode: Any) -> None:
    hide(client, HERON)
    reply = client.ask(SEARCH, SearchAsk(query="heron weir", mode=mode, facets=("folder",), limit=50))
    assert HERON not in {hit.path for hit in reply.results}
    if mode != "semantic":
        assert reply.total_notes == 2
        assert [(value.value, value.count) for facet in reply.facets for value in facet.values] == [("Birds", 2)]
        assert [notice.words for notice in reply.notices if notice.code == "hidden"] == [("1",)]


def test_what_was_left_out_of_one_search_is_told_apart_from_what_is_hidden_from_all(client: ScrubjayClient) -> None:
    hide(client, "Cellar.md")
    assert notices(client, "weir") == [], "it would not match"
    hide(client, HERON, "weir")
    hide(client, CURLEW, "weir")
    hide(client, CURLEW)
    assert notices(client, "weir") == [
        ("hidden", "1 note that you hid matches, too."),
        ("dismissed", "1 note that you left out of this search matches, too."),
    ]


def test_a_hidden_note_is_found_by_its_place_in_lists_and_where_it_is_asked_for(
    installation: Installation, client: ScrubjayClient
) -> None:
    hide(client, HERON)
    for query in ("path:Birds weir", "file:heron weir", "path:Birds", "ext:md"):
        assert HERON in found(client, query), query
    assert found(client, "weir", hidden=True) == AT_THE_WEIR
    for option in ("--all", "--hidden"):
        assert HERON in installation.run("search", "weir", option, "--format", "files").stdout
    said = client.ask(EXPLAIN, ExplainAsk(query="weir", path=HERON))
    assert (said.stage, f"scrubjay hide --undo {HERON}" in said.remedy) == ("hidden", True)


def test_the_command_hides_lists_and_takes_back(installation: Installation, client: ScrubjayClient) -> None:
    assert "hidden from searches" in installation.run("hide", HERON).stdout
    installation.run("hide", EGRET, "--query", "weir")
    assert found(client, "weir") == {CURLEW}
    listed = json.loads(installation.run("hide", "--json").stdout)
    assert {(note["path"], note["query"]) for note in listed} == {(HERON, ""), (EGRET, "weir")}
    installation.run("hide", "--undo", EGRET, "--query", "weir")
    assert found(client, "weir") == {CURLEW, EGRET}
    refused = installation.run("hide", "--undo", EGRET, check=False)
    assert (refused.returncode, "is not hidden" in refused.stderr) == (1, True)
    installation.run("hide", "--undo", HERON)
    for query in ("", "  "):
        refused = installation.run("hide", HERON, "--query", query, check=False)
        assert (refused.returncode, "every search" in refused.stderr) == (1, True)
    assert (hidden(client), found(client, "weir")) == ([], AT_THE_WEIR)


def test_a_note_that_moves_or_is_renamed_stays_hidden(installation: Installation, client: ScrubjayClient) -> None:
    installation.write({"Rail.md": "A rail at the lock."})
    until(lambda: found(client, "lock") == {"Rail.md"})
    hide(client, "Rail.md")
    for old, new in (("Rail.md", "Birds/Rail.md"), ("Birds/Rail.md", "Birds/Water rail.md")):
        (installation.vault / old).rename(installation.vault / new)
        until(lambda new=new: found(client, "lock", hidden=True) == {new})
        assert found(client, "lock") == set()
        assert hidden(client) == [(new, "")]
    (installation.vault / "Birds/Water rail.md").unlink()
    until(lambda: found(client, "lock", hidden=True) == set())
    installation.write({"Again.md": "A rail at the lock."})
    until(lambda: found(client, "lock", hidden=True) == {"Again.md"})
    assert found(client, "lock") == set()


def test_what_was_opened_can_be_forgotten_and_the_searches_stay(client: ScrubjayClient) -> None:
    client.ask(SEARCH, SearchAsk(query="weir", mode="lexical"))
    client.ask(OPENED, OpenedAsk(profile="notes", query="weir", path=EGRET))
    client.ask(OPENED, OpenedAsk(profile="notes", query="weir", path=HERON))
    assert client.ask(FORGET_OPENED, ForgetOpenedAsk(path=EGRET)).forgotten == 1
    assert {path for event in client.ask(HISTORY, HistoryAsk()).events for path in event.opened} == {HERON}
    assert client.ask(FORGET_OPENED, ForgetOpenedAsk()).forgotten == 1
    events = client.ask(HISTORY, HistoryAsk()).events
    assert events
    assert not any(event.opened for event in events)
