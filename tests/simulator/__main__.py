"""`python -m tests.simulator SEED [--to SEED]`: runs seeds; exit status 1 when one of them goes wrong."""

import argparse
import sys
import time
import traceback

from tests.simulator.machine import database_folder
from tests.simulator.running import Simulation, Violation


def main() -> None:
    """Run the seeds and print what was violated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--to", type=int, help="run all seeds from the first up to this one, and not this one")
    parser.add_argument("--quiet", action="store_true", help="say what went wrong, not what happened before")
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.to or asked.seed + 1)
    began, failed = time.monotonic(), 0
    for seed in seeds:
        with database_folder() as folder:
            simulation = Simulation(seed, folder)
            try:
                simulation.run()
            except Exception as error:  # noqa: BLE001  (whatever the program raises is a violation, too)
                failed += 1
                if not asked.quiet:
                    print("\n".join(simulation.person.log))
                    traceback.print_exception(error)
                print(f"seed {seed}: {error!r}" if not isinstance(error, Violation) else error)
    print(f"{len(seeds):,} seeds, {failed} failed, {time.monotonic() - began:.1f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
