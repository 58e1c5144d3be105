"""A real daemon over a vault with files: what programs are told of them, and the picture of a page."""

from collections.abc import Iterator

import msgspec
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.clients import CREATE_CLIENT, ClientAsk
from scrubjay.daemon.server.endpoints.credentials import CREDENTIALS
from scrubjay.daemon.server.endpoints.notes import NOTE, PAGE, NoteAsk, PageAsk
from scrubjay.daemon.server.endpoints.profiles import CHANGE_PROFILE, LIST_PROFILES, ProfileChange
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS, KindStatus
from scrubjay.daemon.transport import ApiError
from scrubjay.profiles.search.types import SearchResult
from tests.helpers.installation import Installation
from tests.helpers.made_files.pdf import Pdf
from tests.helpers.waiting import until

PASSWORD = "Kestrel-" + "4471-Vx"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("served"))
    pages = ["The heron stands at the weir.", f"The otter's password: {PASSWORD}", "The kingfisher dives at noon."]
    made.write(
        {
            "bills/invoice.pdf": Pdf(pages, metadata={"Title": "Birds"}).bytes(),
            "Plan.md": "See ![[invoice.pdf#page=3]].\n",
            "broken.docx": b"no archive",
            "pier.png": b"\x89PNG\r\n\x1a\n",
        }
    )
    made.create_profile()
    return made


@pytest.fixture(scope="module")
def client(installation: Installation) -> Iterator[ScrubjayClient]:
    with installation.daemon() as connected:
        until(lambda: sum(each.files for each in kinds(connected)) == 3)
        yield connected


def kinds(client: ScrubjayClient) -> tuple[KindStatus, ...]:
    return client.ask(STATUS).profiles[0].kinds


def only(client: ScrubjayClient, query: str) -> SearchResult:
    [found, *_] = client.ask(SEARCH, SearchAsk(query=query, mode="lexical")).results
    return found


def test_a_result_is_told_with_its_page_and_opens_there(client: ScrubjayClient) -> None:
    found = only(client, "kingfisher")
    assert (found.path, found.kind, found.place) == ("bills/invoice.pdf", "pdf", "3")
    assert found.display == "invoice.pdf · page 3"
    assert found.open_url == "obsidian://open?vault=vault&file=bills%2Finvoice.pdf%23page%3D3"


def test_the_whole_text_comes_page_by_page(client: ScrubjayClient) -> None:
    found = only(client, "kingfisher")
    note = client.ask(NOTE, NoteAsk(chunk_id=found.id))
    assert note.kind == "pdf"
    assert [(part.place, part.text) for part in note.passages if part.place != "metadata"] == [
        ("1", "The heron stands at the weir."),
        ("2", "The otter's password: [REDACTED:named-password]"),
        ("3", "The kingfisher dives at noon."),
    ]


def test_a_page_is_drawn_unless_a_credential_is_hidden_on_it(client: ScrubjayClient) -> None:
    found = only(client, "kingfisher")
    shown = client.ask(PAGE, PageAsk(chunk_id=found.id, width=200))
    assert (shown.page, shown.png[:4]) == (3, b"\x89PNG")
    with pytest.raises(ApiError, match="credential") as refused:
        client.ask(PAGE, PageAsk(chunk_id=found.id, page=2))
    assert refused.value.code == "no-picture"


def test_a_client_that_only_searches_gets_no_picture(installation: Installation, client: ScrubjayClient) -> None:
    found = only(client, "kingfisher")
    token = client.ask(CREATE_CLIENT, ClientAsk(name="reader", profiles="all", scopes=("search",))).token
    with ScrubjayClient(client.url, token) as reader:
        assert only(reader, "kingfisher").id == found.id
        with pytest.raises(ApiError) as refused:
            reader.ask(PAGE, PageAsk(chunk_id=found.id))
    assert refused.value.status == 403


def test_a_file_that_changed_since_it_was_read_gives_no_picture(
    installation: Installation, client: ScrubjayClient
) -> None:
    installation.write({"late.pdf": Pdf(["The egret waits."]).bytes()})
    until(lambda: bool(client.ask(SEARCH, SearchAsk(query="egret", mode="lexical")).results))
    found = only(client, "egret")
    assert client.ask(PAGE, PageAsk(chunk_id=found.id)).png
    client.ask(CHANGE_PROFILE, ProfileChange(profile_id=client.ask(STATUS).profiles[0].id, federate=False))
    installation.write({"late.pdf": Pdf([f"password: {PASSWORD}"]).bytes()})
    with pytest.raises(ApiError) as refused:
        client.ask(PAGE, PageAsk(chunk_id=found.id))
    assert refused.value.code in ("no-picture", "chunk-not-found")
    (installation.vault / "late.pdf").unlink()
    until(lambda: not client.ask(SEARCH, SearchAsk(query="egret", mode="lexical")).results)


def test_status_counts_each_kind_and_names_what_is_unreadable(client: ScrubjayClient) -> None:
    until(lambda: client.ask(STATUS).profiles[0].files_waiting == 0)
    counted = {each.kind: (each.files, each.parts, each.unread) for each in kinds(client)}
    assert counted == {"pdf": (1, 3, 0), "document": (1, 0, 1), "image": (1, 0, 0)}
    [profile] = client.ask(STATUS).profiles
    assert profile.notes == 1
    assert {(each.path, each.code) for each in profile.failures} == {("broken.docx", "wrong-extension")}


def test_a_finding_is_told_with_its_page(client: ScrubjayClient) -> None:
    [found] = client.ask(CREDENTIALS).credentials
    assert (found.path, found.place, found.rule) == ("bills/invoice.pdf", "page 2", "named-password")


def test_kinds_are_counted_and_narrow_a_search_down(client: ScrubjayClient) -> None:
    [facet] = client.ask(SEARCH, SearchAsk(query="invoice OR pier", facets=("kind",))).facets
    assert {value.value: value.count for value in facet.values} == {"note": 1, "pdf": 1, "image": 1}
    assert only(client, "invoice -kind:note").path == "bills/invoice.pdf"


def test_a_kind_that_is_no_longer_read_leaves_its_text_and_keeps_its_name(client: ScrubjayClient) -> None:
    [profile] = client.ask(LIST_PROFILES).profiles
    fewer = msgspec.structs.replace(profile.files, kinds=tuple(kind for kind in profile.files.kinds if kind != "pdf"))
    client.ask(CHANGE_PROFILE, ProfileChange(profile_id=profile.id, files=fewer))
    until(lambda: not client.ask(SEARCH, SearchAsk(query="kingfisher", mode="lexical")).results)
    assert only(client, "invoice kind:pdf").path == "bills/invoice.pdf"
    client.ask(CHANGE_PROFILE, ProfileChange(profile_id=profile.id, files=profile.files))
    until(lambda: bool(client.ask(SEARCH, SearchAsk(query="kingfisher", mode="lexical")).results))


def test_no_byte_of_the_password_was_written(installation: Installation, client: ScrubjayClient) -> None:
    assert not [path for path, data in installation.everything_written().items() if PASSWORD.encode() in data]
