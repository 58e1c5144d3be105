"""The arguments of a tool call, checked against what the tool takes. Pure; what is said holds nothing of the caller's.

A program that guesses a name must not be answered as if it had not given the argument: `vault` left out of a search
would be a search of every vault. So what a tool does not take is refused, with the name that it does take.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from scrubjay.profiles.search.query.operators import OPERATORS

_ALIKE = {
    "profile": "profiles",
    "profiles": "profile",
    "path": "id",
    "note": "id",
    "ids": "id",
    "chunk_id": "id",
    "note_id": "id",
}
"""Names that are taken for another where the tool has only that one."""
_MEANT = {
    "q": "query",
    "text": "query",
    "question": "prompt",
    "query": "prompt",
    "count": "limit",
    "max_results": "limit",
    "n": "limit",
    "top_k": "limit",
    "tokens": "max_tokens",
    "context": "around",
    "start_line": "from_line",
    "end_line": "to_line",
}
"""Names that are refused, and what is likely meant by them."""
_FILTERS = frozenset((*OPERATORS, "folder", "tags", "since", "until"))
"""What the query language says, and no argument does."""


_KINDS = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}


class WrongArguments(Exception):
    """Arguments that a tool does not take. The message is for the agent."""


def checked(tool: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments under the tool's own names. schema: JSON Schema of what it takes. Raises WrongArguments."""
    known: Mapping[str, Any] = schema["properties"]
    named: dict[str, Any] = {}
    for given, value in arguments.items():
        name = given if given in known else _ALIKE.get(given, "")
        if name not in known:
            raise WrongArguments(_refusal(tool, known, given))
        if name in named:
            raise WrongArguments(f"`{tool}` takes `{name}` once, under one name.")
        named[name] = _fitting(tool, name, value)
    if missing := [name for name in schema.get("required", ()) if name not in named]:
        raise WrongArguments(" ".join(f"`{tool}` needs `{name}`: {described(known[name])}." for name in missing))
    return named


def invalid(tool: str, schema: Mapping[str, Any], names: Sequence[str]) -> str:
    """What is wrong with arguments whose values don't fit: what each has to be."""
    known: Mapping[str, Any] = schema["properties"]
    wrong = [name for name in dict.fromkeys(names) if name in known]
    return " ".join(f"`{name}` of `{tool}` has to be {described(known[name])}." for name in wrong)


def described(schema: Mapping[str, Any]) -> str:
    """A JSON Schema in a few words."""
    if "anyOf" in schema:
        return " or ".join(described(each) for each in schema["anyOf"])
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    kind = schema.get("type", "string")
    if kind == "array":
        most = f"at most {schema['maxItems']:,} of them, each " if "maxItems" in schema else "each "
        return f"a list, {most}{described(schema.get('items', {}))}"
    return _described_text(schema) if kind == "string" else _KINDS[kind] + _range(schema)


def _described_text(schema: Mapping[str, Any]) -> str:
    if "pattern" in schema:
        digits = schema["pattern"].rpartition("{")[2].partition("}")[0].replace(",", " to ")
        return f"an id of {digits} hexadecimal digits, such as a1b2c3d4e5f6"
    if "maxLength" in schema:
        return f"text of {schema.get('minLength', 0)} to {schema['maxLength']:,} characters"
    return "text"


def _range(schema: Mapping[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        return f" from {schema['minimum']:,} to {schema['maximum']:,}"
    return f" of at least {schema['minimum']:,}" if "minimum" in schema else ""


def _fitting(tool: str, name: str, value: Any) -> Any:
    """`profile` and `profiles` alike: one name for a list, a list of one for a name."""
    if name == "profiles" and isinstance(value, str):
        return [value]
    if name == "profile" and isinstance(value, list):
        values = cast("list[Any]", value)
        if len(values) > 1:
            raise WrongArguments(f"`{tool}` looks into one profile at a time. Call it once for each.")
        return values[0] if values else None
    return value


def _refusal(tool: str, known: Mapping[str, Any], given: str) -> str:
    meant = _MEANT.get(given, "")
    near = [meant] if meant in known else get_close_matches(given, known, 1)
    if near and given not in _FILTERS:
        return f"`{tool}` takes no argument of that name. Do you mean `{near[0]}`?"
    takes = f"It takes {', '.join(f'`{name}`' for name in known)}." if known else "It takes none."
    hint = ""
    if given in _FILTERS:
        named = next((f"in `{name}`" for name in ("query", "filter") if name in known), "in `filter` of `list_notes`")
        hint = f" What narrows a search down stands {named}: path:Projects tag:recipe modified:>2026-01-01."
    return f"`{tool}` takes no argument of that name. {takes}{hint}"
