"""One daemon a home: the lock that it holds while it lives."""

from filelock import FileLock, Timeout

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.identity import read_discovery
from scrubjay.profiles.errors import ScrubjayError


class AlreadyRunning(ScrubjayError):
    """Another daemon serves this home."""

    code = "already-running"
    status = 409


class InstanceLock:
    """Held by the daemon, or by a command that indexes without one. The system releases it when a process is killed.

    Entering raises AlreadyRunning, which says where the other one is.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        home.state.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = FileLock(home.state / "daemon.lock", mode=0o600)

    def __enter__(self) -> "InstanceLock":
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise AlreadyRunning(self._where()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def _where(self) -> str:
        found = read_discovery(self._home.discovery)
        if found is None:
            return "Another scrubjay command, or a daemon that starts or stops, is at work. Try again in a moment."
        return f"Scrubjay is running already, at {found.url} (process {found.pid}). `scrubjay stop` ends it."
