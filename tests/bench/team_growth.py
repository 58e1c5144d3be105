"""`python -m tests.bench.team_growth FIGURES… > docs/images/team-growth.svg`: how searches of a team's profile grow.

FIGURES: what `python -m tests.bench.team --only search` has printed, of the sizes that are to be in the drawing.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log10
from pathlib import Path
from typing import TypeAlias, cast

Curve: TypeAlias = Mapping[int, float]
"""By the number of passages: milliseconds."""

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 420, 60, 190, 50, 50
_TITLE = re.compile(r"(team|file), ([\d,]+) passages")
_MEDIAN = re.compile(r"p50 ([\d.]+) ms")
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True)
class _Style:
    """A curve: whose, of which figure, what it is called, and how it is drawn."""

    store: str
    figure: str
    label: str
    colour: str
    dash: str = ""


_STYLES = (
    _Style("team", "hybrid", "hybrid", "#1f5fa8"),
    _Style("file", "hybrid", "hybrid, a file", "#1f5fa8", "5 4"),
    _Style("team", "the commonest words", "“the of and”, by words", "#b3541e"),
    _Style("team", "lexical", "by words", "#5b8c2a"),
    _Style("team", "semantic", "by meaning", "#7a4ba0"),
)


def curves(printed: Iterable[str]) -> dict[tuple[str, str], dict[int, float]]:
    """The medians in what the bench printed, by store ("team" or "file") and figure; the last of a size counts."""
    found: dict[tuple[str, str], dict[int, float]] = {}
    for line in printed:
        if not line.strip().startswith("json {"):
            continue
        for title, figures in cast("dict[str, dict[str, object]]", json.loads(line.strip()[5:])).items():
            if of := _TITLE.fullmatch(title):
                for name, value in figures.items():
                    if median := _MEDIAN.match(str(value)):
                        size = int(of[2].replace(",", ""))
                        found.setdefault((of[1], name), {})[size] = float(median[1])
    return found


def drawing(found: Mapping[tuple[str, str], Curve]) -> str:
    """The curves as an SVG image, both axes logarithmic. Raises ValueError where there is nothing to draw."""
    shown = [(style, found[key]) for style in _STYLES if (key := (style.store, style.figure)) in found]
    if not shown:
        raise ValueError("There are no figures of searches in it.")
    sizes = sorted({size for _, curve in shown for size in curve})
    values = [value for _, curve in shown for value in curve.values()]
    ticks = [tick for tick in _TICKS if tick <= 2 * max(values) and tick >= min(values) / 2]

    def x(size: float) -> float:
        span = log10(sizes[-1] / sizes[0]) or 1.0
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * log10(size / sizes[0]) / span

    def y(value: float) -> float:
        span = log10(ticks[-1] / ticks[0]) or 1.0
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * log10(value / ticks[0]) / span

    right = _WIDTH - _RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif"'
        ' font-size="13" role="img" aria-label="Milliseconds of a search by the number of passages">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="26" font-size="15">A search of a team\'s profile, milliseconds (median)</text>',
        *(f'<path d="M{_LEFT} {y(tick):.1f}H{right}" stroke="#e3e3e3"/>' for tick in ticks),
        *(f'<text x="{_LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>' for tick in ticks),
        *(
            f'<text x="{x(size):.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{size:,}</text>'
            for size in sizes
        ),
        f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 10}" text-anchor="middle">passages</text>',
    ]
    labels = _apart([y(curve[max(curve)]) for _, curve in shown])
    for (style, curve), label in zip(shown, labels, strict=True):
        points = " ".join(f"{x(size):.1f},{y(curve[size]):.1f}" for size in sorted(curve))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{style.colour}" stroke-width="2"'
            f' stroke-dasharray="{style.dash}"/>'
        )
        last = max(curve)
        parts.append(f'<circle cx="{x(last):.1f}" cy="{y(curve[last]):.1f}" r="3" fill="{style.colour}"/>')
        text = f"{style.label}: {curve[last]:g}" + ("" if last == sizes[-1] else f" at {last:,}")
        parts.append(f'<text x="{right + 10}" y="{label + 4:.1f}" fill="{style.colour}">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _apart(heights: Sequence[float], least: float = 18.0) -> list[float]:
    """The heights, moved down where two labels would touch."""
    moved = list(heights)
    order = sorted(range(len(heights)), key=lambda each: heights[each])
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + least)
    return moved


def main() -> None:
    """Draw."""
    printed = [line for name in sys.argv[1:] for line in Path(name).read_text("utf-8").splitlines()]
    sys.stdout.write(drawing(curves(printed)))


if __name__ == "__main__":
    main()
