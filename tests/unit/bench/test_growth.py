"""The table of growing vaults: how figures grow, and which miss their bar."""

from tests.bench.growth import table

COLUMNS = [
    {"notes": 10_000, "status, ms": 4.0, "read: seconds": 30.0, "at rest after all, MB": 99.0, "log at rest, MB": 0.0},
    {"notes": 20_000, "status, ms": 5.0, "read: seconds": 70.0, "at rest after all, MB": 101.0, "log at rest, MB": 0.0},
    {"notes": 40_000, "status, ms": 25.0, "read: seconds": 150.0, "at rest after all, MB": 161.0, "log at rest, MB": 3},
]


def test_what_grows_too_much_or_misses_its_bar_is_bold() -> None:
    assert table(COLUMNS).splitlines()[2:] == [
        "| status, ms | 4 | 5 | **25** | 1.25 · **5** | 20 |",
        "| read: seconds | 30 | 70 | 150 | **2.33** · 2.14 |  |",
        "| at rest after all, MB | 99 | 101 | **161** | 1.02 · 1.59 | 160 |",
        "| log at rest, MB | 0 | 0 | 3 | 1 · 1 |  |",
    ]
