"""How commands reach the notes: by the API of the running daemon, or, where none runs, by the same API in this process.

Nothing else in `daemon/cli` decides between the two.
"""

from collections.abc import Collection, Generator, Iterable
from contextlib import closing, contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from scrubjay.daemon.cli.output import plural, warn, warn_unanswered
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.identity import Discovery
from scrubjay.daemon.settings import load_settings
from scrubjay.daemon.transport import ApiError
from scrubjay.daemon.transport import running as find_running
from scrubjay.profiles.errors import UsageError

if TYPE_CHECKING:
    from scrubjay.daemon.engine.engine import Engine
    from scrubjay.daemon.server.endpoints.status import ProfileStatus

_CLOSED = ("locked", "failed", "away")


def running(home: Home) -> Discovery | None:
    """The daemon that serves this home; None when there is none. Raises UnverifiedDaemon."""
    try:
        return find_running(home)
    except NotRunning:
        return None


@contextmanager
def connect() -> Generator[ScrubjayClient]:
    """A client of the running daemon. Raises NotRunning, which says how to start it."""
    with ScrubjayClient.discover(Home.find()) as client:
        yield client


@contextmanager
def reach() -> Generator[ScrubjayClient]:
    """A client of the running daemon, or of this very process, which then has the indexes and the model to itself."""
    if running(Home.find()):
        with connect() as client:
            yield client
        return
    from scrubjay.daemon.server.in_process_api import in_process

    with open_engine() as engine, in_process(engine) as client:
        yield client


@contextmanager
def reach_note(profiles: Collection[str] = ()) -> Generator[ScrubjayClient]:
    """As `reach`. Before it is said that a note is not found, each profile is named whose notes are missing.

    profiles: as of `warn_of_missing`.
    """
    with reach() as client:
        try:
            yield client
        except (ApiError, UsageError) as error:
            if not isinstance(error, ApiError) or error.status == HTTPStatus.NOT_FOUND:
                warn_of_missing(client, profiles)
            raise


def warn_of_missing(client: ScrubjayClient, profiles: Collection[str] = ()) -> bool:
    """Name each profile of which notes are missing from a list, since it is closed or they were not read yet. True
    where there is one.

    profiles: names of the only ones that the list is of; empty: all that the client sees.
    """
    found = _states(client, profiles)
    closed = [each for each in found if each.state in _CLOSED and not each.notes]
    is_named = _name_closed(closed)
    return _warn_of_unread(each for each in found if each not in closed) or is_named


def warn_of_closed(client: ScrubjayClient, profiles: Collection[str] = ()) -> bool:
    """As `warn_of_missing`, for what no note is needed for: each profile that is closed."""
    return _name_closed([each for each in _states(client, profiles) if each.state in _CLOSED])


def warn_of_unread(client: ScrubjayClient, profiles: Collection[str] = ()) -> bool:
    """As `warn_of_missing`, for a list that names the closed profiles itself."""
    return _warn_of_unread(each for each in _states(client, profiles) if each.state not in _CLOSED)


def _name_closed(closed: "Collection[ProfileStatus]") -> bool:
    for each in closed:
        warn_unanswered(each.name, each.reason)
    return bool(closed)


def _states(client: ScrubjayClient, profiles: Collection[str]) -> "list[ProfileStatus]":
    from scrubjay.daemon.server.endpoints.status import STATUS  # which brings the store

    return [each for each in client.ask(STATUS).profiles if not profiles or each.name in profiles]


def _warn_of_unread(profiles: "Iterable[ProfileStatus]") -> bool:
    is_partial = False
    for each in profiles:
        if not each.notes and each.on_disk is None:
            warn(f"Nothing of profile {each.name} has been read yet.", style="yellow")
        elif each.progress.unread:
            warn(f"Of profile {each.name}, {plural(each.progress.unread, 'note')} still to be read.", style="yellow")
        else:
            continue
        is_partial = True
    return is_partial


@contextmanager
def open_engine(*, replaces: bool = False) -> "Generator[Engine]":
    """The indexes, opened by this process, with the model in it; nothing runs in the background.

    replaces: whether a database that can't be read is set aside for a new one; only for who fills it then.
    """
    # Imported when needed: the engine brings numpy, SQLite and the model, half a second of imports.
    from scrubjay.daemon.engine.engine import Engine
    from scrubjay.daemon.models.in_process import InProcessEmbedder

    home = Home.find()
    with closing(Engine(home, load_settings(home.settings), InProcessEmbedder, replaces=replaces)) as engine:
        yield engine
