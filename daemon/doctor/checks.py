"""What could keep Scrubjay from working here, each looked at by itself."""

import hashlib
import importlib.metadata
import json
import os
import platform
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, cast

import apsw

from scrubjay.daemon import __version__
from scrubjay.daemon.answers.model_server import server_of, taken_by_another
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.documents.extracted import Reason, unreadable
from scrubjay.daemon.documents.sandbox.box import Box, can_recognise
from scrubjay.daemon.documents.sandbox.confinement import in_words, missing
from scrubjay.daemon.engine.open_profiles import admitted
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import BUNDLED, ModelNotAvailable, resolve
from scrubjay.daemon.server.endpoints.status import STATUS, BoxStatus
from scrubjay.daemon.settings import load_settings
from scrubjay.daemon.transport import UnverifiedDaemon, running
from scrubjay.daemon.updates import parsed
from scrubjay.daemon.user_rules import read_user_rules
from scrubjay.daemon.vault.watch_method import mounts, watch_limit_is_reached, watch_method
from scrubjay.profiles import os_keyring
from scrubjay.profiles.errors import ProfileError, ScrubjayError, UsageError
from scrubjay.profiles.os_keyring import KeyringFails
from scrubjay.profiles.registry.keys import Custody, OsKeyring
from scrubjay.profiles.registry.registry import DATABASE, Registry
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store.sqlite import load_vectors
from scrubjay.profiles.store.statements import FileConnection

CheckVerdict: TypeAlias = Literal["good", "weak", "bad"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How one thing is. `advice` says what to do; empty when there is nothing to do."""

    about: str
    verdict: CheckVerdict
    seen: str
    advice: str = ""


MANIFEST = Path(".obsidian") / "plugins" / "scrubjay" / "manifest.json"
"""Below a vault, where the plugin is installed."""


def plugin(home: Home) -> CheckResult:
    """The plugin in each vault has this version."""
    roots = dict.fromkeys(Path(vault.root) for profile in Registry(home.profiles).list() for vault in profile.vaults)
    found = dict(_versions(roots))
    other = {root: version for root, version in found.items() if version != __version__}
    if not other:
        return CheckResult("Plugin", "good", f"{__version__} in each of {len(found)}" if found else "in no vault")
    seen = f"this is {__version__}; {', '.join(f'{version} in {root}' for root, version in other.items())}"
    if any(is_later(version) for version in other.values()):
        return CheckResult(
            "Plugin", "weak", seen, "The plugin is newer. `scrubjay update` says how to update Scrubjay."
        )
    advice = " ".join(f'scrubjay plugin install "{root}"' for root in other)
    return CheckResult("Plugin", "weak", seen, f"{advice} and reload Obsidian.")


def is_later(version: str) -> bool:
    """Whether a version is after the one that runs; what can't be read as one is not."""
    try:
        return parsed(version) > parsed(__version__)
    except ValueError:
        return False


def _versions(roots: Iterable[Path]) -> Iterable[tuple[Path, str]]:
    for root in roots:
        try:
            said = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(said, dict) and isinstance(version := said.get("version"), str):  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            yield root, version


_SECONDS = 5.0
_CLOCK_SECONDS = 300.0


def teams(home: Home) -> CheckResult:
    """The servers of teams' profiles answer, and their clocks are this computer's."""
    found = Registry(home.profiles)
    profiles = [profile for profile in found.list() if profile.is_shared]
    if not profiles:
        return CheckResult("Teams", "good", "no profile is on a server")
    custody = Custody(found, OsKeyring())
    trouble: dict[str, str] = {}
    ahead: dict[str, float] = {}  # by server
    for profile in profiles:
        if not profile.locked and profile.passphrase is None:
            try:
                ahead[ServerAddress.parse(profile.server).server] = admitted(profile, custody, _SECONDS).seconds_ahead
            except ProfileError as error:
                trouble[profile.name] = str(error)
    if trouble:
        return CheckResult("Teams", "weak", f"not to be searched now: {', '.join(trouble)}", " ".join(trouble.values()))
    for server, seconds in ahead.items():
        if abs(seconds) > _CLOCK_SECONDS:
            said = f"this computer's clock is {abs(seconds) / 60:.0f} minutes {'ahead of' if seconds > 0 else 'behind'}"
            return CheckResult("Teams", "weak", f"{said} that of {server}", "Set the clock: dates tell what is newer.")
    servers = dict.fromkeys(ServerAddress.parse(profile.server).server for profile in profiles)
    return CheckResult("Teams", "good", f"{len(profiles)} on {', '.join(servers)}")


_PYTHON = (3, 11)
_DISK_BYTES = 500_000_000
_INOTIFY_LIMITS = (Path("/proc/sys/fs/inotify/max_user_watches"), Path("/proc/sys/user/max_inotify_watches"))
_EPOCH_2025 = 1_735_689_600  # before this the clock is surely wrong


def python(_: Home) -> CheckResult:
    """Python is new enough."""
    seen = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info >= _PYTHON:
        return CheckResult("Python", "good", seen)
    return CheckResult("Python", "bad", seen, "Install Python 3.11 or newer.")


def sqlite(_: Home) -> CheckResult:
    """SQLite has full-text search, encryption and the vector extension."""
    connection = apsw.Connection(":memory:")
    typed = cast("FileConnection", connection)
    try:
        load_vectors(typed)
        version = typed.execute("SELECT vec_version()").get
        typed.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
    except apsw.Error as error:
        advice = "Reinstall apsw-sqlite3mc and sqlite-vec: their builds do not fit this machine."
        return CheckResult("SQLite", "bad", type(error).__name__, advice)
    finally:
        connection.close()
    return CheckResult("SQLite", "good", f"{apsw.sqlite_lib_version()}, sqlite-vec {version}, encryption built in")


def model(_: Home) -> CheckResult:
    """The bundled model is whole."""
    if BUNDLED.path is None or not (BUNDLED.path / "model.onnx").is_file():
        return CheckResult("Model", "bad", "missing", "Reinstall Scrubjay: its package holds the model.")
    sums = (BUNDLED.path / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    damaged = [name for want, name in map(str.split, sums) if _sha256(BUNDLED.path / name) != want]
    if damaged:
        return CheckResult("Model", "bad", f"{', '.join(damaged)} damaged", "Reinstall Scrubjay: its package holds it.")
    runtime = importlib.metadata.version("onnxruntime")
    return CheckResult("Model", "good", f"{BUNDLED.name}, {BUNDLED.dim} dimensions, onnxruntime {runtime}")


def downloaded_models(home: Home) -> CheckResult:
    """The models that profiles name are here."""
    missing: dict[str, str] = {}
    named = sorted({profile.model for profile in Registry(home.profiles).list()})
    for name in named:
        try:
            resolve(name, home.models)
        except ModelNotAvailable as error:
            missing[name] = str(error)
    if missing:
        return CheckResult("Models", "weak", f"not here: {', '.join(missing)}", " ".join(missing.values()))
    return CheckResult("Models", "good", ", ".join(named) or "none needed yet")


def secret_store(_: Home) -> CheckResult:
    """There is an OS keyring."""
    try:
        found = os_keyring.backend()
    except KeyringFails as error:
        return CheckResult("Keyring", "weak", str(error), "Tokens are kept in a file that only you can read.")
    if found is None:
        advice = "Fine on a headless machine: your token is kept in a file that only you can read."
        return CheckResult("Keyring", "weak", "none", advice)
    return CheckResult("Keyring", "good", found)


def folders(home: Home) -> CheckResult:
    """Scrubjay's own folders can be written and are nobody else's."""
    for folder in (home.config, home.data, home.state, home.cache):
        if not folder.exists():
            continue
        if not os.access(folder, os.W_OK):
            return CheckResult(
                "Folders", "bad", f"{folder} can't be written", f"Make {folder} yours: chown, chmod 700."
            )
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            return CheckResult("Folders", "weak", f"{folder} can be read by others", f"chmod 700 {folder}")
    return CheckResult("Folders", "good", str(home.data))


def disk(home: Home) -> CheckResult:
    """There is room for the indexes."""
    place = next(folder for folder in (home.data, *home.data.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    seen = f"{free / 1e9:.1f} GB free"
    if free >= _DISK_BYTES:
        return CheckResult("Disk", "good", seen)
    return CheckResult("Disk", "bad", seen, "An index takes about 5 kB a passage. Make room.")


def clock(_: Home) -> CheckResult:
    """The clock is plausible; tickets and `modified:` depend on it."""
    now = time.time()
    if now > _EPOCH_2025:
        return CheckResult("Clock", "good", time.strftime("%Y-%m-%d %H:%M", time.localtime(now)))
    return CheckResult("Clock", "bad", time.strftime("%Y-%m-%d", time.localtime(now)), "Set the clock.")


def settings(home: Home) -> CheckResult:
    """The settings and the user's own rules can be read."""
    try:
        load_settings(home.settings)
    except UsageError as error:
        return CheckResult("Settings", "bad", "settings.toml can't be read", str(error))
    refused = read_user_rules(home.user_rules)[1]
    if refused:
        return CheckResult("Settings", "weak", f"{len(refused)} credential rules refused", "; ".join(map(str, refused)))
    return CheckResult("Settings", "good", str(home.config))


def profiles(home: Home) -> CheckResult:
    """The settings of every profile can be read."""
    survey = Registry(home.profiles).survey()
    if survey.unreadable:
        named = ", ".join(one.name for one in survey.unreadable)
        return CheckResult("Profiles", "bad", f"closed: {named}", " ".join(one.reason for one in survey.unreadable))
    return CheckResult("Profiles", "good", f"{len(survey.profiles)} can be read")


def vaults(home: Home) -> CheckResult:
    """The vaults of the profiles are there and can be read."""
    roots = [vault.root for profile in Registry(home.profiles).list() for vault in profile.vaults]
    missing = [root for root in roots if not Path(root).is_dir()]
    closed = [root for root in roots if root not in missing and not os.access(root, os.R_OK | os.X_OK)]
    if missing:
        advice = "Connect the drive, or say where it is now: scrubjay profile move. Its notes stay until then."
        return CheckResult("Vaults", "weak", f"not there: {', '.join(missing)}", advice)
    if closed:
        return CheckResult(
            "Vaults", "bad", f"can't be read: {', '.join(closed)}", "Give yourself the right to read them."
        )
    mounted = mounts()
    silent = [root for root in roots if watch_method(Path(root), mounted) != "events"]
    if silent:
        advice = "Fine: it does not tell of all changes, so it is looked at every half minute."
        return CheckResult("Vaults", "weak", f"on a network drive or the like: {', '.join(silent)}", advice)
    return CheckResult("Vaults", "good", f"{len(roots)} there" if roots else "none yet")


def damage(home: Home) -> CheckResult:
    """Indexes that were set aside, as damaged or by a restore, which only take up room once their place is taken."""
    found = (home.profiles.glob(f"*/{DATABASE}.{why}-*") for why in ("damaged", "before-restore"))
    aside = sorted(path for paths in found for path in paths)
    if not aside:
        return CheckResult("Damage", "good", "no index was set aside")
    size = sum(file.stat().st_size for file in aside)
    advice = "Built anew since. If it happens again, have the disk checked; delete these when you need them no more."
    return CheckResult("Damage", "weak", f"set aside ({size / 1e6:.1f} MB): {', '.join(map(str, aside))}", advice)


def watches(home: Home) -> CheckResult:
    """The system lets us watch as many folders as the profiles allow."""
    if not _INOTIFY_LIMITS[0].exists():
        return CheckResult("Watching", "good", f"by {platform.system()}'s own events")
    limit = min(int(place.read_text()) for place in _INOTIFY_LIMITS if place.exists())
    allowed = {
        Path(vault.root) / path
        for profile in Registry(home.profiles).list()
        for vault in profile.vaults
        for path in vault.allow
    }
    needed = sum(_folders_below(folder) for folder in allowed)
    seen = f"{needed:,} folders of at most {limit:,}"
    is_reached = any(watch_limit_is_reached(folder) for folder in allowed)
    if needed < limit // 2 and not is_reached:
        return CheckResult("Watching", "good", seen)
    advice = "sudo sysctl fs.inotify.max_user_watches=1048576. Until then, changes are looked for every half minute."
    seen = f"{seen}: the limit is reached" if is_reached else seen
    return CheckResult("Watching", "bad" if is_reached or needed >= limit else "weak", seen, advice)


def port(home: Home) -> CheckResult:
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
                return CheckResult("Port", "bad", f"{wanted} is taken", "Set another `port` in settings.toml.")
        return CheckResult("Port", "good", f"{wanted} is free; the daemon is not running")
    except UnverifiedDaemon as error:
        return CheckResult("Port", "bad", "another program answers", str(error))
    return CheckResult("Port", "good", f"the daemon answers at {found.url}")


def work(home: Home) -> CheckResult:
    """What the daemon does in the background goes well."""
    try:
        with ScrubjayClient.discover(home) as client:
            state = client.ask(STATUS)
    except ScrubjayError:
        return CheckResult("Work", "good", "not looked at: the daemon does not answer")
    failed = [each for each in state.profiles if each.reason and each.state not in ("paused", "locked")]
    advice = " ".join(dict.fromkeys((*(each.reason for each in failed), *state.warnings)))
    if failed:
        return CheckResult("Work", "bad", f"goes wrong: {', '.join(each.name for each in failed)}", advice)
    return CheckResult("Work", "weak", "with warnings", advice) if advice else CheckResult("Work", "good", "goes well")


def languages(home: Home) -> CheckResult:
    """The models read the languages of the notes."""
    try:
        with ScrubjayClient.discover(home) as client:
            found = [each.suggestion for each in client.ask(STATUS).profiles if each.suggestion]
    except ScrubjayError:
        return CheckResult("Languages", "good", "not looked at: the daemon does not answer")
    if found:
        named = ", ".join(dict.fromkeys(code for each in found for code in each.languages))
        return CheckResult("Languages", "weak", f"read badly: {named}", " ".join(each.text for each in found))
    return CheckResult("Languages", "good", "read well, as far as they are known")


def files(home: Home) -> CheckResult:
    """Files beside notes can be read, and pictures recognised where a profile wants that."""
    wanting = [profile.name for profile in Registry(home.profiles).list() if profile.files.ocr]
    if wanting and not can_recognise():
        return CheckResult("Files", "weak", "pictures are not recognised", unreadable(Reason.NO_OCR).sentence)
    try:
        with ScrubjayClient.discover(home) as client:
            kinds = [kind for profile in client.ask(STATUS).profiles for kind in profile.kinds]
    except ScrubjayError:
        return CheckResult("Files", "good", "not looked at: the daemon does not answer")
    unread = sum(kind.unread for kind in kinds)
    seen = f"{sum(kind.files for kind in kinds):,} beside notes, {unread:,} of them unreadable"
    return CheckResult("Files", "good", f"{seen}; `scrubjay status` says why" if unread else seen)


def box(home: Home) -> CheckResult:
    """The process that reads files beside notes is closed to the world: the daemon's, or one started to find out."""
    try:
        with ScrubjayClient.discover(home) as client:
            found = client.ask(STATUS).box
    except ScrubjayError:
        found = None
    found = found or _own_box(home)
    if found is None:
        return CheckResult("Box", "bad", "the process that reads files can't be started", "Install Scrubjay anew.")
    if found.missing:
        return CheckResult("Box", "weak", f"lacks {in_words(found.missing)}", found.sentence)
    return CheckResult("Box", "good", f"closed by {in_words(found.measures)}")


def _own_box(home: Home) -> BoxStatus | None:
    settings = load_settings(home.settings)
    trial = Box(lambda: settings.note_seconds)
    try:
        measures = trial.look()
    finally:
        trial.close()
    if measures is None:
        return None
    return BoxStatus(measures=measures, missing=missing(measures), required=settings.require_box)


def language_model(home: Home) -> CheckResult:
    """The port of a language model on this computer is nobody else's."""
    named = load_settings(home.settings).llm
    if not named.url:
        return CheckResult("Language model", "good", "none is named")
    server = server_of(named)
    if said := taken_by_another(server):
        return CheckResult("Language model", "bad", f"another user has the port of {server.address}", said)
    return CheckResult("Language model", "good", f"{server.model} at {server.address}")


CHECKS: tuple[Callable[[Home], CheckResult], ...] = (
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
    teams,
    vaults,
    plugin,
    damage,
    watches,
    port,
    work,
    languages,
    files,
    box,
    language_model,
)


def examine(home: Home) -> tuple[CheckResult, ...]:
    """Run every check. One that fails itself is a finding too."""
    return tuple(_examined(check, home) for check in CHECKS)


def _examined(check: Callable[[Home], CheckResult], home: Home) -> CheckResult:
    try:
        return check(home)
    except Exception as error:  # noqa: BLE001 - one check that fails must not hide what the others find
        known = isinstance(error, (ScrubjayError, ProfileError))
        advice = str(error) if known else "This can't be told here; `scrubjay doctor --report` helps others to say why."
        return CheckResult(check.__name__.replace("_", " ").capitalize(), "bad", type(error).__name__, advice)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _folders_below(root: Path) -> int:
    return sum(1 for _ in os.walk(root))
