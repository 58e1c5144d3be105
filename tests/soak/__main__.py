"""`python -m tests.soak [--minutes M] [--notes N]`: prints how it went; exit status 1 when the index went wrong."""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.soak.running import soak

_MOST_GROWTH = 1.25  # of memory, from the first third of the time to the last


def main() -> None:
    """Run one soak and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--kill-minutes", type=float, default=3, help="between kills, on average")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scrubjay-soak-") as folder:
        outcome = soak(
            Path(folder),
            notes=asked.notes,
            seconds=asked.minutes * 60,
            kill_every=asked.kill_minutes * 60,
            seed=asked.seed,
            tell=partial(print, flush=True),
        )
    print(f"{outcome.changes:,} changes, {outcome.searches:,} searches, {outcome.kills} kills")
    print(f"memory: {outcome.early_bytes / 1e6:.0f} MB early, {outcome.late_bytes / 1e6:.0f} MB late")
    print("\n".join(outcome.differences) or "the index equals a full rescan's")
    print(outcome.problems or "`scrubjay check` finds nothing wrong")
    is_flat = outcome.late_bytes <= _MOST_GROWTH * outcome.early_bytes
    sys.exit(0 if is_flat and not outcome.differences and not outcome.problems else 1)


if __name__ == "__main__":
    main()
