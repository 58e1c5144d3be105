"""Names of services that hand out credentials."""

from __future__ import annotations

from functools import cache

from scrubjay.credential_filter import data


@cache
def vendors() -> frozenset[str]:
    """Names of services that hand out credentials, in lower case."""
    return frozenset(
        word for line in data.read("vendors.txt").splitlines() if not line.startswith("#") for word in line.split()
    )
