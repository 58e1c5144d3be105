"""Each rule does what its own examples say, in each surrounding."""

import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest

from scrubjay.credential_filter import BUILT_IN, redact, rules
from scrubjay.credential_filter.rules.templates import expand

FRAMES = {
    "plain": "{s}",
    "prose": "We wrote it down: {s}\nand went on.",
    "fence": "```\n{s}\n```",
    "frontmatter": "---\ntitle: Heron\n---\n\n{s}\n",
}


def entries() -> Iterator[dict[str, Any]]:
    for file in (resources.files(rules) / "shipped").iterdir():
        if file.name.endswith(".toml"):
            yield from tomllib.loads(file.read_text(encoding="utf-8"))["rule"]


RULES = BUILT_IN.with_groups({entry["group"] for entry in entries() if "group" in entry})


def examples(kind: str) -> list[Any]:
    return [
        pytest.param(expand(template), id=f"{entry['id']}-{number}")
        for entry in entries()
        for number, template in enumerate(entry.get(kind, ()))
    ]


def test_there_are_rules_for_many_vendors() -> None:
    assert len(list(entries())) >= 200
    assert len({entry.get("vendor") for entry in entries()}) >= 150


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
@pytest.mark.parametrize("secret", examples("must_hide"))
def test_what_must_be_hidden_is_hidden(secret: str, frame: str) -> None:
    text = frame.replace("{s}", secret)
    found = redact(text, RULES)
    assert found.findings
    assert secret not in found.text
    assert found.text.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", examples("must_keep"))
def test_what_must_be_kept_is_kept(text: str) -> None:
    assert redact(text, RULES).text == text
