"""Writes `profiles/search/words/han.txt` anew: which Chinese characters are other ways of writing one.

Run once in a long while: `pip install opencc-python-reimplemented==0.1.7`, then `python packaging/han.py`. From
OpenCC's tables of traditional characters, of those of Hong Kong and Taiwan, and of Japan's new ones.
"""

# pyright: basic, reportMissingImports=false

from collections import defaultdict
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

TARGET = Path(__file__).parents[1] / "profiles" / "search" / "words" / "han.txt"
HEAD = """\
# Chinese characters, each followed by those that are other ways of writing it: traditional, of a region, Japan's.
# From OpenCC (https://github.com/BYVoid/OpenCC), Apache-2.0; made by packaging/han.py.
"""


def main() -> None:
    """Write the list, and say how large it is."""
    simplified = dict(_pairs("TSCharacters"))
    found: defaultdict[str, set[str]] = defaultdict(set)
    for traditional, plain in simplified.items():
        found[plain].add(traditional)
    for name in ("HKVariants", "TWVariants", "JPVariants"):
        for traditional, variant in _pairs(name):
            plain = simplified.get(traditional, traditional)
            if variant != plain and variant not in found and variant not in simplified:
                found[plain].add(variant)
            if traditional != plain:
                found[plain].add(traditional)
    of = {variant: plain for plain, variants in found.items() for variant in variants}
    chained = {plain: of[plain] for plain in found if plain in of}
    for plain, other in chained.items():
        if other not in chained:
            found[other] |= found.pop(plain)
    lines = [f"{plain}\t{''.join(sorted(variants))}" for plain, variants in sorted(found.items())]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines):,} characters, {TARGET.stat().st_size / 1024:.0f} KiB")


def _pairs(name: str) -> Iterator[tuple[str, str]]:
    """The first reading of each single character of a table."""
    text = (resources.files("opencc") / "dictionary" / f"{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        key, _, values = line.partition("\t")
        value = values.split()[0]
        if len(key) == len(value) == 1 and key != value:
            yield key, value


if __name__ == "__main__":
    main()
