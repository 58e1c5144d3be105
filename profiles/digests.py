"""Keyed digests: the same text has the same digest in every profile, and none says anything without the key."""

from hashlib import blake2b

_SIZE = 16


def text_digest(text: str, key: bytes) -> bytes:
    """blake2b of a chunk's text in UTF-8 under the installation's key, 16 bytes."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=_SIZE).digest()


def bytes_digest(data: bytes, key: bytes) -> bytes:
    """blake2b of a file's bytes under the installation's key, 16 bytes."""
    return blake2b(data, key=key, digest_size=_SIZE).digest()
