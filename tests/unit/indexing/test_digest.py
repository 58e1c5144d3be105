"""Digests say nothing without the key, and always the same with it."""

from scrubjay.profiles.digests import bytes_digest, text_digest

KEY, OTHER = b"k" * 32, b"o" * 32


def test_the_same_text_has_the_same_digest_under_one_key_only() -> None:
    made = {text_digest(text, key) for text in ("Grüße", "Grüsse", "", "\ud800") for key in (KEY, OTHER)}
    assert [len(each) for each in made] == [16] * 8
    assert text_digest("Grüße", KEY) == bytes_digest("Grüße".encode(), KEY)
