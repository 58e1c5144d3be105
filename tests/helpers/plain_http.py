"""Plain HTTP to a server of this machine, with nothing from the environment."""

import httpx

from tests.helpers.waiting import PATIENCE_SECONDS


def http_client(url: str = "", token: str | None = None) -> httpx.Client:
    """A client whose bearer is that token, or nobody. It reads no certificates, which takes longer than its calls."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=url, headers=headers, trust_env=False, verify=False, timeout=2 * PATIENCE_SECONDS)
