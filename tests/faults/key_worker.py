"""Changes how a profile is protected, over and over, until it is killed.

Usage: python -m tests.faults.key_worker REGISTRY NAME SEED, with $SCRUBJAY_TEST_KEYRING. Prints "ready".
"""

import itertools
import random
import sys
from pathlib import Path

import keyring

from scrubjay.profiles.registry.keys import Custody, OsKeyring, Protection
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.registry.work_lock import work_lock
from tests.helpers.file_keyring import FileKeyring

STEPS: tuple[Protection, ...] = ("none", "keyring", "keyring")


def main() -> None:
    keyring.set_keyring(FileKeyring())  # pyright: ignore[reportUnknownMemberType]
    registry, name = Registry(Path(sys.argv[1])), sys.argv[2]
    custody = Custody(registry, OsKeyring())
    begin = random.Random(int(sys.argv[3])).randrange(len(STEPS))
    print("ready", flush=True)
    for number in itertools.count(begin):
        wanted = STEPS[number % len(STEPS)]
        profile = registry.get(name)
        if (wanted, profile.encrypted) == ("none", False):
            continue
        with work_lock(registry.folder_of(profile)):
            custody.protect(profile, wanted)


if __name__ == "__main__":
    main()
