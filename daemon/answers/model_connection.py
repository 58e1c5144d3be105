"""One request to the model server that the user named, with a deadline that nothing outlasts.

No proxy, cookie or password of the environment is used, no redirect is followed, and nothing is tried twice.
"""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx
import msgspec

from scrubjay.daemon.answers.model_reply import NOT_UNDERSTOOD, CompletionReader, said_by_server
from scrubjay.daemon.answers.model_server import ModelTrouble, Server, taken_by_another
from scrubjay.profiles.errors import ScrubjayError

T = TypeVar("T")

_CONNECT_SECONDS = 5.0
_LOOK_SECONDS = 0.25  # between looks at whether somebody still waits
_ERROR_BYTES = 16_384
_LIST_SECONDS = 10.0
_LIST_BYTES = 1_000_000


class NotReached(ModelTrouble):
    """Nothing answers at the server's address, so nothing was sent."""


class GivenUp(ScrubjayError):
    """Who had asked does not wait any more."""

    code = "given-up"


def have_written(
    server: Server, body: bytes, take: Callable[[str], bool], is_given_up: Callable[[], bool] = lambda: False
) -> None:
    """Hand on what the model writes, piece by piece, until it ends or `take` returns True.

    Blocks for `server.seconds` at most, beside what `take` needs. is_given_up: looked at now and then; the connection
    is closed at once, so that the model can stop. Raises ModelTrouble, GivenUp, and what `take` raises.
    """
    asyncio.run(_guarded(_write(server, body, take), server, server.seconds, is_given_up))


def models_at(server: Server) -> tuple[str, ...]:
    """The names of the models that a server has. Raises ModelTrouble."""
    return asyncio.run(_guarded(_list(server), server, _LIST_SECONDS))


async def _write(server: Server, body: bytes, take: Callable[[str], bool]) -> None:
    async with _http(server) as http, http.stream("POST", f"{server.url}/chat/completions", content=body) as reply:
        await _refuse(reply, server)
        completion = CompletionReader()
        async for data in reply.aiter_raw():
            for text in completion.feed(data):
                if take(text):
                    return
            if completion.done:
                return


class _Model(msgspec.Struct, frozen=True):
    id: str


class _Models(msgspec.Struct, frozen=True):
    data: tuple[_Model, ...] | None = None


async def _list(server: Server) -> tuple[str, ...]:
    async with _http(server) as http, http.stream("GET", f"{server.url}/models") as reply:
        await _refuse(reply, server)
        found = await _begin_of(reply, _LIST_BYTES)
    try:
        return tuple(model.id for model in msgspec.json.decode(found, type=_Models).data or ())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ModelTrouble(NOT_UNDERSTOOD) from None


async def _guarded(
    work: Coroutine[Any, Any, T], server: Server, seconds: float, is_given_up: Callable[[], bool] = lambda: False
) -> T:
    """What `work` returns within so many seconds; whatever the network does is a ModelTrouble.

    Nothing is begun where another person's program has the port of a server on this computer.
    """
    if said := taken_by_another(server):
        work.close()
        raise NotReached(said)
    working = asyncio.ensure_future(work)
    try:
        async with asyncio.timeout(seconds):
            while not (await asyncio.wait({working}, timeout=_LOOK_SECONDS))[0]:
                if is_given_up():
                    raise GivenUp("Nobody waits for this answer any more.")
            return working.result()
    except TimeoutError:
        raise ModelTrouble(
            f"The language model at {server.address} did not finish within {seconds:g} seconds."
        ) from None
    except (httpx.ConnectError, httpx.ConnectTimeout):
        raise NotReached(f"Nothing answers at {server.address}. Start the model server, or name another.") from None
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ssl.SSLError, OSError):
        raise ModelTrouble(f"The connection to the language model at {server.address} broke off.") from None
    finally:
        working.cancel()


def _http(server: Server) -> httpx.AsyncClient:
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    if server.key:
        headers["Authorization"] = f"Bearer {server.key}"
    return httpx.AsyncClient(
        headers=headers,
        timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),  # the deadline is one of the whole
        follow_redirects=False,
        trust_env=False,
        verify=not server.is_here,
    )


async def _refuse(reply: httpx.Response, server: Server) -> None:
    """Raise ModelTrouble for a reply that is no answer."""
    if reply.status_code == 200:
        return
    if reply.is_redirect:
        raise ModelTrouble(
            f"The model server at {server.address} points to another address, which is not followed. Name that one."
        )
    if reply.status_code in (401, 403):
        raise ModelTrouble(f"The model server at {server.address} wants another API key ({reply.status_code}).")
    raise ModelTrouble(said_by_server(await _begin_of(reply, _ERROR_BYTES), reply.status_code, server.key))


async def _begin_of(reply: httpx.Response, most: int) -> bytes:
    data = b""
    async for piece in reply.aiter_raw():
        data += piece
        if len(data) > most:
            return data[:most]
    return data
