"""What holds of every text."""

# ruff: noqa: E501 - a table of pieces

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.credential_filter import redact
from scrubjay.credential_filter.rules.templates import expand

PIECES = st.sampled_from([
    "heron ", "\n", "password: ", "```\n", "| a |\n", "token=", "é", "пароль: ", "名", "密码：", "user: heron\n", "-----BEGIN PRIVATE KEY-----\n",
    "\x1b[1m", "%3A", "kind: Secret\ndata:\n  a: ", "\u200b", "https://u:", "@weir.example/",
])  # fmt: skip
SECRETS = st.sampled_from(["ghp_{alnum:36}", "sk-proj-{alnum:48}", "AKIA{base32:16}", "xoxb-{digit:12}-{alnum:24}"])
ODD = st.characters(categories=["Cs", "Cf", "Cc", "Zl", "Lo", "Nd"])  # lone surrogates among them
TEXTS = st.lists(PIECES | st.text(max_size=12) | st.text(ODD, max_size=4), max_size=20).map("".join)


@settings(deadline=None)
@given(TEXTS)
def test_lines_stay_and_text_without_a_hit_is_the_same(text: str) -> None:
    found = redact(text)
    assert found.text.count("\n") == text.count("\n")
    assert found.findings or found.text == text


@settings(deadline=None)
@given(TEXTS, SECRETS, st.text("abc", max_size=4), TEXTS)
def test_a_planted_secret_is_gone_and_filtering_again_changes_nothing(
    before: str, template: str, seed: str, after: str
) -> None:
    secret = expand(template, seed)
    once = redact(f"{before} {secret} {after}").text
    assert secret not in once
    assert redact(once).text == once


@settings(deadline=None)
@given(TEXTS)
def test_findings_stand_where_they_say_in_order(text: str) -> None:
    lines = text.split("\n")
    places = [(finding.line, finding.column) for finding in redact(text).findings]
    assert places == sorted(places)
    assert all(1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1 for line, column in places)
