"""A keyring in a file, for `make run-team` alone: a trial puts nothing into the keyring of the system."""

import json
import os
from pathlib import Path

import keyring.backend
import keyring.errors


class TrialKeyring(keyring.backend.KeyringBackend):
    """Keeps what it is given in the file that $SCRUBJAY_TRIAL_KEYRING names, readable by its owner alone."""

    priority = -1  # never chosen unless named  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def get_password(self, service: str, username: str) -> str | None:
        """What is kept, or None."""
        del service
        return self._read().get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep it in place of what was."""
        del service
        self._write({**self._read(), username: password})

    def delete_password(self, service: str, username: str) -> None:
        """Forget it. Raises PasswordDeleteError where there is none."""
        del service
        kept = self._read()
        if kept.pop(username, None) is None:
            raise keyring.errors.PasswordDeleteError(username)
        self._write(kept)

    def _read(self) -> dict[str, str]:
        return json.loads(_file().read_text()) if _file().exists() else {}

    def _write(self, kept: dict[str, str]) -> None:
        _file().touch(mode=0o600)
        _file().write_text(json.dumps(kept))


def _file() -> Path:
    return Path(os.environ["SCRUBJAY_TRIAL_KEYRING"])
