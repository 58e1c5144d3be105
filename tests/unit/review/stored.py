"""Stored notes without a store."""

from scrubjay.profiles.store.note_texts import StoredNote


def note(path: str, **changes: object) -> StoredNote:
    """A Markdown note of a hundred words, as the store lists it."""
    values: dict[str, object] = {
        "note_id": 1,
        "vault": "v",
        "path": path,
        "title": path.rpartition("/")[2].removesuffix(".md"),
        "aliases": (),
        "tags": (),
        "properties_json": "{}",
        "mtime_ns": 0,
        "created_ns": None,
        "lang": "",
        "size": 600,
        "digest": b"",
        "fingerprint": "",
        "payload": 0,
        "passages": 1,
        "words": 100,
        "last_line": 10,
    }
    return StoredNote(**{**values, **changes})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
