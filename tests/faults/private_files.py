"""Every private file there is: what writes it, and how to tell whether it is whole."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import Installed, downloaded, record_path, write_record
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.identity import Identity, read_discovery, write_discovery
from scrubjay.daemon.server.access.last_seen import SeenTimes
from scrubjay.daemon.server.access.own_token import FileTokenStore
from scrubjay.daemon.server.access.pairing import pairing_key
from scrubjay.daemon.server.access.sessions import Sessions
from scrubjay.daemon.server.access.tickets import write_page_file
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.registry import Registry

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TOKEN = "t" * 46
MODEL = Installed("a/model", 384, 256, "", "", "0" * 64, "folder")


@dataclass(frozen=True, slots=True)
class Private:
    """A private file: where it is, what writes it, and whether it is whole."""

    path: Callable[[Home], Path]
    write: Callable[[Home], object]
    is_whole: Callable[[Home], bool]
    is_key: bool = False  # what is damaged is made anew


def seen(home: Home) -> SeenTimes:
    return SeenTimes(home.data / "clients-seen.json", lambda: NOW)


def note_seen(home: Home) -> None:
    times = seen(home)
    times.note("abcd1234")
    times.write()


def open_page(home: Home) -> None:
    sessions = Sessions(home.state, "one")
    sessions.redeem(sessions.mint_ticket("abcd1234"), 8642)


def toggle_profile(home: Home) -> None:
    registry = Registry(home.profiles)
    for profile in registry.list():
        registry.change(profile.id, lambda now: msgspec.structs.replace(now, federate=not now.federate))
        return
    registry.create("one")


def profile_file(home: Home) -> Path:
    folders = [folder for folder in home.profiles.glob("*") if folder.is_dir()]
    return (folders or [home.profiles / "none yet"])[0] / "profile.toml"


FILES = {
    "pairing.key": Private(
        lambda home: home.state / "pairing.key",
        lambda home: pairing_key(home.state),
        lambda home: len((home.state / "pairing.key").read_bytes()) == 64,
        is_key=True,
    ),
    "installation.key": Private(
        lambda home: home.data / "installation.key",
        lambda home: Preparation(home, Settings(), Scheduler()).close(),
        lambda home: len((home.data / "installation.key").read_bytes()) == 32,
        is_key=True,
    ),
    "clients.json": Private(
        lambda home: home.clients,
        lambda home: ClientRegistry(home.clients).create("one"),
        lambda home: len(ClientRegistry(home.clients).list()) > 0,
    ),
    "clients-seen.json": Private(
        lambda home: home.data / "clients-seen.json", note_seen, lambda home: seen(home).all() == {"abcd1234": NOW}
    ),
    "token": Private(
        lambda home: home.state / "token",
        lambda home: FileTokenStore(home.state).put("abcd1234", TOKEN),
        lambda home: FileTokenStore(home.state).get("abcd1234") == TOKEN,
    ),
    "session.key": Private(
        lambda home: home.state / "session.key",
        open_page,
        lambda home: len((home.state / "session.key").read_bytes()) == 32,
        is_key=True,
    ),
    "sessions.json": Private(
        lambda home: home.state / "sessions.json",
        open_page,
        lambda home: len(Sessions(home.state, "one").list()) > 0,
    ),
    "scrubjay.html": Private(
        lambda home: home.page,
        lambda home: write_page_file(home.page, "http://127.0.0.1:1", "s" * 64),
        lambda home: home.page.read_text().endswith("</script>\n"),
    ),
    "profile.toml": Private(
        profile_file, toggle_profile, lambda home: [one.name for one in Registry(home.profiles).list()] == ["one"]
    ),
    "a model's record": Private(
        lambda home: record_path(home.models, MODEL.name),
        lambda home: write_record(MODEL, home.models),
        lambda home: downloaded(home.models) == (MODEL,),
    ),
    "daemon.json": Private(
        lambda home: home.discovery,
        lambda home: write_discovery(home.discovery, Identity.new("1").discovery(1, 1)),
        lambda home: read_discovery(home.discovery) is not None,
    ),
}
