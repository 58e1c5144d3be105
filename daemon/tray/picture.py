"""The tray's icon, drawn: the jay, with a badge for what needs to be known."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from PIL import Image, ImageDraw

from scrubjay.daemon.tray.appearance import Light

Point: TypeAlias = tuple[float, float]

BODY = (
    "M4 19c5 .4 9-1 11-4.5c1.3-2.3.9-4.5 2.5-6l3-.8l-2.8-1.7c-1.5-2.3-4.8-2.6-6.6-.5c-1.7 2-1.3 4.4-3 7"
    "C7 14.2 5.8 16.5 4 19z"
)
"""The bird's outline as an SVG path in a square of 24, as on the search page."""

_SIZE = 64
_DRAWN = 4 * _SIZE  # and made smaller, which smooths the edges
_SQUARE = (3.0, 1.5, 19.0)  # what of the square of 24 is shown: left, top, width
_EYE: Point = (15.3, 7.4)
_LEGS = (((10.0, 17.6), (10.0, 20.3)), ((13.0, 16.4), (13.0, 20.3)))
_BADGE = ((46, 46), 17)  # centre and radius
_COLOURS: dict[Light, str] = {
    "off": "#57606a",
    "ready": "#2f6fb3",
    "indexing": "#2f6fb3",
    "paused": "#8b949e",
    "attention": "#2f6fb3",
}
_BADGES: dict[Light, str] = {"indexing": "#1f4e86", "paused": "#57606a", "attention": "#d9822b"}
_CURVE_STEPS = 12
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


def picture(light: Light, share: float, *, is_template: bool = False) -> Image.Image:
    """64 by 64 pixels with transparency. `share`, 0 to 1, is drawn as a ring while indexing.

    A white edge keeps it legible on dark and blue bars. is_template: black alone, of which macOS takes the shape and
    chooses the colour; no edge then.
    """
    image = Image.new("RGBA", (_DRAWN, _DRAWN), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    colour, edge = ("black", "") if is_template else (_COLOURS[light], "white")
    body = [_placed(point) for point in flattened(BODY)]
    if edge:
        _lines(draw, body, edge, 28)
        _legs(draw, edge, 30)
    if light == "off":
        draw.polygon(body, fill=edge or None)
        _lines(draw, body, colour, 16)
    else:
        draw.polygon(body, fill=colour)
        _lines(draw, body, colour, 6)
        _dot(draw, _placed(_EYE), 9, edge or (0, 0, 0, 0))
    _legs(draw, colour, 12)
    if light in _BADGES:
        _badge(draw, light, share, is_template=is_template)
    return image.resize((_SIZE, _SIZE), Image.Resampling.LANCZOS)


def flattened(path: str) -> list[Point]:
    """The corners of a closed SVG path of M, l, c, C and z, its curves in short lines."""
    points: list[Point] = []
    for command, numbers in _commands(path):
        at = points[-1] if points and command.islower() else (0.0, 0.0)
        pairs = [(at[0] + x, at[1] + y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if command in "cC":
            points += _curve(points[-1], pairs)
        else:
            points += pairs
    return points


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    command, numbers = "", list[float]()
    for token in _TOKEN.findall(path):
        if token.isalpha():
            if command:
                yield command, numbers
            command, numbers = token, []
        else:
            numbers.append(float(token))


def _curve(start: Point, pairs: Sequence[Point]) -> Iterator[Point]:
    """A cubic Bézier curve from `start`: two points that pull, and its end."""
    one, two, end = pairs
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        corners = (start, one, two, end)
        yield (
            sum(weight * corner[0] for weight, corner in zip(weights, corners, strict=True)),
            sum(weight * corner[1] for weight, corner in zip(weights, corners, strict=True)),
        )


def _placed(point: Point) -> Point:
    left, top, width = _SQUARE
    return (point[0] - left) / width * _DRAWN, (point[1] - top) / width * _DRAWN


def _lines(draw: ImageDraw.ImageDraw, corners: Sequence[Point], colour: str, width: int) -> None:
    """The outline, with round corners."""
    draw.line([*corners, corners[0]], fill=colour, width=width)
    for corner in corners:
        _dot(draw, corner, width / 2, colour)


def _legs(draw: ImageDraw.ImageDraw, colour: str, width: int) -> None:
    for leg in _LEGS:
        draw.line([_placed(end) for end in leg], fill=colour, width=width)


def _dot(draw: ImageDraw.ImageDraw, centre: Point, radius: float, colour: str | tuple[int, int, int, int]) -> None:
    x, y = centre
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _badge(draw: ImageDraw.ImageDraw, light: Light, share: float, *, is_template: bool) -> None:
    """A disc in the corner: two bars, an exclamation mark, or how far indexing is."""
    scale = _DRAWN / _SIZE
    x, y = (part * scale for part in _BADGE[0])
    radius = _BADGE[1] * scale
    mark = (0, 0, 0, 0) if is_template else "white"
    _dot(draw, (x, y), radius, mark)
    _dot(draw, (x, y), radius - 2 * scale, "black" if is_template else _BADGES[light])
    if light == "paused":
        for side in (-1, 1):
            middle = x + side * 4.5 * scale
            draw.rectangle((middle - 2.5 * scale, y - 7 * scale, middle + 2.5 * scale, y + 7 * scale), fill=mark)
    elif light == "attention":
        draw.rectangle((x - 2.5 * scale, y - 9 * scale, x + 2.5 * scale, y + 2 * scale), fill=mark)
        _dot(draw, (x, y + 7 * scale), 3 * scale, mark)
    else:
        ring = radius - 4.5 * scale
        draw.arc((x - ring, y - ring, x + ring, y + ring), -90, -90 + 360 * share, fill=mark, width=round(5 * scale))
