"""`python -m tests.bench.agents [--vaults NAME,NAME] [--out FILE]`: what an agent reads until it knows.

Questions to public vaults below $SCRUBJAY_EVAL and to the sample vault, each with the strings that answer it, written
before anything was searched for them (`agent_tasks.jsonl`), are worked on in several ways: by Scrubjay's tools over
MCP, by grep, and by the names of files. A way is right if all these strings are in what its calls gave back, and it
stops as soon as they are; else it ends with its last call. `--out` records what was called; `--recorded` prints that.

No language model is asked. A written program stands for the agent: to Scrubjay it puts the question as it is, to grep
the words that a person chose from it; it makes the same few calls in the same order; and it sees at once whether an
answer is before it. So this shows what a tool puts before a model, and at which price. It does not show whether a model
would choose this tool, search again with better words, see the answer among so much text, or believe something else
that stands beside it: those that give back much text are flattered most.

Tokens are those of what came back, by `estimated_tokens`: four ASCII characters each, one of any other script.
"""

import argparse
import asyncio
import os
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ResourceLink, TextContent
from platformdirs import user_cache_path
from rich.console import Console
from rich.table import Table

from scrubjay.daemon.answers.context_block import estimated_tokens
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry, vault_folder
from tests.bench.running import Daemon, running_daemon, wait_for
from tests.quality.beir import load
from tests.quality.card import plain
from tests.quality.conftest import sample_vault

HERE = Path(__file__).parent
TASKS = HERE / "agent_tasks.jsonl"
RECORDED = HERE / "agent_runs.jsonl"
SAMPLE = "sample"
_FOLDERS = ("nikita-knowledge", "obsidian-hub", "win32-16894")
_COLLECTIONS = {"help-zh": "vault-obsidian-help-zh", "nuget-de": "nuget-de", "nuget-fr": "nuget-fr"}
_HOURS = 4 * 3600

_CONTEXT_TOKENS = 380
_RESULTS = 5
_AROUND_TOKENS = 1_000
_PASSAGES = 3
_FILES_SHOWN = 20
_NAMES_SHOWN = 100
_FILES_READ = 3
# What a tool that reads files gives at most, as agents' usual ones do.
_LINES = 2_000
_LINE_CHARACTERS = 2_000
_READ_TOKENS = 25_000
_LINES_AROUND = 100
_SHORT_LINE = 500


class Task(msgspec.Struct, frozen=True):
    """A question to a vault. words: to search for; facts: what an answer has to hold; note: where they stand."""

    vault: str
    question: str
    words: tuple[str, ...]
    facts: tuple[str, ...]
    note: str

    def is_answered(self, texts: Iterable[str]) -> bool:
        """Whether these texts hold all facts."""
        read = plain(re.sub(r"^> ?", "", "\n".join(texts), flags=re.MULTILINE))
        return all(plain(fact) in read for fact in self.facts)


class Call(msgspec.Struct, frozen=True):
    """A call of a tool: what was asked, and how many tokens came back."""

    tool: str
    asked: str
    tokens: int


class Attempt(msgspec.Struct, frozen=True):
    """What came of a task by one of the ways."""

    vault: str
    question: str
    way: str
    is_right: bool
    calls: tuple[Call, ...]

    def tokens(self) -> int:
        """Of all its calls."""
        return sum(call.tokens for call in self.calls)


Answers: TypeAlias = AsyncIterator[tuple[str, str, str]]
"""Tool, what it was asked, and what it gave back, call after call."""
Way: TypeAlias = Callable[[Task], Answers]


def tasks(vaults: Iterable[str] | None = None) -> list[Task]:
    """All tasks, or those of some vaults."""
    lines = TASKS.read_text("utf-8").splitlines()
    read = [msgspec.json.decode(line, type=Task) for line in lines]
    return read if vaults is None else [task for task in read if task.vault in set(vaults)]


async def attempt(task: Task, name: str, way: Way) -> Attempt:
    """Follow a way until the task is answered, or the way ends."""
    texts: list[str] = []
    calls: list[Call] = []
    async for tool, asked, text in way(task):
        texts.append(text)
        calls.append(Call(tool, asked, estimated_tokens(text)))
        if task.is_answered(texts):
            return Attempt(task.vault, task.question, name, True, tuple(calls))
    return Attempt(task.vault, task.question, name, False, tuple(calls))


def by_tools(client: Client) -> dict[str, Way]:
    """The ways by Scrubjay's tools: one call that finds, and at most one that reads."""

    async def called(tool: str, **arguments: object) -> tuple[str, str, str]:
        found = await client.call_tool(tool, arguments)
        texts = [part.text for part in found.content if isinstance(part, TextContent)]
        links = [f"{part.uri} {part.name}" for part in found.content if isinstance(part, ResourceLink)]
        return tool, msgspec.json.encode(arguments).decode(), "\n".join((*texts, *links))

    async def context(task: Task) -> Answers:
        found = await called("context", prompt=task.question, profiles=[task.vault], max_tokens=_CONTEXT_TOKENS)
        yield found
        if ids := _ids(found[2]):
            yield await called("get_note", id=ids[0], around=0, max_tokens=_AROUND_TOKENS, profiles=[task.vault])
        else:
            yield await called("search", query=task.question, profiles=[task.vault], limit=_RESULTS)

    async def search(task: Task) -> Answers:
        found = await called("search", query=task.question, profiles=[task.vault], limit=_RESULTS)
        yield found
        if ids := _ids(found[2])[:_PASSAGES]:
            yield await called("get_chunk", ids=ids, profile=task.vault)

    return {"Scrubjay: context, get_note": context, "Scrubjay: search, get_chunk": search}


def _ids(text: str) -> list[str]:
    """The ids of the passages in a tool's answer, which stand at the beginning of lines of its own."""
    return list(dict.fromkeys(re.findall(r"^\[?(#[0-9a-f]{6,12})\b", text, re.MULTILINE)))


def by_files(folders: Mapping[str, Path]) -> dict[str, Way]:
    """The ways by the files themselves. folders: of the vaults, by name."""

    async def grep_and_read(task: Task) -> Answers:
        folder = folders[task.vault]
        paths = _files_by_hits(folder, task.words)
        yield "grep", _pattern(task.words), _listed(paths, _FILES_SHOWN)
        for path in list(paths)[:_FILES_READ]:
            yield "read", path, _file(folder / path)

    async def grep_and_look(task: Task) -> Answers:
        folder, pattern = folders[task.vault], _pattern(task.words)
        paths = _files_by_hits(folder, task.words)
        yield "grep", pattern, _listed(paths, _FILES_SHOWN)
        for path in list(paths)[:_FILES_READ]:
            found = _grep("-niE", "-C2", pattern, path, folder=folder).splitlines()[:_LINES_AROUND]
            yield "grep -C2", f"{pattern} {path}", "\n".join(line[:_SHORT_LINE] for line in found)

    async def names_and_read(task: Task) -> Answers:
        folder = folders[task.vault]
        paths = _files_by_name(folder, task.words)
        yield "find -name", _pattern(task.words), _listed(paths, _NAMES_SHOWN)
        for path in list(paths)[:_FILES_READ]:
            yield "read", path, _file(folder / path)

    return {
        "grep, then read files": grep_and_read,
        "grep, then lines around": grep_and_look,
        "names, then read files": names_and_read,
    }


def _pattern(words: Iterable[str]) -> str:
    return "|".join(re.sub(r"[][.^$*+?(){}|\\]", r"\\\g<0>", word) for word in words)


def _grep(*arguments: str, folder: Path) -> str:
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    found = subprocess.run(["grep", *arguments], cwd=folder, env=environment, capture_output=True, check=False)
    return found.stdout.decode("utf-8", "replace")


def _files_by_hits(folder: Path, words: Sequence[str]) -> dict[str, str]:
    """Paths with what is said of each: those with most of the words first, then those with most hits.

    That is more than one call of grep says, which counts lines alone; several would.
    """
    hits: dict[str, Counter[str]] = {}
    for line in _grep("-rHoiE", "--include=*.md", _pattern(words), ".", folder=folder).splitlines():
        path, _, word = line.removeprefix("./").partition(".md:")
        hits.setdefault(f"{path}.md", Counter())[word.casefold()] += 1
    order = sorted(hits, key=lambda path: (-len(hits[path]), -hits[path].total(), path))
    return {path: f"{len(hits[path])} words, {hits[path].total()} hits" for path in order}


def _files_by_name(folder: Path, words: Sequence[str]) -> dict[str, str]:
    """Paths that hold one of the words, those that hold most first; where none does, all."""
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    held = {path: sum(word.casefold() in path.casefold() for word in words) for path in paths}
    some = [path for path in paths if held[path]] or paths
    return dict.fromkeys(sorted(some, key=lambda path: (-held[path], len(path), path)), "")


def _listed(paths: Mapping[str, str], most: int) -> str:
    lines = [f"{path}: {said}" if said else path for path, said in list(paths.items())[:most]]
    return "\n".join((*lines, f"({len(paths) - most} more)")) if len(paths) > most else "\n".join(lines)


def _file(path: Path) -> str:
    """A file's lines with their numbers, up to the usual limits."""
    lines = path.read_text("utf-8", "replace").splitlines()[:_LINES]
    text = "\n".join(f"{number}\t{line[:_LINE_CHARACTERS]}" for number, line in enumerate(lines, 1))
    while estimated_tokens(text) > _READ_TOKENS:
        text = text[: len(text) * 9 // 10]
    return text


def folders_of(vaults: Iterable[str], below: Path, data: Path) -> dict[str, Path]:
    """The folders of vaults by name; those that are made or unpacked from collections are written below `below`."""
    made: dict[str, Path] = {}
    for vault in vaults:
        folder = data / vault if vault in _FOLDERS else below / vault
        if not folder.exists() and vault == SAMPLE:
            sample_vault(folder)
        elif not folder.exists():
            for document in load(data / _COLLECTIONS[vault]).documents:
                file = folder / document.id
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(document.text, "utf-8")
        made[vault] = folder
    return made


def _until_found(daemon: Daemon, vaults: Iterable[str], *, by_meaning: bool) -> None:
    """Wait until all notes of these vaults are found by word, and by meaning if that is asked; print what is not."""

    def waiting() -> dict[str, int]:
        profiles = [each for each in daemon.client.ask(STATUS).profiles if each.name in vaults]
        is_read = all(each.notes and each.state in ("embedding", "idle") for each in profiles)
        return {each.name: each.pending_embeddings for each in profiles} if is_read else {"": 1}

    wait_for(
        lambda: not (left := waiting()).get("") and not (by_meaning and any(left.values())), seconds=_HOURS, every=2.0
    )
    for name, count in waiting().items():
        if count:
            print(f"{count:,} passages of {name} are found by their words alone.")


async def _attempts(asked: Sequence[Task], daemon: Daemon, home: Path, folders: Mapping[str, Path]) -> list[Attempt]:
    environment = {"SCRUBJAY_HOME": str(home), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    server = StdioServerParameters(command=sys.executable, args=["-m", "scrubjay.daemon", "mcp"], env=environment)
    async with Client(server) as client:
        ways = by_tools(client) | by_files(folders)
        return [await attempt(task, name, way) for task in asked for name, way in ways.items()]


def run(asked: Sequence[Task], below: Path, data: Path, *, by_meaning: bool = True) -> list[Attempt]:
    """Work on all tasks in all ways, with a daemon whose home is kept below `below`.

    by_meaning: wait until every passage has its vector, which takes an hour where 190,000 have none.
    """
    home = below / "home"
    folders = folders_of(dict.fromkeys(task.vault for task in asked), below / "vaults", data)
    registry = Registry(Home.below(home).make().profiles)
    known = {profile.name for profile in registry.list()}
    for vault, folder in folders.items():
        if vault not in known:
            registry.create(vault, vaults=(vault_folder(folder, allow=(".",)),))
    with running_daemon(next(iter(folders.values())), home) as daemon:
        _until_found(daemon, folders, by_meaning=by_meaning)
        return asyncio.run(_attempts(asked, daemon, home, folders))


def table(title: str, attempts: Sequence[Attempt]) -> Table:
    """For each way: right answers, calls, tokens."""
    columns = ("right", "calls", "median tokens", "mean tokens", "all tokens")
    made = Table("way", *columns, title=title)
    for way in dict.fromkeys(each.way for each in attempts):
        some = [each for each in attempts if each.way == way]
        tokens = [each.tokens() for each in some]
        made.add_row(
            way,
            f"{sum(each.is_right for each in some)} of {len(some)}",
            f"{statistics.mean(len(each.calls) for each in some):.2f}",
            f"{statistics.median(tokens):,.0f}",
            f"{statistics.mean(tokens):,.0f}",
            f"{sum(tokens):,}",
        )
    return made


def by_vault(attempts: Sequence[Attempt]) -> Table:
    """Right answers by vault and way."""
    ways = list(dict.fromkeys(each.way for each in attempts))
    made = Table("right, by vault", *ways)
    for vault in dict.fromkeys(each.vault for each in attempts):
        some = [each for each in attempts if each.vault == vault]
        right = [sum(each.is_right for each in some if each.way == way) for way in ways]
        made.add_row(f"{vault} ({len(some) // len(ways)})", *map(str, right))
    return made


def lost(attempts: Sequence[Attempt]) -> Iterator[str]:
    """What no way by Scrubjay answered, and which ways did."""
    for question in dict.fromkeys(each.question for each in attempts):
        right = [each.way for each in attempts if each.question == question and each.is_right]
        if not any(way.startswith("Scrubjay") for way in right):
            yield f"{question} Right: {'; '.join(right) or 'none'}."


def _print(attempts: Sequence[Attempt], console: Console) -> None:
    public = [each for each in attempts if each.vault != SAMPLE]
    own = [each for each in attempts if each.vault == SAMPLE]
    for title, some in (("Questions to public vaults", public), ("Questions to the sample vault", own)):
        if some:
            console.print(table(title, some))
    if public:
        console.print(by_vault(public))
    for line in lost(attempts):
        console.print(f"Not by Scrubjay: {line}", markup=False)


def main() -> None:
    """Run, or print what is recorded."""
    data = os.environ.get("SCRUBJAY_EVAL") or None
    parser = argparse.ArgumentParser(prog="python -m tests.bench.agents", description=__doc__)
    parser.add_argument("--vaults", help="comma-separated; default: all")
    parser.add_argument("--out", type=Path, help="record what was called here")
    parser.add_argument("--recorded", type=Path, nargs="?", const=RECORDED, help="print this record, and run nothing")
    parser.add_argument("--now", action="store_true", help="do not wait until passages are found by meaning")
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-agents"))
    arguments = parser.parse_args()
    console = Console(width=140)
    if arguments.recorded is None and data is None:
        console.print("Without SCRUBJAY_EVAL: as recorded.")
    if arguments.recorded is not None or data is None:
        lines = (arguments.recorded or RECORDED).read_text("utf-8").splitlines()
        _print([msgspec.json.decode(line, type=Attempt) for line in lines], console)
        return
    asked = tasks(arguments.vaults and arguments.vaults.split(","))
    attempts = run(asked, arguments.cache, Path(data), by_meaning=not arguments.now)
    _print(attempts, console)
    if arguments.out:
        arguments.out.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in attempts))


if __name__ == "__main__":
    main()
