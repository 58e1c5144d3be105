"""An endpoint of the HTTP API as a value, from which its route, its description, its calls and its TypeScript derive.

A new endpoint is its types and one Endpoint here, a function in `daemon/server/handlers/`, and a line in docs/api.md.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast

import msgspec

from scrubjay.daemon.server.access.client_registry import Scope

Method: TypeAlias = Literal["GET", "POST", "DELETE"]


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all requests: unknown fields are refused and nothing is converted ("5" is not 5).

    Fields that the path names travel in it; the others in the body of a POST, or in the query string of GET and DELETE.
    """


class Nothing(Ask, frozen=True):
    """A request that says nothing more than its path."""


class Reply(msgspec.Struct, frozen=True):
    """Base of all replies."""


class Done(Reply, frozen=True):
    """Nothing to add."""

    done: bool = True


In = TypeVar("In", bound=Ask)
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True, eq=False)
class Endpoint(Generic[In, Out]):
    """One method of one path."""

    method: Method
    path: str  # `/v1/notes/{chunk_id}`: names fields of the request
    scope: Scope | None  # that the client needs; None: no particular one, or the door lets in who has no token
    request: type[In]
    reply: type[Out]
    about: str  # one or two sentences
    example: Mapping[str, object] = field(default_factory=dict[str, object])  # of a body
    status: int = 200
    sets_cookie: bool = False
    part: type[Reply] | None = None  # sent, as each comes, before the reply to who accepts `text/event-stream`
    is_long: bool = False  # takes as long as the notes are many: a client waits for as long as the daemon lives
    typed: bool = False  # takes X-Scrubjay-Typing: a newer request of that stream ends the older

    @property
    def path_fields(self) -> tuple[str, ...]:
        """Names of the request's fields that travel in the path."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    @property
    def query_fields(self) -> tuple[str, ...]:
        """Names of those that travel in the query string."""
        if self.method == "POST":
            return ()
        return tuple(name for name in self.request.__struct_fields__ if name not in self.path_fields)

    @property
    def body(self) -> type[Ask] | None:
        """What travels in the body; None where nothing does."""
        return _body_of(self)


@cache
def _body_of(endpoint: Endpoint[Any, Any]) -> type[Ask] | None:
    request = endpoint.request
    if endpoint.method != "POST" or set(request.__struct_fields__) <= set(endpoint.path_fields):
        return None
    if not endpoint.path_fields:
        return request
    fields = [
        (each.name, each.type, *(() if each.default is msgspec.NODEFAULT else (each.default,)))
        for each in msgspec.structs.fields(request)
        if each.name not in endpoint.path_fields
    ]
    made = msgspec.defstruct(request.__name__, fields, bases=(Ask,), module=request.__module__, frozen=True)
    made.__doc__ = request.__doc__
    return cast("type[Ask]", made)
