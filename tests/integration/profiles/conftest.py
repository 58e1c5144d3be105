"""What every store promises: each test of a store runs on a file and on a server."""

from tests.helpers.stores import either_kind

__all__ = ["either_kind"]
