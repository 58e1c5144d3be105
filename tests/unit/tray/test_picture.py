"""The drawn icon."""

from itertools import pairwise
from typing import get_args

import pytest

pytest.importorskip("PIL", reason="Pillow comes with the extra scrubjay[tray]")

from scrubjay.daemon.tray.picture import picture
from scrubjay.daemon.tray.shown import Light


def test_each_state_looks_different() -> None:
    drawn = {light: picture(light, 0.5).tobytes() for light in get_args(Light)}
    assert len(set(drawn.values())) == len(drawn)


def pixels(share: float) -> list[bytes]:
    data = picture("indexing", share).tobytes()
    return [data[start : start + 4] for start in range(0, len(data), 4)]


def test_progress_fills_the_ring() -> None:
    white = [sum(1 for p in pixels(share) if p[:3] == b"\xff\xff\xff") for share in (0, 0.3, 0.9)]
    assert all(less < more for less, more in pairwise(white))


def test_the_corners_are_transparent() -> None:
    assert picture("ready", 0).getpixel((0, 0)) == (0, 0, 0, 0)
