"""No reply ever holds a byte of a profile that its client may not see, whatever was done before, in whatever order."""

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from scrubjay.profiles.registry.keys import Protection
from scrubjay.profiles.store import reads
from tests.integration.profiles.estate import COMMON, Estate, Holding, Seer, open_estate

MOST_PROFILES, MOST_CLIENTS = 5, 4
NOBODY = "Never was"

PLAIN = ("/v1/status", "/v1/profiles", "/v1/credentials", "/v1/clients", "/v1/pairing", "/v1/history", "/metrics")
LISTS = (
    "/v1/recent?limit=100",
    "/v1/notes?limit=100",
    "/v1/journal",
    "/v1/timeline?since=2000-01-01&until=2100-01-01",
    "/v1/suggest?kind=tag",
    "/v1/suggest?kind=folder",
    "/v1/suggest?kind=property",
)


class Isolation(RuleBasedStateMachine):
    """Profiles and clients come, change and go; after each step somebody looks around."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.typed: set[str] = set()
        folder = Path(tempfile.mkdtemp(prefix="estate-"))
        self.stack.callback(shutil.rmtree, folder)
        self.estate: Estate = self.stack.enter_context(open_estate(folder))
        first, second = self.estate.settle("none"), self.estate.settle("keyring")
        self.estate.admit({first.id}, ("search", "journal", "manage"))
        self.estate.admit({first.id, second.id}, ("search",))

    def teardown(self) -> None:
        self.stack.close()

    # What happens

    @precondition(lambda self: len(self.existing()) < MOST_PROFILES)
    @rule(protection=st.sampled_from(["none", "none", "keyring"]))
    def a_profile_is_made(self, protection: Protection) -> None:
        self.estate.settle(protection)

    @precondition(lambda self: len(self.existing()) > 1)
    @rule(data=st.data())
    def a_profile_is_removed(self, data: st.DataObject) -> None:
        holding = self.any_holding(data)
        self.estate.engine.profile_sync.forget(holding.name)
        # What it held must stay unseen even now.
        holding.id, holding.locked = "", True

    @rule(data=st.data())
    def a_profile_is_renamed(self, data: st.DataObject) -> None:
        holding = self.any_holding(data)
        name = f"Name{next(self.estate.numbers)}x"
        self.estate.engine.registry.rename(holding.name, name)
        self.estate.engine.profile_sync.sync()
        holding.name = name
        holding.marks.add(name)

    @precondition(lambda self: len(self.existing()) > 1)
    @rule(data=st.data())
    def two_profiles_exchange_names(self, data: st.DataObject) -> None:
        one, other = self.any_holding(data), self.any_holding(data)
        if one is other:
            return
        registry, names = self.estate.engine.registry, (one.name, other.name)
        registry.rename(one.name, "aside")
        registry.rename(names[1], names[0])
        registry.rename("aside", names[1])
        self.estate.engine.profile_sync.sync()
        other.name, one.name = names
        for holding in (one, other):  # neither name tells any more which of the two is meant
            holding.marks -= set(names)

    @rule(data=st.data())
    def settings_are_spoilt_and_mended_again(self, data: st.DataObject) -> None:
        holding, seer, engine = self.any_holding(data), self.any_seer(data), self.estate.engine
        settings_file = engine.registry.folder_of(engine.registry.get(holding.name)) / "profile.toml"
        whole = settings_file.read_bytes()
        settings_file.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1), "cut at")])
        engine.profile_sync.sync()
        for path in PLAIN + LISTS:
            self.check(seer, seer.http.get(path))
        self.check(seer, seer.http.post("/v1/search", json={"query": COMMON, "limit": 100}))
        settings_file.write_bytes(whole)
        engine.profile_sync.sync()
        store = engine.open_profiles.stores().get(holding.name)
        if store is not None and not store.counts().notes:  # what was left named no folder: its notes went at once
            self.estate.index(engine.registry.get(holding.name))

    @rule(data=st.data(), federate=st.booleans())
    def a_profile_is_switched(self, data: st.DataObject, federate: bool) -> None:
        holding = self.any_holding(data)
        registry = self.estate.engine.registry
        registry.change(registry.get(holding.name).id, lambda now: msgspec.structs.replace(now, federate=federate))
        self.estate.engine.profile_sync.sync()
        holding.federate = federate

    @rule(data=st.data(), lock=st.booleans())
    def a_profile_is_locked_or_unlocked(self, data: st.DataObject, lock: bool) -> None:
        holding = self.any_holding(data)
        engine = self.estate.engine
        profile = engine.registry.get(holding.name)
        if lock:
            engine.custody.lock(profile)
        else:
            engine.custody.unlock(profile)
        engine.profile_sync.sync(retry=profile.id)
        holding.locked = lock

    @rule(data=st.data(), protection=st.sampled_from(["none", "keyring"]))
    def a_profile_is_protected_otherwise(self, data: st.DataObject, protection: Protection) -> None:
        holding = self.any_holding(data)
        if not holding.locked and (protection != "none" or self.estate.engine.registry.get(holding.name).encrypted):
            self.estate.protect(holding, protection)

    @rule(data=st.data())
    def an_index_is_damaged_and_built_anew(self, data: st.DataObject) -> None:
        holding, engine = self.any_holding(data), self.estate.engine
        profile = engine.registry.get(holding.name)
        if holding.locked or profile.encrypted:
            return
        engine.custody.lock(profile)
        engine.profile_sync.sync()
        engine.registry.store_path(profile).write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
        engine.custody.unlock(profile)
        engine.profile_sync.sync(retry=profile.id)
        self.estate.index(engine.registry.get(holding.name))

    @precondition(lambda self: len(self.estate.seers) < MOST_CLIENTS)
    @rule(data=st.data(), scopes=st.sampled_from([("search",), ("search", "journal"), ("search", "journal", "manage")]))
    def a_client_is_let_in(self, data: st.DataObject, scopes: Any) -> None:
        self.estate.admit(self.some_ids(data), scopes)

    @rule(data=st.data())
    def a_client_gets_other_profiles(self, data: st.DataObject) -> None:
        seer = self.any_seer(data)
        seer.sees = self.some_ids(data)
        self.estate.clients.update(seer.id, profiles=tuple(sorted(seer.sees)))

    @rule(data=st.data())
    def something_is_remembered(self, data: st.DataObject) -> None:
        seer, holding = self.any_seer(data), self.any_holding(data)
        mark = next(mark for mark in holding.marks if mark.startswith("Journal"))
        reply = seer.http.post("/v1/journal", json={"text": f"{COMMON} {mark}", "profile": holding.name})
        if holding.id not in seer.sees:
            assert reply.status_code in (403, 404)
            self.same_as_unknown(seer, "/v1/journal", {"text": "x", "profile": holding.name}, "profile")

    # Somebody looks

    @rule(data=st.data(), mode=st.sampled_from(["hybrid", "lexical", "semantic"]))
    def a_client_searches_all(self, data: st.DataObject, mode: str) -> None:
        seer = self.any_seer(data)
        reply = seer.http.post("/v1/search", json={"query": COMMON, "mode": mode, "limit": 100})
        self.check(seer, reply)
        seen = [holding for holding in self.existing() if holding.id in seer.sees]
        scope = seen if len(seen) == 1 else [holding for holding in seen if holding.federate]
        if not scope:
            assert reply.json()["code"] == "no-profiles"
            return
        answer = reply.json()
        assert {hit["profile"] for hit in answer["results"]} == {one.name for one in scope if not one.locked}
        assert {each["profile"] for each in answer["unanswered"]} == {one.name for one in scope if one.locked}

    @rule(data=st.data(), path=st.sampled_from(PLAIN + LISTS))
    def a_client_reads(self, data: st.DataObject, path: str) -> None:
        seer = self.any_seer(data)
        self.check(seer, seer.http.get(path))

    @rule(data=st.data())
    def a_client_reaches_for_what_it_may_not_see(self, data: st.DataObject) -> None:
        seer = self.any_seer(data)
        hidden = [holding for holding in self.estate.hidden_from(seer) if holding.id]
        if not hidden:
            return
        other = data.draw(st.sampled_from(hidden), "other")
        self.same_as_unknown(seer, "/v1/search", {"query": COMMON, "profiles": [other.name]}, "profiles")
        self.same_as_unknown(seer, "/v1/context", {"prompt": COMMON, "profiles": [other.name]}, "profiles")
        self.same_as_unknown(seer, "/v1/journal/recall", {"query": COMMON, "profiles": [other.name]}, "profiles")
        self.same_as_unknown(seer, "/v1/index", {"profile": other.name}, "profile")
        self.same_as_unknown(
            seer, "/v1/verify", {"quote": COMMON, "path": other.path, "profile": other.name}, "profile"
        )
        number = other.word.removeprefix("word")
        place = {"vault": f"Vault{number}", "path": f"Folder{number}/Title{number}.md"}
        for words in (
            other.word,
            f"{COMMON} profile:{other.name}",
            f"{COMMON} vault:{place['vault']}",
            f"-{other.word}",
        ):
            self.check(seer, seer.http.post("/v1/search", json={"query": words, "explain": True}))
            self.check(seer, seer.http.post("/v1/context", json={"prompt": words}))
        self.check(seer, seer.http.get("/v1/related", params=place))
        self.check(seer, seer.http.post("/v1/explain", json={"query": other.word, "path": place["path"]}))
        for path in self.of_a_passage(other):
            self.check(seer, seer.http.get(path))
        for path in (f"/v1/profiles/{other.id}", f"/v1/profiles/{other.id}/lock", f"/v1/profiles/{other.id}/unlock"):
            unknown = path.replace(other.id, "0" * 12)
            assert said(seer.http.post(path, json={})) == said(seer.http.post(unknown, json={}))
        assert self.estate.engine.registry.get(other.name).id == other.id

    # Checks and choices

    def check(self, seer: Seer, reply: httpx.Response) -> None:
        """Nothing of what the client may not see is in the reply, not even of what is no longer there."""
        assert reply.status_code < 500, reply.text
        for holding in self.estate.hidden_from(seer):
            # A manager sees queries that were typed, its own among them.
            for mark in holding.marks - (self.typed if reply.request.url.path == "/v1/history" else set()):
                assert mark.encode() not in reply.content, f"{reply.request.url} tells of a hidden profile: {mark}"

    def same_as_unknown(self, seer: Seer, path: str, body: dict[str, Any], field: str) -> None:
        """A profile that may not be seen and one that never was give the same answer."""
        reply = seer.http.post(path, json=body)
        self.check(seer, reply)
        unknown = [NOBODY] if isinstance(body[field], list) else NOBODY
        assert said(reply) == said(seer.http.post(path, json=body | {field: unknown}))
        assert reply.status_code >= 400

    def of_a_passage(self, other: Holding) -> Sequence[str]:
        stores = self.estate.engine.open_profiles.stores()
        if other.name not in stores:
            return ()
        note = stores[other.name].read(reads.recent, 1)[0]
        short = stores[other.name].read(reads.note_chunks, note.note_id)[0].digest.hex()[:12]
        return (f"/v1/chunks/{short}", f"/v1/chunks?ids={short}", f"/v1/notes/{short}", f"/v1/traverse?id={short}")

    def existing(self) -> list[Holding]:
        return [holding for holding in self.estate.holdings.values() if holding.id]

    def any_holding(self, data: st.DataObject) -> Holding:
        return data.draw(st.sampled_from(self.existing()), "profile")

    def any_seer(self, data: st.DataObject) -> Seer:
        return data.draw(st.sampled_from(self.estate.seers), "client")

    def some_ids(self, data: st.DataObject) -> set[str]:
        # Places in the order of making: ids are drawn at random, and would lead each run another way.
        existing = self.existing()
        places = data.draw(st.sets(st.integers(0, len(existing) - 1), max_size=3), "sees")
        return {existing[place].id for place in places}


def said(reply: httpx.Response) -> tuple[int, str, str]:
    problem = reply.json()
    return reply.status_code, problem["code"], problem["detail"]


def run(examples: int, *, anew: bool) -> None:
    run_state_machine_as_test(
        Isolation,
        settings=settings(
            max_examples=examples,
            stateful_step_count=50,
            deadline=None,
            derandomize=not anew,
            phases=(Phase.generate,),  # the steps are printed; to shorten them would take many minutes
            suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
        ),
    )


def test_no_reply_holds_a_byte_of_a_hidden_profile() -> None:
    run(examples=2, anew=False)


@pytest.mark.slow
def test_no_reply_holds_a_byte_of_a_hidden_profile_whatever_happened_to_it() -> None:
    """Twenty other lives each time, rather than ever the same two hundred."""
    run(examples=20, anew=True)
