"""JSON of other programs, read without trust."""

import json
from typing import Any, TypeGuard, cast

from scrubjay.daemon.extracting.extracted import CannotRead, Reason
from scrubjay.daemon.extracting.reading.decode import as_text

Object = dict[str, Any]


def json_object(data: bytes) -> Object:
    """The object that a file holds. Raises CannotRead where it is not JSON, or not an object."""
    text = as_text(data)
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        looks_like_json = text.lstrip()[:1] == "{"
        raise CannotRead(Reason.DAMAGED if looks_like_json else Reason.WRONG_EXTENSION) from None
    if not is_object(found):
        raise CannotRead(Reason.WRONG_EXTENSION)
    return found


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value of JSON is an object."""
    return isinstance(value, dict)


def objects(value: object) -> list[Object]:
    """The objects in a list; empty where it is none."""
    return [each for each in cast("list[object]", value) if is_object(each)] if isinstance(value, list) else []


def string(value: object) -> str:
    """A string, or "" for anything else."""
    return value if isinstance(value, str) else ""


def number(value: object) -> float:
    """A number, or 0 for anything else."""
    return float(value) if isinstance(value, int | float) and abs(value) < 1e15 else 0.0
