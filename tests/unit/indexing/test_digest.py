"""Digests say nothing without the key, and always the same with it."""

from scrubjay.profiles.digests import bytes_digest, text_digest

KEY, OTHER = b"k" * 32, b"o" * 32


def test_the_same_text_has_the_same_digest_under_one_key_only() -> None:
    assert text_digest("Grüße", KEY) == text_digest("Grüße", KEY)
    assert text_digest("Grüße", KEY) != text_digest("Grüße", OTHER)
    assert text_digest("Grüße", KEY) != text_digest("Grüsse", KEY)


def test_digests_have_sixteen_bytes() -> None:
    assert len(text_digest("", KEY)) == len(bytes_digest(b"", KEY)) == 16


def test_text_is_digested_as_utf8_whatever_is_in_it() -> None:
    assert text_digest("Grüße", KEY) == bytes_digest("Grüße".encode(), KEY)
    assert len(text_digest("\ud800", KEY)) == 16
