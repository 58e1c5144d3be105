"""`/v1/read` over the whole stack: notes by id, path and pattern, in parts, and only those that the client sees."""

from typing import Any

import pytest

from tests.integration.server.conftest import PERSONAL_TEXT, WORK_TEXT, Residents


def read(residents: Residents, token: str, **body: Any) -> Any:
    with residents.http(token) as http:
        return http.post("/v1/read", json=body).json()


@pytest.mark.parametrize("name", ["Jackdaw.md", "jackdaw", "./Jackdaw.md", "Jack*.md", "J?ckdaw*"])
def test_a_note_is_read_by_its_path_the_end_of_it_or_a_pattern(residents: Residents, name: str) -> None:
    (note,) = read(residents, residents.reader, notes=[name])["notes"]
    assert (note["path"], note["passages"][0]["text"], note["next_line"]) == ("Jackdaw.md", WORK_TEXT, None)


def test_a_note_is_read_by_the_id_of_a_passage(residents: Residents) -> None:
    (note,) = read(residents, residents.reader, notes=["Jackdaw.md"])["notes"]
    for name in (note["id"], f"#{note['id']}", note["id"][:6]):
        assert read(residents, residents.reader, notes=[name])["notes"] == [note]


def test_several_are_read_at_once_each_once_and_what_is_missing_is_named(residents: Residents) -> None:
    reply = read(residents, residents.reader, notes=["*.md", "Ledger.md", "Jakdaw.md"])
    assert [note["path"] for note in reply["notes"]] == ["Jackdaw.md", "Ledger.md"]
    (missing,) = reply["missing"]
    assert (missing["name"], "Jackdaw.md" in missing["reason"]) == ("Jakdaw.md", True)


def test_lines_are_those_of_the_file(residents: Residents) -> None:
    (note,) = read(residents, residents.reader, notes=["Jackdaw.md"], from_line=1, to_line=2)["notes"]
    assert note["passages"] == []
    (note,) = read(residents, residents.reader, notes=["Jackdaw.md"], around=3)["notes"]
    assert note["passages"][0]["line"] == 3


def test_notes_without_room_are_named(residents: Residents) -> None:
    reply = read(residents, residents.reader, notes=["*.md"], max_tokens=90)
    assert ([note["path"] for note in reply["notes"]], reply["unread"]) == (["Jackdaw.md"], ["Ledger.md"])


@pytest.mark.parametrize("name", ["Diary.md", "*iary*", "Diar.md"])
def test_what_a_client_may_not_see_is_not_there_nor_offered(residents: Residents, name: str) -> None:
    reply = read(residents, residents.reader, notes=[name])
    assert reply["notes"] == []
    assert "Diary" not in reply["missing"][0]["reason"]
    assert PERSONAL_TEXT in str(read(residents, residents.owner, notes=["Diary.md"]))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"notes": ["*.md"], "from_line": 3}, "usage"),
        ({"notes": ["Jackdaw.md"], "from_line": 3, "around": 4}, "usage"),
        ({"notes": ["Jackdaw.md"], "from_line": 4, "to_line": 3}, "usage"),
        ({"notes": []}, "invalid-request"),
        ({"notes": ["Jackdaw.md"], "profiles": ["personal"]}, "profile-not-found"),
    ],
)
def test_what_makes_no_sense_is_refused(residents: Residents, body: dict[str, Any], code: str) -> None:
    assert read(residents, residents.reader, **body)["code"] == code


@pytest.mark.parametrize("path", ["/v1/related?note={}", "/v1/traverse?note={}"])
def test_a_note_is_named_the_same_way_everywhere(residents: Residents, path: str) -> None:
    with residents.http(residents.reader) as http:
        assert http.get(path.format("jackdaw")).status_code == 200
        assert http.get(path.format("Diary.md")).json()["code"] == "note-not-found"
        assert http.get(path.format("*.md")).json()["code"] == "usage"
        assert http.get(f"{path.format('jackdaw')}&profile=personal").json()["code"] == "profile-not-found"


def test_a_related_note_is_shown_with_the_beginning_of_its_passage(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        (ledger,) = http.get("/v1/related?note=jackdaw").json()["notes"]
    assert (ledger["path"], ledger["excerpt"]) == ("Ledger.md", "The ledger of the jackdaw budget.")


@pytest.mark.parametrize("url", ["/v1/changes?note=Jackdaw.md&sinc=7d", "/v1/chunks?sinc=7d", "/v1/suggest?sinc=7d"])
def test_a_parameter_that_there_is_not_is_named_before_one_that_is_missing(residents: Residents, url: str) -> None:
    with residents.http(residents.reader) as http:
        refused = http.get(url)
    assert (refused.status_code, "`sinc`" in refused.json()["detail"]) == (400, True)
