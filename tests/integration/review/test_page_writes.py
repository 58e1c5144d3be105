"""Who may have notes written over the API: the page of the user who owns the installation, and no token."""

import hashlib
import hmac
import json
from contextlib import closing

import httpx
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.review import REVIEW_RUNS, REVIEW_UNDO, REVIEW_WRITE, UndoAsk, WriteAsk
from scrubjay.daemon.server.endpoints.sessions import MINT_TICKET
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.plain_http import http_client
from tests.helpers.waiting import until


def test_no_token_has_a_note_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Installation(tmp_path_factory.mktemp("writes"))
    made.write({"Heron.md": "The heron stands at the weir."})
    made.create_profile("notes")
    with made.daemon() as client:
        wait_until_indexed(client)
        for ask in (_write, _runs, _undo):
            with pytest.raises(ApiError) as refused:
                ask(client)
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


def _page_of(client: ScrubjayClient) -> httpx.Client:
    """What the search page that `scrubjay open` shows sends its requests with."""
    ticket = client.ask(MINT_TICKET).ticket
    page = http_client(client.url)
    page.headers["Origin"] = client.url
    key = page.post("/v1/session", json={"ticket": ticket}).json()["key"]
    instance = page.get("/health").json()["instance"]
    page.headers["X-Scrubjay-Csrf"] = hmac.new(key.encode(), instance.encode(), hashlib.sha256).hexdigest()
    return page


def _write(client: ScrubjayClient) -> None:
    client.ask(REVIEW_WRITE, WriteAsk(keys=("0" * 32,)))


def _runs(client: ScrubjayClient) -> None:
    client.ask(REVIEW_RUNS, Nothing())


def _undo(client: ScrubjayClient) -> None:
    client.ask(REVIEW_UNDO, UndoAsk(run="abcd1234"))
