"""No test depends on luck: not on how busy the machine is, nor on which examples hypothesis happens to draw."""

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# As `scrubjay` does it, before numpy is imported here, or in what daemons are forked from.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `make test` draws the same few examples each time, so what passed passes again; `make test-slow` looks for new ones.
settings.register_profile("same", settings.get_profile("untimed"), derandomize=True, max_examples=50)
settings.register_profile("exploring", settings.get_profile("untimed"), max_examples=500)
settings.load_profile("same")

# A million objects of pytest's live as long as the tests do: to look through them again costs a fifth of the time that
# collecting takes, and then half a second whenever a profile is closed, since that collects garbage.
gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What there is once all tests are collected is never looked at again for garbage."""
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run in asyncio, as the daemon does."""
    return "asyncio"
