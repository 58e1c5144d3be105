"""What answers in the review are about, as it is kept: digests of texts."""

from hashlib import blake2b


def subject_digest(subject: str) -> bytes:
    """What tells a proposal from others of its kind about its note, without saying it: 16 bytes."""
    return blake2b(subject.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def passage_subject(vault: str, path: str) -> str:
    """The subject of a passage that another note has, too: that note by its vault's id and path."""
    return f"passage\0{vault}\0{path}"
