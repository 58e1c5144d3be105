"""Values that stand in all notes of a profile: kept in `profile.toml` as keyed digests, never in plain text."""

import re
import secrets
from collections.abc import Iterable

import msgspec

from scrubjay.credential_filter import value_digest
from scrubjay.daemon.home import Home
from scrubjay.profiles.private_files import stored_key
from scrubjay.profiles.registry.registry import Profile

_KEY_BYTES = 32
_REGEX_ONLY = frozenset("\\[](){}*+?|")


def installation_key(home: Home) -> bytes:
    """What this installation's digests are made with; no other one's digests match them."""
    return stored_key(home.data / "installation.key", lambda: secrets.token_bytes(_KEY_BYTES))


def is_pattern(entry: str) -> bool:
    """Whether an entry of `filter_allow` is a regex for many values, rather than one value."""
    if not _REGEX_ONLY & set(entry):
        return False
    try:
        re.compile(entry)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def with_standing(profile: Profile, digests: Iterable[str], key: bytes) -> Profile:
    """The settings with these values standing besides those that do; values still in plain text become digests."""
    plain = [value_digest(entry, key) for entry in profile.filter_allow if not is_pattern(entry)]
    together = tuple(dict.fromkeys((*profile.filter_digests, *plain, *digests)))
    patterns = tuple(entry for entry in profile.filter_allow if is_pattern(entry))
    return msgspec.structs.replace(profile, filter_allow=patterns, filter_digests=together)


def without_standing(profile: Profile, digests: Iterable[str], key: bytes) -> Profile:
    """The settings without these values; those still in plain text become digests."""
    gone = frozenset(digests)
    kept = with_standing(profile, (), key)
    return msgspec.structs.replace(
        kept, filter_digests=tuple(digest for digest in kept.filter_digests if digest not in gone)
    )
