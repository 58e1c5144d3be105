"""Who may have notes written over the API: the page of the user who owns the installation, and no token."""

import json
from collections.abc import Iterator
from contextlib import closing

import httpx
import msgspec
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.edit import EDIT, EDIT_WRITE, EditAsk, EditWriteAsk
from scrubjay.daemon.server.endpoints.review import REVIEW_RUNS, REVIEW_UNDO, REVIEW_WRITE, UndoAsk, WriteAsk
from scrubjay.daemon.server.endpoints.sessions import MINT_TICKET
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.plain_http import http_client, page_client
from tests.helpers.waiting import until

FERRIES = {"Ferry.md": "By ferry.\n", "Coast.md": "The ferry waits.\n", "Quay.md": "A ferry, still.\n"}
EDIT_OF_FERRIES = {"query": "ferry", "edit": {"action": "replace", "find": "ferry", "after": "boat"}}
Ferries = tuple[Installation, ScrubjayClient]


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ferries]:
    made = Installation(tmp_path_factory.mktemp("edits"))
    made.write(FERRIES)
    made.create_profile("notes")
    with made.daemon() as client:
        wait_until_indexed(client)
        yield made, client


def test_no_token_has_a_note_written(ferries: Ferries) -> None:
    for ask in (_write, _runs, _undo):
        with pytest.raises(ApiError) as refused:
            ask(ferries[1])
        assert refused.value.status == 403


PASSPHRASE = "correct horse battery"
NOTES = {"Lantern.md": "# Lantern\n\nA lamp.\n", "Keeper.md": "# Keeper\n\nSee [[Lantren]].\n"}


def test_the_user_s_own_page_writes_into_notes_of_a_profile_that_a_passphrase_opened(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    made = Installation(tmp_path_factory.mktemp("writes"))
    made.write(NOTES)
    made.create_profile("notes")
    made.run("profile", "encrypt", "notes", "--passphrase-stdin", "--passphrase", standard_input=f"{PASSPHRASE}\n")
    with made.daemon() as client:
        made.run("unlock", "notes", "--passphrase-stdin", standard_input=f"{PASSPHRASE}\n")
        wait_until_indexed(client)
        until(lambda: "Lantren" in made.run("review", "--list").stdout)
        [proposal] = json.loads(made.run("review", "--list", "--json").stdout)["proposals"]
        made.run("review", "yes", proposal["key"])
        with closing(_page_of(client)) as page:
            assert not page.get("/v1/review").json()["written"]
            wrote = page.post("/v1/review/write", json={"keys": [proposal["key"]]})
            assert wrote.json()["keys"] == [proposal["key"]], wrote.text
            assert "[[Lantern|" in (made.vault / "Keeper.md").read_text()
            assert page.get("/v1/review").json()["written"]
            [run] = page.get("/v1/review/runs").json()["runs"]
            assert page.post("/v1/review/undo", json={"run": run["run"]}).json()["keys"] == [proposal["key"]]
            assert (made.vault / "Keeper.md").read_text() == NOTES["Keeper.md"]
            made.run("lock", "notes")
            assert page.get("/v1/review/runs").json() == {"runs": []}


def test_the_user_s_own_page_edits_the_notes_that_it_showed_as_they_were(ferries: Ferries) -> None:
    made, client = ferries
    with closing(_page_of(client)) as page:
        shown = page.post("/v1/edit", json=EDIT_OF_FERRIES).json()
        by_path = {each["file"]["path"]: each for each in shown["edited"]}
        assert by_path.keys() == FERRIES.keys()
        assert "+By boat." in by_path["Ferry.md"]["file"]["diff"]
        (made.vault / "Coast.md").write_text("The ferry waits for all.\n", encoding="utf-8")
        keys = [by_path[path]["key"] for path in ("Ferry.md", "Coast.md")]
        wrote = page.post("/v1/edit/write", json={**EDIT_OF_FERRIES, "shown": keys}).json()
        assert wrote["notes"] == ["Ferry.md"]
        assert "Coast.md" in {each["path"] for each in wrote["refused"]}
        assert (made.vault / "Coast.md").read_text(encoding="utf-8") == "The ferry waits for all.\n"
        assert (made.vault / "Quay.md").read_text(encoding="utf-8") == FERRIES["Quay.md"], "it was not chosen"
        page.post("/v1/review/undo", json={"run": wrote["run"]})
        assert (made.vault / "Ferry.md").read_text(encoding="utf-8") == FERRIES["Ferry.md"]


def test_an_agent_can_neither_edit_all_results_nor_look_what_that_would_change(ferries: Ferries) -> None:
    made, client = ferries
    scopes = ("--scope", "search", "--scope", "manage")
    token = made.run("clients", "create", "An agent", "--profile", "all", *scopes).stdout.split()[-1]
    writing = {**EDIT_OF_FERRIES, "shown": ["0" * 10]}
    asked = {"/v1/search": {"query": "ferry"}, "/v1/edit": EDIT_OF_FERRIES, "/v1/edit/write": writing}
    with closing(http_client(client.url)) as agent:
        agent.headers["Authorization"] = f"Bearer {token}"
        told = {path: agent.post(path, json=body).status_code for path, body in asked.items()}
    assert told == {"/v1/search": 200, "/v1/edit": 403, "/v1/edit/write": 403}
    assert client.ask(EDIT, msgspec.convert(EDIT_OF_FERRIES, EditAsk)).edited, "the user's own token may look"
    with pytest.raises(ApiError) as refused:
        client.ask(EDIT_WRITE, msgspec.convert(writing, EditWriteAsk))
    assert refused.value.status == 403


def _page_of(client: ScrubjayClient) -> httpx.Client:
    """What the search page that `scrubjay open` shows sends its requests with."""
    return page_client(client.url, client.ask(MINT_TICKET).ticket)


def _write(client: ScrubjayClient) -> None:
    client.ask(REVIEW_WRITE, WriteAsk(keys=("0" * 32,)))


def _runs(client: ScrubjayClient) -> None:
    client.ask(REVIEW_RUNS, Nothing())


def _undo(client: ScrubjayClient) -> None:
    client.ask(REVIEW_UNDO, UndoAsk(run="abcd1234"))
