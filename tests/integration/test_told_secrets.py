"""What clients tell the daemon is stored through the same filter as notes: nothing on disk, or in a reply, holds it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.credentials import CREDENTIALS, DECIDE, DecideAsk
from scrubjay.daemon.server.endpoints.journal import LOG, RECALL, REMEMBER, JournalAsk, LogAsk, RecallAsk
from scrubjay.daemon.server.endpoints.profiles import CREATE_PROFILE, ProfileAsk, VaultAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.server.endpoints.upkeep import HISTORY, OPENED, OpenedAsk
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed

TOKEN = expand("ghp_{alnum:36}", "told")
PASSWORD = "Kak" + "tus#" + "31935q"  # one only where a word says so
FRAMES = {
    "prose": "The weir key is {s} here.\n",
    "fence": "Heron.\n\n```sh\nexport TOKEN={s}\n```\n",
    "frontmatter": "---\ntitle: Heron\npassword: {s}\n---\nHeron.\n",
    "table": "| place | password |\n| --- | --- |\n| weir | {s} |\n",
    "link": "[heron](https://ada:{s}@weir.example/x)\n",
    "tag": "Heron #{s}\n",
    "line": "# Weir\n\npassword: {s}\n",
}
NAMED = ("frontmatter", "table", "line")  # where a password is named as one


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("told"))
    notes = {f"{name}.md": frame.replace("{s}", TOKEN) for name, frame in FRAMES.items()}
    notes |= {f"{name} named.md": FRAMES[name].replace("{s}", PASSWORD) for name in NAMED}
    installation.write(notes)
    installation.create_profile()
    return installation


@pytest.fixture(scope="module")
def client(place: Installation) -> Iterator[ScrubjayClient]:
    with place.daemon() as client:
        wait_until_indexed(client)
        yield client


def told(text: bytes) -> list[str]:
    """The secrets in these bytes: as they are, in small letters, and where a full-width letter is a letter."""
    found = unicodedata.normalize("NFKC", text.decode("utf-8", "ignore")).lower()
    return [
        secret for secret in (TOKEN, PASSWORD) if secret.lower().encode() in text.lower() or secret.lower() in found
    ]


def leaks(place: Installation) -> list[str]:
    return [Path(path).name for path, held in place.everything_written().items() if told(held)]


def test_a_password_that_the_text_names_is_no_tag_either(place: Installation, client: ScrubjayClient) -> None:
    saved = client.ask(REMEMBER, JournalAsk(text=f"The password: {PASSWORD}", tags=("weir", PASSWORD)))
    assert told(msgspec.json.encode(saved)) == []
    assert "weir" in saved.tags
    assert saved.redactions == 1
    assert leaks(place) == []


def test_a_path_that_the_index_lacks_is_not_remembered(place: Installation, client: ScrubjayClient) -> None:
    with pytest.raises(ApiError) as refused:
        client.ask(OPENED, OpenedAsk(profile="notes", query="heron", path=f"My {PASSWORD}.md"))
    assert (refused.value.status, refused.value.code) == (404, "note-not-found")
    client.ask(OPENED, OpenedAsk(profile="notes", query="heron", path="prose.md"))
    assert client.ask(HISTORY).events[0].opened == ("prose.md",)
    assert leaks(place) == []


def test_a_query_in_the_form_of_a_mark_is_not_trusted(place: Installation, client: ScrubjayClient) -> None:
    client.ask(SEARCH, SearchAsk(query=f"heron [REDACTED:{PASSWORD}]"))
    client.ask(SEARCH, SearchAsk(query="heron [REDACTED:hunter2hunter2]"))
    client.ask(SEARCH, SearchAsk(query="heron [REDACTED:github-token]"))
    queries = [event.query for event in client.ask(HISTORY).events[:3]]
    assert queries == ["heron [REDACTED:github-token]", "heron …", "heron …"]
    assert leaks(place) == []


def test_a_name_that_holds_a_credential_is_refused(place: Installation, client: ScrubjayClient) -> None:
    folder = place.root / f"vault {TOKEN}"
    folder.mkdir(exist_ok=True)
    asks = [ProfileAsk(name=TOKEN, vaults=()), ProfileAsk(name="other", vaults=(VaultAsk(root=str(folder)),))]
    for ask in asks:
        with pytest.raises(ApiError) as refused:
            client.ask(CREATE_PROFILE, ask)
        assert told(str(refused.value).encode()) == []
    done = place.run("profile", "rename", "notes", TOKEN, check=False)
    assert (done.returncode, told((done.stdout + done.stderr).encode())) == (1, [])
    assert leaks(place) == []


def test_after_all_of_it_no_reply_and_no_file_holds_a_secret(place: Installation, client: ScrubjayClient) -> None:
    said: list[bytes] = []
    for query in ("heron weir key password token", TOKEN, PASSWORD, f"password: {PASSWORD}"):
        said.append(msgspec.json.encode(client.ask(SEARCH, SearchAsk(query=query, limit=100, explain=True)).results))
        said.append(msgspec.json.encode(client.ask(RECALL, RecallAsk(query=query))))
    for found in client.ask(CREDENTIALS).credentials:
        ask = DecideAsk(path=found.path, line=found.line, column=found.column, standing="done")
        said.append(msgspec.json.encode(client.ask(DECIDE, ask)))
    replies = (client.ask(CREDENTIALS), client.ask(STATUS), client.ask(HISTORY), client.ask(LOG, LogAsk()))
    said += [msgspec.json.encode(reply) for reply in replies]
    said += [place.run(*command).stdout.encode() for command in (["credentials", "--decided"], ["history"], ["status"])]
    assert client.ask(CREDENTIALS).credentials == ()
    assert len(client.ask(CREDENTIALS).decided) >= len(FRAMES) + len(NAMED) - 1
    assert [told(reply) for reply in said if told(reply)] == []
    assert leaks(place) == []
