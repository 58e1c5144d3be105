"""Secrets in the keyring of the operating system (Keychain, Credential Manager, Secret Service), by name.

It is loaded when it is first asked for: it takes 3 MB, with the Secret Service 7, and a daemon whose profiles are not
encrypted asks it for nothing.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress

_SERVICE = "scrubjay"


class KeyringFails(Exception):
    """There is no keyring here, or it can't be reached, or it refuses."""


def get_secret(name: str) -> str | None:
    """The secret of this name, if there is one. Raises KeyringFails."""
    with _asking():
        import keyring  # noqa: PLC0415

        return keyring.get_password(_SERVICE, name)


def put_secret(name: str, secret: str) -> None:
    """Keep a secret, in place of any before. Raises KeyringFails."""
    with _asking():
        import keyring  # noqa: PLC0415

        keyring.set_password(_SERVICE, name, secret)


def forget_secret(name: str) -> None:
    """Forget a secret, if there is one. Raises KeyringFails."""
    with _asking():
        import keyring  # noqa: PLC0415
        import keyring.errors  # noqa: PLC0415

        with suppress(keyring.errors.PasswordDeleteError):
            keyring.delete_password(_SERVICE, name)


def backend() -> str | None:
    """The name of what keeps secrets here; None where nothing does. Raises KeyringFails."""
    with _asking():
        import keyring  # noqa: PLC0415
        import keyring.backends.fail  # noqa: PLC0415

        found = keyring.get_keyring()
        if isinstance(found, keyring.backends.fail.Keyring):
            return None
        return type(found).__module__.rsplit(".", maxsplit=1)[-1]


@contextmanager
def _asking() -> Generator[None]:
    try:
        yield
    except Exception as error:  # backends let through whatever their libraries raise, as does what chooses one
        raise KeyringFails(type(error).__name__) from error
