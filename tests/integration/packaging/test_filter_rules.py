"""The page about the filter's rules says what the rules say."""

from scrubjay.credential_filter.rules.rule import shipped_rules
from tests.integration.packaging.scripts import ROOT, script

PAGE = ROOT / "docs" / "credential-filter-rules.md"


def test_the_page_is_current_and_has_every_rule() -> None:
    text = PAGE.read_text(encoding="utf-8")
    hint = "run: PYTHONPATH=. .venv/bin/python packaging/site/filter_rules.py docs/credential-filter-rules.md"
    assert text == script("site/filter_rules.py").page(shipped_rules()), hint
    assert [rule.id for rule in shipped_rules() if f"`{rule.id}`" not in text] == []
