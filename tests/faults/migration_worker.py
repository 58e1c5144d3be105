"""Brings copies of an old database up to date, one after the other, until it is killed.

Usage: python -m tests.faults.migration_worker OLD FOLDER [HEX KEY]. Prints "ready". The copies are FOLDER/0,
FOLDER/1 and so on; each takes its name once it is whole.
"""

import itertools
import shutil
import sys
from pathlib import Path

from scrubjay.profiles.store import repack
from scrubjay.profiles.store.file_store import FileStore


def main() -> None:
    old, folder = Path(sys.argv[1]), Path(sys.argv[2])
    key = bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else None
    coming = folder / "coming"
    repack.ROWS = 1  # in many transactions
    print("ready", flush=True)
    for number in itertools.count():
        shutil.copyfile(old, coming)
        path = coming.rename(folder / str(number))
        FileStore.open(path, key=key).close()


if __name__ == "__main__":
    main()
