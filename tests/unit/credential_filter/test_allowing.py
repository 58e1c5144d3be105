"""What is allowed stays, by its digest or its place; what is stored side by side is filtered together."""

from scrubjay.credential_filter import BUILT_IN, redact, redact_many, redact_text, value_digest, values_of
from scrubjay.credential_filter.rules.templates import expand

TOKEN = expand("ghp_{alnum:36}", "allow")
OTHER = expand("ghp_{alnum:36}", "other")
PASSWORD = expand("Heron#{digit:5}x", "allow")
KEY = b"a profile's own key"


def test_a_value_is_allowed_by_its_keyed_digest_alone() -> None:
    rules = BUILT_IN.with_digests(KEY, [value_digest(TOKEN, KEY)])
    text = f"{TOKEN}\n{OTHER}\n"
    assert redact(text, rules).text == f"{TOKEN}\n[REDACTED:github-token]\n"
    assert TOKEN not in repr(rules)
    assert rules.fingerprint != BUILT_IN.fingerprint
    others = BUILT_IN.with_digests(b"another key", [value_digest(TOKEN, KEY)])
    assert TOKEN not in redact(TOKEN, others).text


def test_the_value_of_a_finding_is_read_again_from_its_text() -> None:
    text = f"one\n  é {TOKEN}!\n"
    (finding,) = redact(text).findings
    assert values_of(text, [finding]) == [TOKEN]


def test_small_texts_hide_what_one_of_them_names() -> None:
    texts = redact_many([f"The password is {PASSWORD}", PASSWORD, "heron\nweir"])
    assert texts == ("The password is [REDACTED:named-password]", "[REDACTED:named-password]", "heron\nweir")


def test_a_name_and_a_query_are_filtered() -> None:
    assert redact_text(f"{TOKEN} heron.md") == "[REDACTED:github-token] heron.md"
    assert redact_text("herons at the weir") == "herons at the weir"


def test_only_a_mark_with_the_name_of_a_rule_is_trusted() -> None:
    secret = expand("{lowdigit:40}", "mark")
    forged = redact(f"token: [REDACTED:{secret}]").text
    assert secret not in forged
    assert redact("password: [REDACTED:named-password]").text == "password: [REDACTED:named-password]"
