"""The page that says what the filter hides, read from its rules: `python filter_rules.py PAGE` writes it."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from scrubjay.credential_filter.rules.rule import Rule, shipped_rules

_INTRODUCTION = """# What the credential filter hides

Written by `packaging/site/filter_rules.py` from the rules themselves: every example is one that the tests fill in and
try, in several surroundings. `{alnum:12}` stands for twelve letters and digits, `{hex:40}` for forty hexadecimal
digits, and so on.
[The credential filter](credential-filter.md) says how it works, and what is knowingly not hidden.
"""
_GENERIC = ("generic", "http", "cli", "curl", "prose", "code")


def page(rules: Iterable[Rule]) -> str:
    """The page, in Markdown."""
    generic: list[Rule] = []
    vendors: defaultdict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule.vendor in _GENERIC:
            generic.append(rule)
        else:
            vendors[rule.vendor].append(rule)
    layouts = "\n".join(_section(rule) for rule in generic)
    rows = "\n".join(_row(vendor, rule) for vendor in sorted(vendors) for rule in vendors[vendor])
    count = f"{sum(map(len, vendors.values()))} formats of {len(vendors)} vendors."
    return (
        f"{_INTRODUCTION}\n## Whoever the vendor is\n\n{layouts}\n## Vendors' own formats\n\n{count}\n\n"
        f"| vendor | what | rule | like |\n| --- | --- | --- | --- |\n{rows}\n"
    )


def _section(rule: Rule) -> str:
    lines = [f"### {rule.about}\n", f"Rule `{rule.id}`{_group(rule)}.\n", "| hidden | kept |", "| --- | --- |"]
    for number in range(max(len(rule.must_hide), len(rule.must_keep))):
        hidden = _code(rule.must_hide[number]) if number < len(rule.must_hide) else ""
        kept = _code(rule.must_keep[number]) if number < len(rule.must_keep) else ""
        lines.append(f"| {hidden} | {kept} |")
    return "\n".join(lines) + "\n"


def _row(vendor: str, rule: Rule) -> str:
    return f"| {vendor} | {rule.about}{_group(rule)} | `{rule.id}` | {_code(rule.must_hide[0])} |"


def _group(rule: Rule) -> str:
    return f", only where a profile asks for `{rule.group}`" if rule.group else ""


def _code(example: str) -> str:
    """An example on one line, as it can stand in a table."""
    shown = re.sub(r"\s*\n\s*", " ⏎ ", example.strip()).replace("|", "\\|").replace("\u00a0", " ")
    fence = "``" if "`" in shown else "`"
    pad = " " if fence == "``" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(shipped_rules()), encoding="utf-8")
