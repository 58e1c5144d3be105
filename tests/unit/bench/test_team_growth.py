"""What is read from the bench's output, and that the drawing shows it."""

from xml.etree import ElementTree

from tests.bench.team_growth import curves, drawing

PRINTED = [
    "team, 10,000 passages",
    '  json {"team, 10,000 passages": {"passages": 10082, "hybrid": "p50 29.0 ms, p95 34.9 ms, cpu 43.6 ms"}}',
    '  json {"team, 1,000,000 passages": {"hybrid": "p50 99.0 ms, p95 134.9 ms, cpu 43.6 ms"}}',
    '  json {"file, 10,000 passages": {"hybrid": "p50 13.1 ms, p95 17.5 ms, cpu 26.6 ms"}}',
    '  json {"writing": {"passages": 12084, "ratio of both": 0.67}}',
]


def test_the_medians_are_read_by_store_and_figure() -> None:
    assert curves(PRINTED) == {
        ("team", "hybrid"): {10_000: 29.0, 1_000_000: 99.0},
        ("file", "hybrid"): {10_000: 13.1},
    }


def test_the_drawing_names_each_curve_and_its_last_figure() -> None:
    image = drawing(curves(PRINTED))
    ElementTree.fromstring(image)
    assert "hybrid: 99" in image
    assert "hybrid, a file: 13.1 at 10,000" in image
    assert image.count("<polyline") == 2
