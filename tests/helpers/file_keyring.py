"""A keyring in a file, for tests: PYTHON_KEYRING_BACKEND=tests.helpers.file_keyring.FileKeyring."""

import json
import os
import tempfile
from hashlib import blake2b
from pathlib import Path

import keyring.backend
import keyring.errors

from scrubjay.profiles.private_files import locked


def kept_in(path: Path) -> dict[str, str]:
    """What an installation is given to have its keyring in this file."""
    return {"PYTHON_KEYRING_BACKEND": f"{__name__}.FileKeyring", "SCRUBJAY_TEST_KEYRING": str(path)}


class FileKeyring(keyring.backend.KeyringBackend):
    """Keeps what it is given in the file that $SCRUBJAY_TEST_KEYRING names, for every process that is told of it."""

    priority = -1  # never chosen unless named  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def get_password(self, service: str, username: str) -> str | None:
        return _read().get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        with locked(_lock()):
            _write({**_read(), username: password})

    def delete_password(self, service: str, username: str) -> None:
        with locked(_lock()):
            kept = _read()
            if username not in kept:
                raise keyring.errors.PasswordDeleteError
            del kept[username]
            _write(kept)


def _lock() -> Path:
    """Apart from the file, beside which a test may look at what is left."""
    return Path(tempfile.gettempdir()) / f"keyring-{blake2b(bytes(_path()), digest_size=8).hexdigest()}"


def _path() -> Path:
    return Path(os.environ["SCRUBJAY_TEST_KEYRING"])


def _read() -> dict[str, str]:
    return json.loads(_path().read_text()) if _path().exists() else {}


def _write(entries: dict[str, str]) -> None:
    temporary = _path().with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(entries))
    temporary.replace(_path())
