"""The examples of a page: what it shows to be typed, and what it shows as the answer.

In a page's source, a block is run by what it is marked as:

- `sh`: each line is a command (a backslash at its end joins the next), typed into one shell, in the order of the page;
- `python`: a program of its own;
- `text` right behind one of these: lines of its output, in their order; `…` in a line stands for whatever varies;
- `json`, `toml`: must be well-formed.

`<!-- example: … -->` in the line before a block says what a reader need not know: `not run, REASON`, `status 1` (a
command of it leaves so), `answers y; 1` (what is typed when it asks).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_BLOCK = re.compile(
    r"^(?:<!-- example: (?P<said>.+?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_KINDS_RUN = frozenset({"sh", "python"})
_INDENTED = re.compile(r"^(?:    (?:scrubjay|curl|\$) .*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """One block of a page. line: where its text begins in the page, from 1."""

    page: str
    line: int
    kind: str
    text: str
    shown: tuple[str, ...] = ()  # the lines of its output that the page shows
    status: int = 0
    answers: tuple[str, ...] = ()
    not_run: str = ""  # why

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands of a shell's block, as typed."""
        return tuple(command for command in self.text.replace("\\\n", " ").splitlines() if command.strip())


class BadExample(ValueError):
    """A block of a page is marked in a way that says nothing."""


def examples_of(page: str, text: str) -> tuple[Example, ...]:
    """The blocks of a page. Raises BadExample."""
    return tuple(_examples(page, text))


def unmarked(text: str) -> list[str]:
    """Commands that stand in a page as text, where nothing runs them."""
    return _INDENTED.findall(_BLOCK.sub("", text))


def difference(shown: tuple[str, ...], output: str) -> str | None:
    """The first line shown that is not in the output behind those before it; None where all are."""
    lines = iter(line.rstrip() for line in output.splitlines())
    for line in shown:
        wanted = re.compile(".*".join(map(re.escape, line.rstrip().split("…"))))
        if not any(wanted.fullmatch(said) for said in lines):
            return line
    return None


def _examples(page: str, text: str) -> Iterator[Example]:
    blocks = list(_BLOCK.finditer(text))
    for number, block in enumerate(blocks):
        follower = blocks[number + 1] if number + 1 < len(blocks) else None
        shown: tuple[str, ...] = ()
        if block["kind"] in _KINDS_RUN and follower and follower["kind"] == "text":
            between = text[block.end() : follower.start("kind") - len("```")]
            if not between.strip():
                shown = tuple(line for line in follower["text"].splitlines() if line.strip() not in {"", "…"})
        line = text.count("\n", 0, block.start("text")) + 1
        yield _directed(Example(page, line, block["kind"], block["text"], shown), block["said"])


def _directed(example: Example, said: str | None) -> Example:
    for part in filter(None, (said or "").split(" | ")):
        word, _, rest = part.partition(" ")
        if part.startswith("not run, "):
            example = replace(example, not_run=part.removeprefix("not run, "))
        elif word == "status":
            example = replace(example, status=int(rest))
        elif word == "answers":
            example = replace(example, answers=tuple(answer.strip() for answer in rest.split(";")))
        else:
            raise BadExample(f"{example.page}:{example.line}: {part!r} says nothing about an example")
    return example


def pages(root: Path) -> dict[str, str]:
    """The pages that people read first, by their path in the tree."""
    names = ("README.md", "obsidian-plugin/README.md", "packaging/README.md", "CONTRIBUTING.md")
    found = [*(root / name for name in names), *sorted((root / "docs").glob("*.md"))]
    return {page.relative_to(root).as_posix(): page.read_text(encoding="utf-8") for page in found}
