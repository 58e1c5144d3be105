"""The drawn icon: each state is seen, on whatever bar it stands."""

from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, get_args

import pytest

pytest.importorskip("PIL", reason="Pillow comes with the extra scrubjay[tray]")

from PIL import Image

from scrubjay.daemon.tray.appearance import Light
from scrubjay.daemon.tray.picture import BODY, flattened, picture

LIGHTS = get_args(Light)
BARS = {"white": "#ffffff", "black": "#1e1e1e", "its own blue": "#2f6fb3", "grey": "#8b949e", "amber": "#d9822b"}
SMALL = 22  # pixels, as most bars show it
ROOT = Path(__file__).parents[3]


@cache
def on(bar: str, light: Light, *, is_template: bool = False) -> list[tuple[int, int, int]]:
    """The pixels of the icon on a bar of one colour, in the size of a bar."""
    image = Image.new("RGB", (64, 64), bar)
    drawn = picture(light, 0.5, is_template=is_template)
    image.paste(drawn, (0, 0), drawn)
    data = image.resize((SMALL, SMALL), Image.Resampling.LANCZOS).tobytes()
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]


@cache
def luminance(pixel: tuple[int, ...]) -> float:
    """Relative luminance (WCAG 2.2)."""
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in pixel]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def seen(bar: str, light: Light, *, is_template: bool = False) -> int:
    """How many pixels of the small icon stand out by three to one, as graphics should (WCAG 2.2, 1.4.11)."""
    background = luminance(Image.new("RGB", (1, 1), bar).getpixel((0, 0)))  # pyright: ignore[reportArgumentType]
    count = 0
    for pixel in on(bar, light, is_template=is_template):
        bright, dark = sorted((luminance(pixel), background), reverse=True)
        count += (bright + 0.05) / (dark + 0.05) >= 3
    return count


@pytest.mark.parametrize("light", LIGHTS)
def test_each_state_is_seen_on_each_bar_and_its_shape_alone_where_the_system_colours_it(light: Light) -> None:
    assert min(seen(BARS[bar], light) for bar in ("white", "black", "its own blue")) >= 30
    assert seen("#ffffff", light, is_template=True) >= 30
    assert set(picture(light, 0.5, is_template=True).convert("RGB").tobytes()) == {0}


@pytest.mark.parametrize(("bar", "is_template"), [*((bar, False) for bar in BARS), ("white", True)])
def test_states_differ_from_each_other_in_the_size_of_a_bar(bar: str, *, is_template: bool) -> None:
    for one, other in combinations(LIGHTS, 2):
        pairs = zip(*(on(BARS[bar], light, is_template=is_template) for light in (one, other)), strict=True)
        assert sum(sum(abs(a - b) for a, b in zip(*pair, strict=True)) > 120 for pair in pairs) >= 12, (one, other)


def pixels(image: Any) -> list[bytes]:
    data = image.tobytes()
    return [data[start : start + 4] for start in range(0, len(data), 4)]


def test_progress_fills_the_ring() -> None:
    white = [sum(1 for p in pixels(picture("indexing", share)) if p[:3] == b"\xff\xff\xff") for share in (0, 0.3, 0.9)]
    assert all(less < more for less, more in pairwise(white))


def test_it_is_the_bird_of_the_page_and_of_the_desktops_icon_on_nothing() -> None:
    corners = flattened(BODY)
    assert corners[0] == (4, 19) == pytest.approx(corners[-1])
    assert (min(x for x, _ in corners), max(x for x, _ in corners)) == pytest.approx((4, 20.5))
    for place in ("packaging/icons/scrubjay.svg", "obsidian-plugin/src/panel/shared/icons.ts"):
        assert BODY in (ROOT / place).read_text(encoding="utf-8")
    assert picture("ready", 0).getpixel((0, 0)) == (0, 0, 0, 0)
