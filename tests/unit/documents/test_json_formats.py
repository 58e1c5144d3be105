"""Canvases and drawings: their cards, texts and links, with their places."""

import json

import pytest

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import DocumentPart, Extracted, Reason

CARDS = [
    {"id": "g", "type": "group", "label": "Harbour", "x": 0, "y": 0, "width": 500, "height": 500},
    {
        "id": "b",
        "type": "file",
        "file": "Notes/Ferry.md",
        "subpath": "#Times",
        "x": 10,
        "y": 90,
        "width": 9,
        "height": 9,
    },
    {"id": "a", "type": "text", "text": "Brass lantern, see [[Lamps|lamps]]", "x": 9, "y": 9, "width": 9, "height": 9},
    {"id": "c", "type": "link", "url": "https://ferry.example/", "x": 900, "y": 900, "width": 9, "height": 9},
]


def read(extension: str, value: object) -> Extracted:
    return extract(extension, json.dumps(value).encode())


def test_the_cards_of_a_canvas_are_parts_in_reading_order_with_their_groups() -> None:
    assert read(".canvas", {"nodes": CARDS}).parts == (
        DocumentPart("g", "", "Harbour"),
        DocumentPart("a", "Harbour", "Brass lantern, see [[Lamps|lamps]]"),
        DocumentPart("b", "Harbour", "Notes/Ferry.md#Times"),
        DocumentPart("c", "", "https://ferry.example/"),
    )


def test_a_canvas_links_to_the_files_on_its_cards_and_in_their_text() -> None:
    assert read(".canvas", {"nodes": CARDS}).links == ("Lamps", "Notes/Ferry.md#Times")


def test_an_edge_is_said_with_the_cards_at_its_ends() -> None:
    edges = [{"fromNode": "a", "toNode": "c", "label": "lit by"}, {"fromNode": "a", "toNode": "gone"}]
    found = read(".canvas", {"nodes": CARDS, "edges": edges})
    assert found.parts[-1] == DocumentPart(
        "edges", "", "Brass lantern, see [[Lamps|lamps]] → lit by → https://ferry.example/"
    )


@pytest.mark.parametrize(
    ("extension", "data", "reason"),
    [
        (".canvas", b"", Reason.NO_TEXT),
        (".canvas", b'{"nodes": [', Reason.DAMAGED),
        (".canvas", b'{"nodes":' + b"[" * 100_000, Reason.DAMAGED),
        (".canvas", b'{"nodes": {"id": 1}, "edges": [1, null, {"label": 3}]}', Reason.NO_TEXT),
        (".canvas", b'{"nodes": [{"type": "text", "text": 7, "x": "far", "width": 1e999}]}', Reason.NO_TEXT),
        (".canvas", b"%PDF-1.7", Reason.WRONG_EXTENSION),
        (".excalidraw", b"{}", Reason.WRONG_EXTENSION),
    ],
)
def test_what_is_no_canvas_or_drawing_is_named(extension: str, data: bytes, reason: Reason) -> None:
    found = extract(extension, data)
    assert found.unreadable is not None
    assert (found.unreadable.reason, found.parts) == (reason, ())


ELEMENTS = [
    {"type": "frame", "id": "f", "name": "Harbour", "x": 0, "y": 0},
    {"type": "text", "id": "t2", "text": "wrapped\ntext", "originalText": "wrapped text", "y": 20, "frameId": "f"},
    {"type": "text", "id": "t1", "text": "Lantern", "rawText": "[[Lamps|Lantern]]", "y": 10, "frameId": "f"},
    {"type": "text", "id": "t3", "text": "gone", "isDeleted": True},
    {"type": "rectangle", "id": "r", "link": "[[Ferry]]", "y": 5},
]


def test_the_texts_of_a_drawing_are_read_as_they_stand_with_their_frames() -> None:
    found = read(".excalidraw", {"type": "excalidraw", "elements": ELEMENTS})
    assert found.parts == (DocumentPart("1", "", "[[Ferry]]"), DocumentPart("2", "Harbour", "Lantern\nwrapped text"))
    assert found.links == ("Ferry", "Lamps")
