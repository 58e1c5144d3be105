"""One function a check: it looks at one thing and says how it is."""

import hashlib
import importlib.metadata
import os
import platform
import shutil
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, cast

import apsw
import keyring
import keyring.backends.fail
import keyring.errors
import sqlite_vec  # pyright: ignore[reportMissingTypeStubs] (it has none)

from scrubjay.daemon.client import NotRunning, Stranger, running
from scrubjay.daemon.embedding.model import BUNDLED, ModelNotAvailable, resolve
from scrubjay.daemon.errors import ScrubjayError, UsageError
from scrubjay.daemon.home import Home
from scrubjay.daemon.settings import load_settings
from scrubjay.daemon.user_rules import read_user_rules
from scrubjay.daemon.vault import watch_limit
from scrubjay.daemon.vault.filesystems import mounts, way_of
from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.registry.registry import DATABASE, Registry

Verdict: TypeAlias = Literal["good", "weak", "bad"]

_PYTHON = (3, 11)
_DISK_BYTES = 500_000_000
_INOTIFY_LIMITS = (Path("/proc/sys/fs/inotify/max_user_watches"), Path("/proc/sys/user/max_inotify_watches"))
_EPOCH_2025 = 1_735_689_600  # before this the clock is surely wrong


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing is. `advice` says what to do; empty when there is nothing to do."""

    about: str
    verdict: Verdict
    seen: str
    advice: str = ""


def python(_: Home) -> Finding:
    """Python is new enough."""
    seen = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info >= _PYTHON:
        return Finding("Python", "good", seen)
    return Finding("Python", "bad", seen, "Install Python 3.11 or newer.")


def sqlite(_: Home) -> Finding:
    """SQLite has full-text search, encryption and the vector extension."""
    connection = apsw.Connection(":memory:")
    typed = cast("Connection", connection)
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        version = typed.execute("SELECT vec_version()").get
        typed.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
    except apsw.Error as error:
        advice = "Reinstall apsw-sqlite3mc and sqlite-vec: their builds do not fit this machine."
        return Finding("SQLite", "bad", type(error).__name__, advice)
    finally:
        connection.close()
    return Finding("SQLite", "good", f"{apsw.sqlite_lib_version()}, sqlite-vec {version}, encryption built in")


def model(_: Home) -> Finding:
    """The bundled model is whole."""
    if BUNDLED.path is None or not (BUNDLED.path / "model.onnx").is_file():
        return Finding("Model", "bad", "missing", "Reinstall Scrubjay: its package holds the model.")
    sums = (BUNDLED.path / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    damaged = [name for want, name in map(str.split, sums) if _sha256(BUNDLED.path / name) != want]
    if damaged:
        return Finding("Model", "bad", f"{', '.join(damaged)} damaged", "Reinstall Scrubjay: its package holds it.")
    runtime = importlib.metadata.version("onnxruntime")
    return Finding("Model", "good", f"{BUNDLED.name}, {BUNDLED.dim} dimensions, onnxruntime {runtime}")


def downloaded_models(home: Home) -> Finding:
    """The models that profiles name are here."""
    missing: dict[str, str] = {}
    named = sorted({profile.model for profile in Registry(home.profiles).list()})
    for name in named:
        try:
            resolve(name, home.models)
        except ModelNotAvailable as error:
            missing[name] = str(error)
    if missing:
        return Finding("Models", "weak", f"not here: {', '.join(missing)}", " ".join(missing.values()))
    return Finding("Models", "good", ", ".join(named) or "none needed yet")


def secret_store(_: Home) -> Finding:
    """There is an OS keyring."""
    try:
        backend = keyring.get_keyring()
    except keyring.errors.KeyringError as error:
        return Finding("Keyring", "weak", type(error).__name__, "Tokens are kept in a file that only you can read.")
    if isinstance(backend, keyring.backends.fail.Keyring):
        advice = "Fine on a headless machine: your token is kept in a file that only you can read."
        return Finding("Keyring", "weak", "none", advice)
    return Finding("Keyring", "good", type(backend).__module__.rsplit(".", maxsplit=1)[-1])


def folders(home: Home) -> Finding:
    """Scrubjay's own folders can be written and are nobody else's."""
    for folder in (home.config, home.data, home.state, home.cache):
        if not folder.exists():
            continue
        if not os.access(folder, os.W_OK):
            return Finding("Folders", "bad", f"{folder} can't be written", f"Make {folder} yours: chown, chmod 700.")
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            return Finding("Folders", "weak", f"{folder} can be read by others", f"chmod 700 {folder}")
    return Finding("Folders", "good", str(home.data))


def disk(home: Home) -> Finding:
    """There is room for the indexes."""
    place = next(folder for folder in (home.data, *home.data.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    seen = f"{free / 1e9:.1f} GB free"
    if free >= _DISK_BYTES:
        return Finding("Disk", "good", seen)
    return Finding("Disk", "bad", seen, "An index takes about 5 kB a passage. Make room.")


def clock(_: Home) -> Finding:
    """The clock is plausible; tickets and `modified:` depend on it."""
    now = time.time()
    if now > _EPOCH_2025:
        return Finding("Clock", "good", time.strftime("%Y-%m-%d %H:%M", time.localtime(now)))
    return Finding("Clock", "bad", time.strftime("%Y-%m-%d", time.localtime(now)), "Set the clock.")


def settings(home: Home) -> Finding:
    """The settings and the user's own rules can be read."""
    try:
        load_settings(home.settings)
    except UsageError as error:
        return Finding("Settings", "bad", "settings.toml can't be read", str(error))
    refused = read_user_rules(home.user_rules)[1]
    if refused:
        return Finding("Settings", "weak", f"{len(refused)} credential rules refused", "; ".join(map(str, refused)))
    return Finding("Settings", "good", str(home.config))


def profiles(home: Home) -> Finding:
    """The settings of every profile can be read."""
    survey = Registry(home.profiles).survey()
    if survey.unreadable:
        named = ", ".join(one.name for one in survey.unreadable)
        return Finding("Profiles", "bad", f"closed: {named}", " ".join(one.reason for one in survey.unreadable))
    return Finding("Profiles", "good", f"{len(survey.profiles)} can be read")


def vaults(home: Home) -> Finding:
    """The vaults of the profiles are there and can be read."""
    roots = [vault.root for profile in Registry(home.profiles).list() for vault in profile.vaults]
    missing = [root for root in roots if not Path(root).is_dir()]
    closed = [root for root in roots if root not in missing and not os.access(root, os.R_OK | os.X_OK)]
    if missing:
        advice = "Connect the drive, or say where it is now: scrubjay profile move. Its notes stay until then."
        return Finding("Vaults", "weak", f"not there: {', '.join(missing)}", advice)
    if closed:
        return Finding("Vaults", "bad", f"can't be read: {', '.join(closed)}", "Give yourself the right to read them.")
    mounted = mounts()
    silent = [root for root in roots if way_of(Path(root), mounted) != "events"]
    if silent:
        advice = "Fine: it does not tell of all changes, so it is looked at every half minute."
        return Finding("Vaults", "weak", f"on a network drive or the like: {', '.join(silent)}", advice)
    return Finding("Vaults", "good", f"{len(roots)} there" if roots else "none yet")


def damage(home: Home) -> Finding:
    """Indexes that were set aside as damaged, which only take up room once their place is taken."""
    aside = sorted(home.profiles.glob(f"*/{DATABASE}.damaged-*"))
    if not aside:
        return Finding("Damage", "good", "no index was set aside")
    size = sum(file.stat().st_size for file in aside)
    advice = "Built anew since. If it happens again, have the disk checked; delete these when you need them no more."
    return Finding("Damage", "weak", f"set aside ({size / 1e6:.1f} MB): {', '.join(map(str, aside))}", advice)


def watches(home: Home) -> Finding:
    """The system lets us watch as many folders as the profiles allow."""
    if not _INOTIFY_LIMITS[0].exists():
        return Finding("Watching", "good", f"by {platform.system()}'s own events")
    limit = min(int(place.read_text()) for place in _INOTIFY_LIMITS if place.exists())
    allowed = {
        Path(vault.root) / path
        for profile in Registry(home.profiles).list()
        for vault in profile.vaults
        for path in vault.allow
    }
    needed = sum(_folders_below(folder) for folder in allowed)
    seen = f"{needed:,} folders of at most {limit:,}"
    is_reached = any(watch_limit.is_reached(folder) for folder in allowed)
    if needed < limit // 2 and not is_reached:
        return Finding("Watching", "good", seen)
    advice = "sudo sysctl fs.inotify.max_user_watches=1048576. Until then, changes are looked for every half minute."
    seen = f"{seen}: the limit is reached" if is_reached else seen
    return Finding("Watching", "bad" if is_reached or needed >= limit else "weak", seen, advice)


def port(home: Home) -> Finding:
    """The daemon answers, or its port is free."""
    try:
        found = running(home)
    except NotRunning:
        wanted = load_settings(home.settings).port
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", wanted))
            except OSError:
                return Finding("Port", "bad", f"{wanted} is taken", "Set another `port` in settings.toml.")
        return Finding("Port", "good", f"{wanted} is free; the daemon is not running")
    except Stranger as error:
        return Finding("Port", "bad", "another program answers", str(error))
    return Finding("Port", "good", f"the daemon answers at {found.url}")


CHECKS: tuple[Callable[[Home], Finding], ...] = (
    python,
    sqlite,
    model,
    downloaded_models,
    secret_store,
    folders,
    disk,
    clock,
    settings,
    profiles,
    vaults,
    damage,
    watches,
    port,
)


def examine(home: Home) -> tuple[Finding, ...]:
    """Run every check. One that fails itself is a finding too."""
    return tuple(_examined(check, home) for check in CHECKS)


def _examined(check: Callable[[Home], Finding], home: Home) -> Finding:
    try:
        return check(home)
    except Exception as error:  # noqa: BLE001 - a doctor that falls ill at the first oddity helps nobody
        known = isinstance(error, (ScrubjayError, ProfileError))
        advice = str(error) if known else "This can't be told here; `scrubjay doctor --report` helps others to say why."
        return Finding(check.__name__.replace("_", " ").capitalize(), "bad", type(error).__name__, advice)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _folders_below(root: Path) -> int:
    return sum(1 for _ in os.walk(root))
