"""JSON of other programs, read without trust, and the Markdown links in it."""

import json
import re
from typing import Any, TypeGuard, cast
from urllib.parse import unquote

from scrubjay.daemon.documents.extracted import CannotRead, Reason
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.profiles.search.results.plain_text import ADDRESS, SCHEME

_WIKI = re.compile(r"\[\[([^\[\]|\n]{1,500})(?:\|[^\[\]\n]{0,500})?\]\]")
_INLINE = re.compile(rf"\]\(<?({ADDRESS})>?")
_ELSEWHERE = re.compile(rf"{SCHEME}|#")


def markdown_links(text: str) -> list[str]:
    """The files and notes that a text links to, as written, without addresses of the web."""
    wiki = [target.strip() for target in _WIKI.findall(text)]
    return wiki + [target for target in map(file_link, _INLINE.findall(text)) if target]


def file_link(target: str) -> str:
    """A link's target as a path, its percent signs decoded; "" where it leads to the web or nowhere else."""
    return "" if not target or _ELSEWHERE.match(target) else unquote(target)


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
