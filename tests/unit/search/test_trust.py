from dataclasses import replace

import pytest

from scrubjay.daemon.embedding.model import BUNDLED
from scrubjay.daemon.search.rank.fusion import UNREAD, trust


@pytest.mark.parametrize(
    ("query", "least", "most"),
    [
        ("how do I sync two devices", 1.0, 1.0),
        ("Wie gleiche ich zwei Geräte ab?", 1.0, 1.0),
        ("如何同步两台设备", UNREAD, UNREAD),
        ("設定を変更する方法", UNREAD, UNREAD),
        ("obsidian 插件", 0.7, 0.9),
        ("🎉", UNREAD, UNREAD),
        ("🎉 party", 0.7, 0.9),
        ("…?!", 1.0, 1.0),
        ("", 1.0, 1.0),
    ],
)
def test_the_bundled_model_is_trusted_with_what_it_reads(query: str, least: float, most: float) -> None:
    assert least <= trust(BUNDLED, query) <= most


def test_a_model_for_many_scripts_is_trusted_with_all() -> None:
    assert trust(replace(BUNDLED, reads_unspaced=True), "如何同步两台设备") == 1.0
