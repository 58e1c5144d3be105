"""The page of the API, from the description that a running daemon gives of itself at `/schema`."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import msgspec

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.transport import running

Tree: TypeAlias = Mapping[str, Any]

_SECONDS = 60.0
_METHODS = ("get", "post", "put", "patch", "delete")


def description() -> Tree:
    """What a daemon on an empty home of its own says of its API. Raises RuntimeError where it does not start."""
    with tempfile.TemporaryDirectory() as root:
        environment = os.environ | {
            "SCRUBJAY_HOME": root,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        }
        home = Home.below(Path(root)).make()
        with subprocess.Popen(
            [sys.executable, "-m", "scrubjay.daemon", "run", "--port", "0"], env=environment, stdout=subprocess.DEVNULL
        ) as daemon:
            try:
                return _asked(home, daemon)
            finally:
                daemon.terminate()


def as_markdown(tree: Tree) -> str:
    """The page: every route with what it takes, what it answers, and every kind of thing that passes through it."""
    parts = [
        "# API reference\n",
        f"{tree['info']['description']}\n",
        "Made from `/schema` (OpenAPI). The way in, with examples: [the API](../api.md).\n",
    ]
    for path, operations in sorted(tree["paths"].items()):
        for method in _METHODS:
            if method in operations:
                parts.extend(_route(method, path, operations[method]))
    parts.append("## What is sent and answered\n")
    for name, schema in sorted(tree["components"]["schemas"].items()):
        parts.extend(_schema(name, schema))
    return "\n".join(parts) + "\n"


def _asked(home: Home, daemon: "subprocess.Popen[bytes]") -> Tree:
    deadline = time.monotonic() + _SECONDS
    while not home.discovery.exists():
        if daemon.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("The daemon that was to describe its API did not start.")
        time.sleep(0.1)
    os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    with closing(ClientRegistry(home.clients)) as clients:
        token = own_token(clients, home.state).token
    reply = httpx.get(f"{running(home).url}/schema", headers={"Authorization": f"Bearer {token}"}, trust_env=False)
    return msgspec.json.decode(reply.raise_for_status().content)


def _route(method: str, path: str, about: Tree) -> Iterator[str]:
    yield f"## `{method.upper()} {path}`\n"
    yield f"{about['description']}\n"
    if about.get("security") == []:
        yield "No token is needed.\n"
    parameters = about.get("parameters", [])
    if parameters:
        yield "| parameter | in | kind | what it is |\n| --- | --- | --- | --- |"
        for each in parameters:
            required = ", required" if each.get("required") else ""
            yield f"| `{each['name']}` | {each['in']}{required} | {_kind(each['schema'])} | {_line(each, 'schema')} |"
        yield ""
    if body := about.get("requestBody"):
        yield f"Takes {_content(body)}.\n"
    for status, reply in about["responses"].items():
        if status.startswith("2"):
            answer = _content(reply)
            yield f"Answers {status}{f' with {answer}' if answer else ''}.\n"


def _schema(name: str, schema: Tree) -> Iterator[str]:
    yield f"### {name}\n"
    if schema.get("description"):
        yield f"{_line(schema)}\n"
    required = set(schema.get("required", ()))
    if schema.get("properties"):
        yield "| field | kind | what it is |\n| --- | --- | --- |"
        for field, kind in schema["properties"].items():
            note = "" if field in required or "default" not in kind else f" Default: `{_json(kind['default'])}`."
            yield f"| `{field}` | {_kind(kind)} | {_line(kind)}{note} |"
        yield ""
    elif schema.get("enum"):
        yield f"One of {', '.join(f'`{value}`' for value in schema['enum'])}.\n"
    for example in schema.get("examples", ()):
        yield f"```json\n{msgspec.json.format(msgspec.json.encode(example)).decode()}\n```\n"


def _content(part: Tree) -> str:
    kinds = [f"{_kind(content['schema'])} ({media})" for media, content in part.get("content", {}).items()]
    return " or ".join(kinds)


def _kind(schema: Tree) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_kind(each) for each in schema[several]))
    if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return " or ".join(f"`{value}`" for value in values)
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(str(each) for each in kind)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if kind == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    return f"{kind}{_bounds(schema)}"


def _bounds(schema: Tree) -> str:
    low = schema.get("minimum", schema.get("minLength"))
    high = schema.get("maximum", schema.get("maxLength"))
    if low is None and high is None:
        return ""
    return f", {'' if low is None else low}…{'' if high is None else high}"


def _line(about: Tree, fallback: str = "") -> str:
    text = (
        about.get("description") or about.get(fallback, {}).get("description", "")
        if fallback
        else about.get("description", "")
    )
    return " ".join(str(text).split()).replace("|", "\\|")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
