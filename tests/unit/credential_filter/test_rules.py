"""Each rule does what its own examples say, in each surrounding."""

import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest

from scrubjay.credential_filter import BUILT_IN, redact, rules
from scrubjay.credential_filter.rules.templates import expand

FRAMES = ("{s}", "We wrote it down: {s}\nand went on.", "```\n{s}\n```", "---\ntitle: Heron\n---\n\n{s}\n")


def entries() -> Iterator[dict[str, Any]]:
    for file in (resources.files(rules) / "shipped").iterdir():
        if file.name.endswith(".toml"):
            yield from tomllib.loads(file.read_text(encoding="utf-8"))["rule"]


RULES = BUILT_IN.with_groups({entry["group"] for entry in entries() if "group" in entry})


def examples(kind: str) -> list[str]:
    return [expand(template) for entry in entries() for template in entry.get(kind, ())]


def test_there_are_rules_for_many_vendors_and_each_has_examples_of_what_it_hides() -> None:
    assert len(list(entries())) >= 200
    assert len({entry.get("vendor") for entry in entries()}) >= 150
    assert [entry["id"] for entry in entries() if not entry.get("must_hide")] == []


def is_hidden(secret: str, frame: str) -> bool:
    text = frame.replace("{s}", secret)
    found = redact(text, RULES)
    return bool(found.findings) and secret not in found.text and found.text.count("\n") == text.count("\n")


@pytest.mark.parametrize("frame", FRAMES, ids=["plain", "prose", "fence", "frontmatter"])
def test_what_must_be_hidden_is_hidden(frame: str) -> None:
    assert [secret for secret in examples("must_hide") if not is_hidden(secret, frame)] == []


def test_what_must_be_kept_is_kept() -> None:
    assert [text for text in examples("must_keep") if redact(text, RULES).text != text] == []
