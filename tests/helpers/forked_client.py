"""Has a command run by who listens at the socket that the first argument names, with this process's streams.

Nothing but the standard library is imported, and little of that: this runs for every command.
"""

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence


def main() -> None:
    """Leave with the status that the command left with, which is sent what this process is told to end by."""
    name, *arguments = sys.argv[1:]
    connection, command = ask(name, arguments, os.environ, (0, 1, 2))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda told, _: os.kill(command, told))
    sys.exit(status(connection) % 256)


def ask(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]
) -> tuple[socket.socket, int]:
    """Have a command forked with three streams: the connection, whose end ends it, and its process's id."""
    request = json.dumps([arguments, dict(environment), os.getcwd()]).encode()  # noqa: PTH109  # pathlib is large
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(f"\0{name}")
    socket.send_fds(connection, [len(request).to_bytes(4, "big")], streams)
    connection.sendall(request)
    return connection, int.from_bytes(connection.recv(4), "big")


def status(connection: socket.socket) -> int:
    """What the command leaves with, which is waited for; minus a number where a signal ends it. Raises TimeoutError."""
    said = connection.recv(2)
    if not said:
        sys.exit("what runs the commands of this test has ended")
    return int.from_bytes(said, "big", signed=True)


if __name__ == "__main__":
    main()
