"""How fast the credential filter reads notes, hostile texts too, beside detect-secrets and CredSweeper."""

import json
import subprocess
import time
import venv
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from scrubjay.credential_filter import redact
from tests.bench.running import print_figures
from tests.unit.credential_filter.test_linear import HOSTILE

_MOST_BYTES = 20_000_000  # of notes; a sample of larger vaults
_RIVAL_BYTES = 600_000  # for scanners that need seconds for a megabyte
_ROUNDS = 3
_HUNDRED_KB = 100_000
_HOSTILE_SIZES = (100_000, 200_000, 400_000)  # characters
_LARGE = 20_000  # characters; the time of a shorter note says little of 100 kB
_RIVALS = ("detect-secrets==1.5.0", "credsweeper==1.19.5")


def bench_filter(vault: Path, *, rivals: bool) -> None:
    """Print the figures for the Markdown notes below `vault`; with `rivals` those of other scanners, too."""
    texts = _notes(vault, _MOST_BYTES)
    size = _size(texts)
    seconds = min(_seconds(texts) for _ in range(_ROUNDS))
    large = [text for text in texts if len(text) >= _LARGE]
    print_figures(
        "credential filter",
        {
            "notes": len(texts),
            "MB": round(size / 1e6, 1),
            "MB a second of one core": round(size / 1e6 / seconds, 1),
            "slowest note, ms": round(max(map(_milliseconds, texts)), 1),
            "slowest large note, ms for 100 kB": round(
                max((_milliseconds(text) * _HUNDRED_KB / len(text) for text in large), default=0), 1
            ),
        },
    )
    print_figures("hostile texts: seconds for 100 kB of a text of 100, 200 and 400 kB", hostile_figures())
    if rivals:
        _bench_rivals(_notes(vault, _RIVAL_BYTES))


def hostile_figures() -> dict[str, object]:
    """For each kind of hostile text, the slowest first, what 100 kB of it cost in texts of growing size."""
    costs = {
        name: [min(_cost(make(size)) for _ in range(_ROUNDS)) for size in _HOSTILE_SIZES]
        for name, make in HOSTILE.items()
    }
    slowest = sorted(costs, key=lambda name: -max(costs[name]))
    return {name: "  ".join(f"{seconds:.3f}" for seconds in costs[name]) for name in slowest}


def _cost(text: str) -> float:
    """Seconds for 100 kB of the text."""
    return _seconds([text]) * _HUNDRED_KB / _size([text])


def _bench_rivals(texts: Sequence[str]) -> None:
    python = _environment()
    done = subprocess.run(
        [python, Path(__file__).with_name("rivals.py")],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    ours, size = min(_seconds(texts) for _ in range(_ROUNDS)), _size(texts) / 1e6
    theirs: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    figures: dict[str, object] = {"MB": round(size, 2), "ours, MB a second": round(size / ours, 1)}
    for name, seconds in theirs.items():
        figures |= {f"{name}, MB a second": round(size / seconds, 3), f"ours / {name}": round(seconds / ours)}
    print_figures("credential filter beside others, on a sample", figures)


def _environment() -> Path:
    """Python of an environment that has the rivals; made at the first run, in the cache folder."""
    folder = platformdirs.user_cache_path("scrubjay-bench") / "-".join(_RIVALS)
    python = next((path for path in (folder / "bin/python", folder / "Scripts/python.exe") if path.exists()), None)
    if python is None:
        venv.create(folder, with_pip=True)
        return _environment()
    if not (folder / "ready").exists():
        subprocess.run([python, "-m", "pip", "install", "--quiet", *_RIVALS], check=True)
        (folder / "ready").touch()
    return python


def _notes(vault: Path, most_bytes: int) -> list[str]:
    """Notes from all over the vault, about as many bytes as asked for."""
    files = sorted(vault.rglob("*.md"))
    total = sum(file.stat().st_size for file in files)
    step = max(1, -(-total // most_bytes))
    return [file.read_text(encoding="utf-8", errors="replace") for file in files[::step]]


def _seconds(texts: Sequence[str]) -> float:
    start = time.process_time()
    for text in texts:
        redact(text)
    return time.process_time() - start


def _milliseconds(text: str) -> float:
    return 1e3 * _seconds([text])


def _size(texts: Sequence[str]) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)
