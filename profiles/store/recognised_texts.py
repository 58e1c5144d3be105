"""What was recognised on pages and in pictures, by the digest of the file's bytes; credentials are taken out."""

from typing import cast

from scrubjay.profiles.store.statements import upsert
from scrubjay.profiles.store.store import Store


def recognised(store: Store, digest: bytes, reader: str) -> str | None:
    """The text that a reader recognised; None where that was not done yet. reader: with its version and the page."""
    with store.reading() as connection:
        sql = "SELECT unpacked(packed) FROM recognised WHERE digest = ? AND reader = ?"
        return cast("str | None", connection.execute(sql, (digest, reader)).get)


def keep_recognised(store: Store, digest: bytes, reader: str, text: str) -> None:
    """Keep what was recognised, "" for nothing, until the file is forgotten."""
    with store.writing() as writer:
        sql = upsert("recognised", ("digest", "reader"), ("packed",))
        writer.connection.execute(sql, (digest, reader, writer.connection.packed(text)))


def forget_unneeded(store: Store) -> None:
    """Forget what was recognised in files that are known no more. Not while files wait that may have it."""
    gone = "digest NOT IN (SELECT digest FROM note WHERE kind <> '')"
    with store.reading() as connection:
        if connection.execute(f"SELECT 1 FROM recognised WHERE {gone} LIMIT 1").get is None:  # noqa: S608 (a constant)
            return
    with store.writing() as writer:
        writer.connection.execute(f"DELETE FROM recognised WHERE {gone}")  # noqa: S608
        writer.removed_text = True
