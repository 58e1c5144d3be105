"""psycopg for the modules beside this one; where it is not installed, importing any of them says how to have it."""

from scrubjay.profiles.errors import StoreError

try:
    import psycopg
    from psycopg import sql
except ImportError as error:
    raise StoreError(
        "A team's profile needs psycopg, which is not installed: pip install 'scrubjay[team]', or with pipx:"
        " pipx inject scrubjay 'psycopg[binary]'."
    ) from error

__all__ = ["psycopg", "sql"]
