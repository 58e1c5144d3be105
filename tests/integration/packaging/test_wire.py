"""`wire.ts`, `keys.ts`, the description at /schema and the Python types say the same."""

import json
from pathlib import Path

import msgspec

from scrubjay.daemon.server.app import HANDLERS
from tests.integration.packaging.scripts import script
from tests.integration.server.house import open_house

wire = script("wire_types.py")
sentence_types = script("sentence_types.py")


def test_the_panel_s_types_are_those_of_the_daemon() -> None:
    assert wire.WIRE.read_text(encoding="utf-8") == wire.as_typescript(), "stale: run `make wire`"


def test_the_panel_knows_the_languages_and_what_each_sentence_is_given() -> None:
    assert sentence_types.KEYS.read_text(encoding="utf-8") == sentence_types.as_typescript(), "stale: run `make wire`"


def test_the_description_names_the_fields_that_travel(tmp_path: Path) -> None:
    with open_house(tmp_path) as house, house.client(house.clients.create("reader", profiles="all").token) as http:
        description = json.loads(http.get("/schema").content)
    for endpoint in (handler.endpoint for handler in HANDLERS):
        about = description["paths"][endpoint.path][endpoint.method.lower()]
        assert {(each["name"], each["in"]) for each in about.get("parameters", ())} == {
            *((name, "path") for name in endpoint.path_fields),
            *((name, "query") for name in endpoint.query_fields),
            *([("X-Scrubjay-Typing", "header")] if endpoint.typed else ()),
        }, endpoint.path
        sent = [(about["requestBody"], endpoint.body)] if endpoint.body else []
        for holder, kind in (*sent, (about["responses"][str(endpoint.status)], endpoint.reply)):
            name = holder["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            (_, schemas) = msgspec.json.schema_components([kind], ref_template="{name}")
            described = description["components"]["schemas"][name]["properties"]
            assert set(described) == set(schemas[kind.__name__]["properties"]), endpoint.path
