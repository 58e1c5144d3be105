"""`python -m tests.faults.scrub_worker STEP …` is `scrubjay …`, ended at its STEP-th call that changes the disk.

One that comes to its end prints how many such calls it made, last.
"""

import runpy
import sys

from tests.faults.test_kill_apply import die_at

if __name__ == "__main__":
    steps = die_at(int(sys.argv.pop(1)))
    try:
        runpy.run_module("scrubjay.daemon", run_name="__main__")
    finally:
        print(steps())
