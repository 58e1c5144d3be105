"""`wire.ts`, `keys.ts`, the description at /schema and the Python types say the same."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from scrubjay.daemon.server.app import HANDLERS
from tests.integration.packaging.scripts import script
from tests.integration.server.house import open_house

wire = script("wire_types.py")
sentence_types = script("sentence_types.py")


def test_the_panel_s_types_are_those_of_the_daemon() -> None:
    assert wire.WIRE.read_text(encoding="utf-8") == wire.as_typescript(), "stale: run `make wire`"


def test_the_panel_knows_the_languages_and_what_each_sentence_is_given() -> None:
    assert sentence_types.KEYS.read_text(encoding="utf-8") == sentence_types.as_typescript(), "stale: run `make wire`"


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_house(tmp_path_factory.mktemp("house")) as house:
        token = house.clients.create("reader", profiles="all").token
        with house.client(token) as http:
            yield json.loads(http.get("/schema").content)


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda each: f"{each.endpoint.method} {each.endpoint.path}")
def test_the_description_names_the_fields_that_travel(description: Any, handler: Any) -> None:
    endpoint = handler.endpoint
    about = description["paths"][endpoint.path][endpoint.method.lower()]
    places = {(each["name"], each["in"]) for each in about.get("parameters", ())}
    header = {("X-Scrubjay-Typing", "header")} if endpoint.typed else set[tuple[str, str]]()
    assert places == {
        *((name, "path") for name in endpoint.path_fields),
        *((name, "query") for name in endpoint.query_fields),
        *header,
    }
    sent = [("requestBody", endpoint.body)] if endpoint.body else []
    for part, kind in [*sent, ("reply", endpoint.reply)]:
        holder = about["requestBody"] if part == "requestBody" else about["responses"][str(endpoint.status)]
        name = holder["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        (_, schemas) = msgspec.json.schema_components([kind], ref_template="{name}")
        described = description["components"]["schemas"][name]["properties"]
        assert set(described) == set(schemas[kind.__name__]["properties"])
