import secrets
from collections.abc import Iterator
from contextlib import nullcontext
from unittest.mock import patch

import pytest

from scrubjay.daemon.engine import closed_profiles
from scrubjay.profiles.registry import export, keys
from scrubjay.profiles.registry.registry import PassphraseSettings
from tests.helpers.forked import CAN_FORK, forked_workers, little_is_wiped
from tests.helpers.loaded import loaded_once
from tests.helpers.stores import file_store, module_store_kind, new_module_store, new_store, store, store_kind
from tests.helpers.team_server import team_database, team_server

__all__ = [
    "file_store",
    "module_store_kind",
    "new_module_store",
    "new_store",
    "store",
    "store_kind",
    "team_database",
    "team_server",
]


@pytest.fixture(scope="session", autouse=True)
def _what_takes_long_is_loaded_once() -> Iterator[None]:
    """A command that embeds loads it each time, since it is a process of its own elsewhere; and so does an engine."""
    with loaded_once(), forked_workers() if CAN_FORK else nullcontext():
        yield


@pytest.fixture(scope="session", autouse=True)
def _a_closed_profile_is_let_go_of_at_once() -> Iterator[None]:
    """Half a second each time is for what may be anywhere in a memory that others can read.

    What pytest itself keeps, a million objects, is not looked through for it.
    """
    with little_is_wiped(), patch.object(closed_profiles, "unsettle", lambda: False):
        yield


@pytest.fixture(scope="session", autouse=True)
def _a_passphrase_costs_little() -> Iterator[None]:
    """Half a second each time is for who guesses. What a profile was made with stands in its settings."""

    def settings() -> PassphraseSettings:
        return PassphraseSettings(salt=secrets.token_hex(16), memory_kib=32, passes=1)

    with (
        patch.object(keys, "new_passphrase_settings", settings),
        patch.object(export, "new_passphrase_settings", settings),
    ):
        yield
