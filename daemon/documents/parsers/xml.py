"""XML as a stream of events, without entities, external or of its own, and without endless depth."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.parsers import expat

from scrubjay.daemon.documents.extracted import CannotRead, Reason

_DEEPEST = 1_000
_LONGEST_TEXT = 1 << 16  # bytes that expat gathers before it hands them over


class ElementStart(NamedTuple):
    """An element begins. Names are without namespaces, but for "r:" before attributes of office files' relations."""

    name: str
    attributes: dict[str, str]


class End(NamedTuple):
    """An element ends."""

    name: str


Event = ElementStart | End | str


def events(blocks: Iterable[bytes]) -> Iterator[Event]:
    """What an XML file says, in its order. Strings are text; a long one may come in pieces.

    Raises CannotRead: `damaged` for what is no XML or deeper than any file, `bomb` for one that declares entities.
    """
    pending: list[Event] = []
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise CannotRead(Reason.DAMAGED)
        pending.append(ElementStart(_local(name), {_attribute(key): value for key, value in attributes.items()}))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        pending.append(End(_local(name)))

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.buffer_size = _LONGEST_TEXT
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pending.append
    parser.EntityDeclHandler = _no_entities
    try:
        for block in blocks:
            parser.Parse(block, False)
            yield from pending
            pending.clear()
        parser.Parse(b"", True)
    except expat.ExpatError:
        raise CannotRead(Reason.DAMAGED) from None
    yield from pending


def text_of(blocks: Iterable[bytes], element: str) -> dict[str, str]:
    """The texts of the children of the one element that is called so: name → text, the last one of each name."""
    found: dict[str, str] = {}
    path: list[str] = []
    for event in events(blocks):
        if isinstance(event, ElementStart):
            path.append(event.name)
        elif isinstance(event, End):
            path.pop()
        elif len(path) > 1 and path[-2] == element:
            found[path[-1]] = found.get(path[-1], "") + event
    return found


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _attribute(name: str) -> str:
    namespace, _, local = name.rpartition("}")
    return f"r:{local}" if namespace.endswith("/relationships") else local


def _no_entities(*_: object) -> None:
    raise CannotRead(Reason.BOMB)
