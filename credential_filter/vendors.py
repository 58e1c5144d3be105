"""Names of services that hand out credentials."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def vendors() -> frozenset[str]:
    """Names of services that hand out credentials, in lower case."""
    text = (resources.files("scrubjay.credential_filter") / "data" / "vendors.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
