"""Runs commands of `scrubjay`, a line of JSON each, and dies in each at the nth call of the file system."""

import json
import os
import sys

import keyring
import keyring.backends.fail

from scrubjay.daemon.cli.app import scrubjay

_EVENTS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "tempfile.mkstemp")


def main() -> None:
    """For each job says the status of the process that did it: 9 where it was killed."""
    keyring.set_keyring(keyring.backends.fail.Keyring())
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            os.environ.update(job["environment"])
            die_at(job["nth"])
            try:
                scrubjay(job["arguments"], standalone_mode=False)
            except BaseException:  # noqa: BLE001 (nothing of it may go on in the child)
                os._exit(1)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def die_at(nth: int) -> None:
    left = nth

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if (
            event in _EVENTS
            and "site-packages" not in str(arguments[:1])
            and not str(arguments[:1]).endswith(".pyc',)")
        ):
            left -= 1
            if left == 0:
                os._exit(9)

    sys.addaudithook(audit)


if __name__ == "__main__":
    main()
