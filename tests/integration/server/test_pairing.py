"""Pairing over HTTP: a stranger asks, the user decides, the token comes once."""

import os
from pathlib import Path

import httpx
import pytest

from scrubjay.daemon.server.access.pairing import pairing_key, pairing_proof
from tests.integration.server.conftest import Residents


def ask(http: httpx.Client, **more: object) -> dict[str, str]:
    begun = http.post("/v1/pairing", json={"client": "Obsidian", **more})
    assert begun.status_code == 201
    return begun.json()


def collect(http: httpx.Client, begun: dict[str, str]) -> httpx.Response:
    return http.post(f"/v1/pairing/{begun['id']}/collect", json={"secret": begun["secret"]})


def approve(http: httpx.Client, id_or_code: str, *, yes: bool = True, **more: object) -> httpx.Response:
    return http.post(f"/v1/pairing/{id_or_code}", json={"approve": yes, **more})


def prove(residents: Residents, http: httpx.Client, begun: dict[str, str]) -> httpx.Response:
    """By the private file, which programs of the same user can read."""
    proof = pairing_proof(pairing_key(residents.house.home.state), begun["id"])
    return http.post(f"/v1/pairing/{begun['id']}/proof", json={"proof": proof})


def seen(residents: Residents, token: str) -> list[str]:
    with residents.http(token) as paired:
        return [profile["name"] for profile in paired.get("/v1/profiles").json()["profiles"]]


def test_the_user_approves_by_code_and_the_client_sees_the_profile_of_its_vault(residents: Residents) -> None:
    folder = str(residents.house.vaults / "work")
    with residents.http() as plugin, residents.http(residents.owner) as owner:
        begun = ask(plugin, vault=folder)
        assert collect(plugin, begun).json() == {"state": "waiting"}
        waiting = [found for found in owner.get("/v1/pairing").json()["pairings"] if found["id"] == begun["id"]]
        told = {"client": "Obsidian", "vault": folder, "scopes": ["search"], "profiles": ["work"]}
        assert waiting == [{"id": begun["id"], "code": begun["code"], **told}]
        assert approve(owner, begun["code"]).json() == {"state": "approved"}
        token = collect(plugin, begun).json()["token"]
        assert collect(plugin, begun).status_code == 404
    assert seen(residents, token) == ["work"]
    with residents.http(token) as paired:
        assert paired.get("/v1/clients").status_code == 403


def test_the_user_ticks_other_profiles_and_scopes(residents: Residents) -> None:
    with residents.http() as plugin, residents.http(residents.owner) as owner:
        begun = ask(plugin, vault="work")
        approve(owner, begun["id"], profiles=["personal"], scopes=["search", "manage"])
        token = collect(plugin, begun).json()["token"]
    assert seen(residents, token) == ["personal"]
    with residents.http(token) as paired:
        assert paired.get("/v1/clients").status_code == 200


def test_a_refusal_is_told_and_final(residents: Residents) -> None:
    clients = len(residents.house.clients.list())
    with residents.http() as plugin, residents.http(residents.owner) as owner:
        begun = ask(plugin)
        assert approve(owner, begun["id"], yes=False).json() == {"state": "refused"}
        assert collect(plugin, begun).json() == {"state": "refused"}
        assert collect(plugin, begun).status_code == 404
    assert len(residents.house.clients.list()) == clients


def test_the_same_user_needs_no_click(residents: Residents) -> None:
    with residents.http() as plugin:
        begun = ask(plugin, vault=str(residents.house.vaults / "personal"), scopes=["search", "manage"])
        assert prove(residents, plugin, begun).json() == {"state": "approved"}
        token = collect(plugin, begun).json()["token"]
    assert seen(residents, token) == ["personal"]


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_vault_that_is_reached_by_a_link_is_known_as_the_clients_own(residents: Residents, tmp_path: Path) -> None:
    link = tmp_path / "My notes"
    link.symlink_to(residents.house.vaults / "personal")
    with residents.http() as plugin, residents.http(residents.owner) as owner:
        begun = ask(plugin, vault=str(link))
        prove(residents, plugin, begun)
        token = collect(plugin, begun).json()["token"]
        profiles = owner.get("/v1/profiles").json()["profiles"]
    assert not any(vault["own"] for found in profiles for vault in found["vaults"])
    with residents.http(token) as paired:
        (profile,) = paired.get("/v1/profiles").json()["profiles"]
    assert (profile["name"], [vault["own"] for vault in profile["vaults"]]) == ("personal", [True])


@pytest.mark.parametrize(("proof", "status"), [("", 400), ("0" * 64, 403), ("é", 403)])
def test_a_wrong_proof_ends_the_request_and_none_at_all_leaves_it(
    residents: Residents, proof: str, status: int
) -> None:
    with residents.http() as plugin:
        begun = ask(plugin, vault="work")
        assert plugin.post(f"/v1/pairing/{begun['id']}/proof", json={"proof": proof}).status_code == status
        assert collect(plugin, begun).status_code == (404 if proof else 200)
        assert prove(residents, plugin, begun).is_success is not bool(proof)


def test_a_manager_approves_no_more_than_it_has(residents: Residents) -> None:
    with residents.http() as plugin, residents.http(residents.manager) as manager:
        begun = ask(plugin, vault="work")
        assert approve(manager, begun["id"], profiles="all").status_code == 403
        assert approve(manager, begun["id"], profiles=["personal"]).json()["code"] == "profile-not-found"
        assert approve(manager, begun["id"]).status_code == 200
        token = collect(plugin, begun).json()["token"]
    assert seen(residents, token) == ["work"]


@pytest.mark.parametrize("vault", ["personal", "nobody's", None])
def test_a_manager_of_some_profiles_neither_sees_nor_decides_requests_of_others(
    residents: Residents, vault: str | None
) -> None:
    with residents.http() as plugin, residents.http(residents.manager) as manager:
        begun = ask(plugin, vault=vault)
        assert begun["code"] not in manager.get("/v1/pairing").text
        for name in (begun["id"], begun["code"], "0" * 16):
            for yes in (True, False):
                decided = approve(manager, name, yes=yes)
                assert (decided.status_code, decided.json()["code"]) == (404, "pairing-not-found")
        with residents.http(residents.owner) as owner:
            assert begun["code"] in owner.get("/v1/pairing").text


def test_clients_are_listed_renamed_rotated_and_revoked(residents: Residents) -> None:
    with residents.http(residents.owner) as owner:
        made = owner.post("/v1/clients", json={"name": "script", "profiles": ["work"]}).json()
        client_id = made["client"]["id"]
        renamed = owner.post(f"/v1/clients/{client_id}", json={"name": "nightly", "profiles": "all"}).json()
        assert (renamed["name"], renamed["all_profiles"], renamed["last_used"]) == ("nightly", True, None)
        rotated = owner.post(f"/v1/clients/{client_id}/rotate", json={}).json()
        with residents.http(made["token"]) as old, residents.http(rotated["token"]) as new:
            assert old.get("/v1/status").status_code == 401
            assert new.get("/v1/status").status_code == 200
            assert owner.delete(f"/v1/clients/{client_id}").json() == {"done": True}
            assert new.get("/v1/status").status_code == 401
        assert "nightly" not in owner.get("/v1/clients").text
        assert owner.delete(f"/v1/clients/{client_id}").status_code == 404
