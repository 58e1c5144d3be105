"""Has a command run by who listens at the socket that the first argument names, with this process's streams.

Nothing but the standard library is imported, and little of that: this runs for every command.
"""

import json
import os
import signal
import socket
import sys


def main() -> None:
    """Leave with the status that the command left with, which is sent what this process is told to end by."""
    name, *arguments = sys.argv[1:]
    request = json.dumps([arguments, dict(os.environ), os.getcwd()]).encode()  # noqa: PTH109  # pathlib is large
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"\0{name}")
        socket.send_fds(connection, [len(request).to_bytes(4, "big")], [0, 1, 2])
        connection.sendall(request)
        command = int.from_bytes(connection.recv(4), "big")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda told, _: os.kill(command, told))
        status = connection.recv(1)
    sys.exit(status[0] if status else "what runs the commands of this test has ended")


if __name__ == "__main__":
    main()
