"""Async tests run in asyncio, as the daemon does."""

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
