"""How commands reach the notes: over a running daemon, or, where there is none, by opening the indexes themselves."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from daemon.client import NotRunning, ScrubjayClient
from daemon.client import running as find_running
from daemon.clients.identity import Discovery
from daemon.home import Home
from daemon.search.types import SearchRequest, SearchResponse
from daemon.settings import load_settings

if TYPE_CHECKING:
    from daemon.runtime.engine import Engine


def running(home: Home) -> Discovery | None:
    """The daemon that serves this home; None when there is none. Raises Stranger."""
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
def open_engine(*, replaces: bool = False) -> "Generator[Engine]":
    """The indexes, opened by this process, with the model in it; nothing runs in the background.

    replaces: whether a database that can't be read is set aside for a new one; only for who fills it then.
    """
    # Imported when needed: the engine brings numpy, SQLite and the model, half a second of imports.
    from daemon.embedding.in_process import InProcessEmbedder
    from daemon.runtime.engine import Engine

    home = Home.find()
    with closing(Engine(home, load_settings(home.settings), InProcessEmbedder, replaces=replaces)) as engine:
        yield engine


@contextmanager
def searching() -> Generator[Callable[[SearchRequest], SearchResponse]]:
    """What answers a search: the daemon if it runs, else this process."""
    home = Home.find()
    if running(home):
        from daemon.api.schemas import SearchAsk

        with connect() as client:
            yield lambda request: client.search(
                SearchAsk(
                    query=request.query,
                    profiles=request.profiles,
                    limit=request.limit,
                    mode=request.mode,
                    group=request.group,
                    explain=request.explain,
                    context=request.context,
                )
            )
        return
    with open_engine() as engine:
        yield lambda request: engine.searcher.search(replace(request, profiles=_in_scope(engine, request.profiles)))


def _in_scope(engine: "Engine", wanted: tuple[str, ...] | None) -> tuple[str, ...]:
    """The profiles to search, as the API chooses them: those named, or all that take part in searches over all."""
    known = engine.all_profiles()
    if wanted is not None:
        return tuple(engine.registry.get(name).name for name in wanted)
    return tuple(profile.name for profile in known if profile.federate or len(known) == 1)
