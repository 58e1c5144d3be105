"""Plain HTTP to a server of this machine, with nothing from the environment."""

import hashlib
import hmac

import httpx

from tests.helpers.waiting import PATIENCE_SECONDS


def http_client(url: str = "", token: str | None = None) -> httpx.Client:
    """A client whose bearer is that token, or nobody. It reads no certificates, which takes longer than its calls."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=url, headers=headers, trust_env=False, verify=False, timeout=2 * PATIENCE_SECONDS)


def page_client(url: str, ticket: str) -> httpx.Client:
    """What the search page sends its requests with, once it was opened by this ticket."""
    page = http_client(url)
    page.headers["Origin"] = url
    key = page.post("/v1/session", json={"ticket": ticket}).json()["key"]
    instance = page.get("/health").json()["instance"]
    page.headers["X-Scrubjay-Csrf"] = hmac.new(key.encode(), instance.encode(), hashlib.sha256).hexdigest()
    return page
