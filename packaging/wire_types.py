"""Writes `obsidian-plugin/src/api/wire.ts` from the endpoints: what travels between the panel and the daemon.

`make wire` writes the file; a test fails where it is stale.
"""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from scrubjay.daemon.server.access.problems import Problem
from scrubjay.daemon.server.app import HANDLERS
from scrubjay.profiles.search.query.operators import OPERATORS

WIRE = Path(__file__).parents[1] / "obsidian-plugin" / "src" / "api" / "wire.ts"

_HEAD = """/**
 * What travels between the panel and the daemon. Written by `make wire` from daemon/server/endpoints; not to be edited.
 * Texts of notes are plain text, never markup; positions in them count Unicode code points; times are RFC 3339.
 */
"""
_ENDPOINTS = """/**
 * Every endpoint by its method and path, with what it is asked and what it replies. Fields that the path names travel
 * in it, the others in the body of a POST, or in the query string of GET and DELETE.
 */
export interface Endpoints {
"""
_TAB = "\t"
_ATOMS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def as_typescript() -> str:
    """The whole file."""
    endpoints = [handler.endpoint for handler in HANDLERS]
    asks = [endpoint.request for endpoint in endpoints]
    wanted: list[Any] = [*asks, *(endpoint.reply for endpoint in endpoints), Problem]
    _, schemas = msgspec.json.schema_components(wanted, ref_template="{name}")
    asked = {name for ask in asks for name in _reached(ask.__name__, schemas)}
    parts = [_HEAD]
    parts += ["\n".join(_interface(name, schemas[name], is_reply=name not in asked)) for name in sorted(schemas)]
    parts.append(_ENDPOINTS)
    for endpoint in sorted(endpoints, key=lambda each: (each.path, each.method)):
        parts[-1] += f"{_comment(endpoint.about, _TAB)}\n"
        parts[-1] += f'{_TAB}"{endpoint.method} {endpoint.path}": '
        parts[-1] += f"{{ ask: {endpoint.request.__name__}; reply: {endpoint.reply.__name__} }};\n"
    parts[-1] += "}\n"
    parts.append("/** The operators of the query language, each written before a colon. */")
    names = ", ".join(f'"{name}"' for name in OPERATORS)
    parts.append(f"export const OPERATORS = [{names}] as const;\n")
    return "\n".join(parts)


def _reached(name: str, schemas: dict[str, Any]) -> Iterator[str]:
    """An ask's type and those inside it: their fields may be left out where they have a default."""
    yield name
    for other in schemas:
        if other != name and f'"$ref":"{other}"' in msgspec.json.encode(schemas[name]).decode():
            yield from _reached(other, schemas)


def _interface(name: str, schema: dict[str, Any], *, is_reply: bool) -> Iterator[str]:
    if about := schema.get("description"):
        yield _comment(about, "")
    if not schema["properties"]:
        yield f"export type {name} = Record<string, never>;\n"
        return
    yield f"export interface {name} {{"
    required = set(schema.get("required", ()))
    for field, kind in schema["properties"].items():
        if said := kind.get("description"):
            yield _comment(said, "\t")
        is_there = field in required or (is_reply and not _is_omitted(name))
        yield f"\t{field}{'' if is_there else '?'}: {_kind(kind, is_reply=is_reply)};"
    yield "}\n"


def _is_omitted(name: str) -> bool:
    """Whether a reply leaves out what is the default."""
    replies: list[Any] = [handler.endpoint.reply for handler in HANDLERS]
    found = next((each for each in [*replies, Problem] if each.__name__ == name), None)
    return bool(found and hasattr(found, "__struct_config__") and found.__struct_config__.omit_defaults)


def _kind(schema: dict[str, Any], *, is_reply: bool) -> str:
    """A schema of JSON as a type; lists of an ask are read only. Raises ValueError for what is not known yet."""
    match schema:
        case {"$ref": str(kind)}:
            pass
        case {"anyOf": parts}:
            kind = " | ".join(_kind(part, is_reply=is_reply) for part in parts)
        case {"enum": values}:
            kind = " | ".join(f'"{value}"' for value in values)
        case {"prefixItems": parts}:
            kind = f"readonly [{', '.join(_kind(part, is_reply=is_reply) for part in parts)}]"
        case {"type": "array", "items": items}:
            inner = _kind(items, is_reply=is_reply)
            inner = f"({inner})[]" if "|" in inner else f"{inner}[]"
            kind = inner if is_reply else f"readonly {inner}"
        case {"type": str(atom)}:
            kind = _ATOMS[atom]
        case _:
            raise ValueError(f"TypeScript of {schema} is not known here")
    return kind


def _comment(text: str, indent: str) -> str:
    lines = [line for part in text.strip().splitlines() for line in textwrap.wrap(part.strip(), 110)]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */"
    return f"{indent}/**\n" + "\n".join(f"{indent} * {line}" for line in lines) + f"\n{indent} */"


if __name__ == "__main__":
    WIRE.write_text(as_typescript(), encoding="utf-8")
    sys.stdout.write(f"{WIRE}\n")
