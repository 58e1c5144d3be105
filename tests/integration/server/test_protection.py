"""Who can open a profile, by which model it is read, what is filtered, and copies of it: all without a terminal."""

from pathlib import Path

import pytest

from scrubjay.profiles.registry.registry import Survey
from scrubjay.profiles.store.sqlite import is_encrypted
from tests.integration.server.conftest import Residents

FIRST, SECOND = "heron " * 3, "kingfisher " * 2


@pytest.fixture
def residents(fresh: Residents) -> Residents:
    return fresh


def path(residents: Residents, what: str = "") -> str:
    return f"/v1/profiles/{residents.work.id}{what}"


def found(residents: Residents) -> list[str]:
    with residents.http(residents.reader) as http:
        reply = http.post("/v1/search", json={"query": "jackdaw", "mode": "lexical"}).json()
    return sorted(each["title"] for each in reply["results"])


def test_a_profile_is_encrypted_changed_and_decrypted_and_searched_after_each(residents: Residents) -> None:
    store = residents.house.engine.registry.store_path(residents.work)
    before = found(residents)
    with residents.http(residents.manager) as http:
        sealed = http.post(path(residents, "/protection"), json={"by": "passphrase", "passphrase": FIRST})
        assert (sealed.status_code, sealed.json()["protection"], is_encrypted(store)) == (200, "passphrase", True)
        assert found(residents) == before
        changed = http.post(
            path(residents, "/protection"), json={"by": "passphrase", "passphrase": SECOND, "present": FIRST}
        )
        assert changed.status_code == 200
        http.post(path(residents, "/lock"), json={})
        assert http.post(path(residents, "/unlock"), json={"passphrase": FIRST}).status_code == 423
        assert http.post(path(residents, "/unlock"), json={"passphrase": SECOND}).status_code == 200
        opened = http.post(path(residents, "/protection"), json={"by": "none", "present": SECOND})
        assert (opened.json()["protection"], is_encrypted(store)) == ("none", False)
    assert found(residents) == before


def test_a_profile_that_is_unlocked_while_settings_are_looked_at_opens(
    residents: Residents, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = residents.house.engine
    with residents.http(residents.manager) as http:
        http.post(path(residents, "/protection"), json={"by": "passphrase", "passphrase": FIRST})
        http.post(path(residents, "/lock"), json={})
        survey = engine.registry.survey

        def overtaken() -> Survey:
            read = survey()
            monkeypatch.setattr(engine.registry, "survey", survey)
            engine.custody.unlock(residents.work, FIRST)
            return read

        monkeypatch.setattr(engine.registry, "survey", overtaken)
        engine.profile_sync.sync()
        engine.profile_sync.sync(retry=residents.work.id)
    assert found(residents) != []


@pytest.mark.parametrize(("present", "code"), [(None, "store-locked"), ("not the words", "wrong-passphrase")])
def test_whoever_does_not_know_the_passphrase_takes_it_off_in_no_way(
    residents: Residents, present: str | None, code: str
) -> None:
    with residents.http(residents.manager) as http:
        http.post(path(residents, "/protection"), json={"by": "passphrase", "passphrase": FIRST})
        refused = http.post(path(residents, "/protection"), json={"by": "none", "present": present})
        assert (refused.status_code, refused.json()["code"]) == (423, code)
        assert http.get("/v1/profiles").json()["profiles"][0]["protection"] == "passphrase"
    assert found(residents) != []


def test_a_short_passphrase_is_refused_and_nothing_changes(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        refused = http.post(path(residents, "/protection"), json={"by": "passphrase", "passphrase": "wren"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid-profile")
    assert found(residents) != []


def test_a_backup_is_a_copy_that_its_owner_alone_can_read(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        made, other = (http.post(path(residents, "/backup"), json={}).json() for _ in range(2))
    assert made["file"] != other["file"]
    file = Path(made["file"])
    assert file.is_relative_to(residents.house.engine.home.data)
    assert (file.stat().st_size, file.stat().st_mode & 0o777) == (made["bytes"], 0o600)
    assert file.read_bytes().startswith(b"SQLite format 3")


def test_models_are_listed_and_one_that_is_not_there_is_refused(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        assert http.get("/v1/models").json() == {"models": ["bundled"]}
        assert http.post(path(residents), json={"model": "bundled"}).json()["model"] == "bundled"
        for name in ("nowhere/none", "a\x80b"):
            refused = http.post(path(residents), json={"model": name})
            assert (refused.status_code, refused.json()["code"]) == (400, "model-not-available")


def test_optional_rules_of_the_filter_are_switched_on_and_off(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        on = http.post(path(residents), json={"filter_groups": ["payment"]}).json()["filter_groups"]
        kept = http.post(path(residents), json={"federate": True}).json()["filter_groups"]
        off = http.post(path(residents), json={"filter_groups": []}).json()["filter_groups"]
        wrong = http.post(path(residents), json={"filter_groups": ["everything"]}).status_code
    assert (on, kept, off, wrong) == (["payment"], ["payment"], [], 400)


@pytest.mark.parametrize("what", ["/protection", "/backup"])
def test_a_reader_and_the_manager_of_another_profile_may_do_none_of_it(residents: Residents, what: str) -> None:
    body = {"by": "none"} if what == "/protection" else {}
    with residents.http(residents.reader) as http:
        assert http.post(path(residents, what), json=body).status_code == 403
        assert http.get("/v1/models").status_code == 403
    with residents.http(residents.manager) as http:
        assert http.post(f"/v1/profiles/{residents.personal.id}{what}", json=body).status_code == 404
