"""A certificate of redaction: made-up secrets of each kind go in, and are looked for in all that comes out.

Everything runs as it does for a user: the program itself, with a home and a copy of a vault in a folder that is deleted
afterwards. Nothing of the user's own home is read or written.
"""

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from scrubjay.credential_filter.rules.rule import shipped_rules
from scrubjay.credential_filter.rules.templates import expanded
from scrubjay.daemon import __version__
from scrubjay.daemon.home import Home
from scrubjay.daemon.program import scrubjay_command
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.registry.registry import Registry, vault_folder
from scrubjay.profiles.store.packed_texts import texts_within

FOLDER = "Certificate of redaction"
_PROFILE = "certificate"
_SEED = "certificate"
_SHORTEST = 8  # letters of what is looked for by itself; of shorter ones the whole line
_SECONDS = 600
_START_SECONDS = 120
_MANY = 8  # of the kinds are asked about from the command line, where each call is a process
_NOTE = "# {kind}\n\nThe heron keeps its {kind} here:\n\n{example}\n\nIt was written down in spring.\n"


@dataclass(frozen=True, slots=True)
class PlantedSecret:
    """A secret in a note of the copy. It has leaked where all of its marks are in one output or file."""

    kind: str  # id of the rule whose example it is
    note: str  # path in the vault
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret that was found, by its kind and where; never the secret."""

    kind: str
    where: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was looked for, where, and what was found."""

    version: str
    kinds: int
    secrets: int
    notes: int  # of the vault's own that were copied
    outputs: int
    files: int
    bytes: int  # of outputs and files
    leaks: tuple[Leak, ...]
    missing: tuple[str, ...]  # kinds that this build should know, and has no rule for

    @property
    def is_clean(self) -> bool:
        """Whether every kind was tried and nothing was found."""
        return not self.leaks and not self.missing


def known_kinds() -> tuple[str, ...]:
    """Ids of the rules that every build has: what a build without one of them is told by."""
    listed = resources.files("scrubjay.daemon.doctor") / "certified_kinds.txt"
    return tuple(listed.read_text("utf-8").split())


def planted_secrets() -> Iterator[tuple[PlantedSecret, str]]:
    """Each secret with the text of its note: every example of every rule that is always on, made up."""
    for rule in shipped_rules():
        for number, template in enumerate(() if rule.group else rule.must_hide, 1):
            example, drawn = expanded(template, _SEED)
            whole = tuple(each for each in drawn if len(each) >= _SHORTEST and each in example)
            lines = tuple(line for line in example.splitlines() if any(each in line for each in drawn))
            note = f"{FOLDER}/{rule.id} {number}.md"
            secret = PlantedSecret(rule.id, note, whole or lines or (example,))
            yield secret, _NOTE.format(kind=rule.id, example=example)


class Traces:
    """Finds secrets in bytes, as they were written or in another case."""

    def __init__(self, secrets: Sequence[PlantedSecret]) -> None:
        self._secrets = secrets
        self._marks = sorted({mark.encode().lower() for secret in secrets for mark in secret.marks})
        self._search = BytesAhoCorasick(self._marks)

    def kinds_in(self, data: bytes) -> tuple[str, ...]:
        """The kinds of the secrets that these bytes hold, each once."""
        found = self._search.find_matches_as_indexes(data.lower(), overlapping=True)
        there = {self._marks[number] for number, _, _ in found}
        kinds = (each.kind for each in self._secrets if all(mark.encode().lower() in there for mark in each.marks))
        return tuple(dict.fromkeys(kinds))


def certify(vault: Path | None, command: Sequence[str] | None = None) -> Certificate:
    """Plant, index, ask by every door, and look. vault: whose notes are copied; None for none. Takes minutes.

    command: how the program is started, this one unless it is named. Raises UsageError where `vault` is no folder, and
    OSError, TimeoutError.
    """
    if vault is not None and not vault.is_dir():
        raise UsageError(f"{vault} is not a folder.")
    with tempfile.TemporaryDirectory(prefix="scrubjay-certificate-") as folder:
        trial = _Trial(Path(folder), tuple(command or scrubjay_command()))
        notes = trial.copy(vault) if vault is not None else 0
        secrets = trial.plant()
        traces = Traces(secrets)
        leaks: dict[Leak, None] = {}
        outputs = files = size = 0
        for where, data in trial.outputs(secrets):
            outputs, size = outputs + 1, size + len(data)
            leaks |= dict.fromkeys(Leak(kind, where) for kind in traces.kinds_in(data))
        for where, data in trial.files():
            files, size = files + 1, size + len(data)
            leaks |= dict.fromkeys(Leak(kind, where) for kind in traces.kinds_in(data))
        kinds = {secret.kind for secret in secrets}
        missing = tuple(kind for kind in known_kinds() if kind not in kinds)
        return Certificate(__version__, len(kinds), len(secrets), notes, outputs, files, size, tuple(leaks), missing)


@dataclass(frozen=True, slots=True)
class _Trial:
    """An installation below `folder`."""

    folder: Path
    command: tuple[str, ...]

    @property
    def _vault(self) -> Path:
        return self.folder / "vault"

    @property
    def _home(self) -> Home:
        return Home.below(self.folder / "home")

    @property
    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "SCRUBJAY_HOME": str(self.folder / "home"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "PYTHONIOENCODING": "utf-8",
        }

    def copy(self, vault: Path) -> int:
        """Copy the notes of a vault; how many."""
        notes = [path for path in vault.rglob("*.md") if path.is_file()]
        for note in notes:
            target = self._vault / note.relative_to(vault)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(note, target)
        return len(notes)

    def plant(self) -> tuple[PlantedSecret, ...]:
        (self._vault / FOLDER).mkdir(parents=True)
        secrets = list[PlantedSecret]()
        for secret, text in planted_secrets():
            (self._vault / secret.note).write_text(text, "utf-8")
            secrets.append(secret)
        return tuple(secrets)

    def outputs(self, secrets: Sequence[PlantedSecret]) -> Iterator[tuple[str, bytes]]:
        """What each door said, by its name; the daemon has ended when this has."""
        home = self._home.make()
        home.settings.write_text("speed = 'full'\n", encoding="utf-8")
        Registry(home.profiles).create(_PROFILE, vaults=(vault_folder(self._vault, allow=(".",)),))
        with self._daemon():
            yield self._run("index", "--wait")
            token = self._run("token")[1].decode().strip()
            yield from asyncio.run(self._over_mcp(token, secrets))
            for secret in islice(secrets, 0, None, max(len(secrets) // _MANY, 1)):
                yield self._run("search", secret.kind, "heron", "--json", "--context", "2")
                yield self._run("ask", f"What {secret.kind} does the heron keep?", "--json")
                yield self._run("context", f"the heron's {secret.kind}")
            yield self._run("get", f"{FOLDER}/*.md", "--max-tokens", "1000000")
            yield self._run("journal", "add", "\n".join(self._text(each) for each in secrets[:_MANY]))
            for words in (
                *(("recent", "--json"), ("stats", "--json"), ("status", "--json"), ("credentials", "list", "--json")),
                *(("timeline", "--json"), ("review", "--json"), ("history", "--json"), ("journal", "log", "--json")),
                *(("logs",), ("doctor", "--json"), ("check", "--json")),
            ):
                yield self._run(*words)
            for name in ("backup", "export"):
                yield self._run("profile", name, _PROFILE, str(self.folder / "home" / f"certificate.{name}"))

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file of the home, and of databases the texts that are packed in them."""
        root = self.folder / "home"
        for path in sorted(root.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                where = path.relative_to(root).as_posix()
                yield where, data
                if data.startswith(b"SQLite format 3") or path.name.endswith("-wal"):
                    yield f"{where}, unpacked", texts_within(data)

    def _text(self, secret: PlantedSecret) -> str:
        return (self._vault / secret.note).read_text("utf-8")

    @contextmanager
    def _daemon(self) -> Generator[None]:
        process = subprocess.Popen(
            [*self.command, "run", "--port", "0"],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            deadline = time.monotonic() + _START_SECONDS
            while not self._home.discovery.exists():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise TimeoutError("The daemon of the trial did not start.")
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_START_SECONDS)
            process.kill()

    def _run(self, *words: str) -> tuple[str, bytes]:
        done = subprocess.run(
            [*self.command, *words],
            env=self._environment,
            input=b"",
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        return f"scrubjay {words[0]}", done.stdout + done.stderr

    async def _over_mcp(self, token: str, secrets: Sequence[PlantedSecret]) -> list[tuple[str, bytes]]:
        program, *arguments = self.command
        started = StdioServerParameters(
            command=program, args=[*arguments, "mcp"], env=self._environment | {"SCRUBJAY_TOKEN": token}
        )
        said = list[tuple[str, bytes]]()
        async with asyncio.timeout(_SECONDS), Client(started) as client:
            for tool, given in _calls(secrets):
                result = await client.call_tool(tool, given)
                said.append((f"MCP {tool}", json.dumps(result.model_dump(mode="json"), ensure_ascii=False).encode()))
        return said


def _calls(secrets: Iterable[PlantedSecret]) -> Iterator[tuple[str, dict[str, object]]]:
    for secret in secrets:
        yield "get_note", {"id": secret.note}
        yield "search", {"query": f"heron {secret.kind}", "limit": 5, "around": 1}
    for tool in ("list_notes", "recent", "timeline", "list_profiles", "credentials_report", "stats", "index_status"):
        yield tool, {}
    yield "context", {"prompt": "What does the heron keep?", "max_tokens": 20_000}
