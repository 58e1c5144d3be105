"""`python -m tests.bench.files FOLDER`: its files through the box: what they yield, how fast, in how much memory."""

import argparse
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from scrubjay.daemon.documents.extracted import extension_of, kind_of
from scrubjay.daemon.documents.sandbox.box import Box
from tests.bench.running import print_figures

_FILE_SECONDS = 60.0


@dataclass
class Format:
    """Figures of the files with one extension."""

    files: int = 0
    yielded: int = 0
    places: int = 0
    characters: int = 0
    seconds: float = 0.0  # of the box's processor
    slowest: float = 0.0  # seconds of waiting
    reasons: Counter[str] = field(default_factory=Counter[str])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    files = sorted(path for path in parser.parse_args().folder.rglob("*") if path.is_file() and kind_of(path.name))
    formats: dict[str, Format] = {}
    box = Box(lambda: _FILE_SECONDS)
    box.extract(".txt", b"warm")
    before, peak = _resident(os.getpid()), 0
    for path in files:
        _measure(box, path, formats.setdefault(extension_of(path.name), Format()))
        peak = max(peak, _resident(box.pid) if box.pid else 0)
    for extension, found in sorted(formats.items()):
        figures: dict[str, object] = {
            "files": found.files,
            "with text": found.yielded,
            "places": found.places,
            "characters": found.characters,
            "places a second": found.places / max(found.seconds, 0.01),
            "slowest, seconds": found.slowest,
        }
        print_figures(extension, figures | {f"unreadable: {reason}": count for reason, count in found.reasons.items()})
    print_figures("memory, MB", {"box": peak / 1e6, "daemon": (_resident(os.getpid()) - before) / 1e6})
    box.close()


def _measure(box: Box, path: Path, into: Format) -> None:
    used, began = _used(box), time.monotonic()
    with path.open("rb") as file:
        found = box.extract(extension_of(path.name), file, path.stat().st_size)
    into.files += 1
    into.slowest = max(into.slowest, time.monotonic() - began)
    into.seconds += max(0.0, _used(box) - used)
    into.yielded += bool(found.parts)
    into.places += len({part.place for part in found.parts})
    into.characters += sum(len(part.text) for part in found.parts)
    if found.unreadable:
        into.reasons[found.unreadable.reason] += 1


def _used(box: Box) -> float:
    times = psutil.Process(box.pid).cpu_times() if box.pid else None
    return times.user + times.system if times else 0.0


def _resident(pid: int) -> int:
    return int(psutil.Process(pid).memory_info().rss)


if __name__ == "__main__":
    main()
