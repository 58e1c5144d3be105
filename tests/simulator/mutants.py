"""Mistakes that somebody could make in planner, watcher, scan and indexer; the simulator must notice each of them."""

import inspect
import sys
import textwrap
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import pytest

from scrubjay.daemon.engine import profile_watch
from scrubjay.daemon.indexing import indexer, pipeline, plan
from scrubjay.daemon.vault import allowlist, read, scan, watcher


@dataclass(frozen=True, slots=True)
class Mutant:
    """One function or method with one piece of its source replaced."""

    name: str
    owner: ModuleType | type
    function: str
    before: str
    after: str

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put the mistaken function in the place of the right one, wherever it is used."""
        right = inspect.getattr_static(self.owner, self.function)
        right = getattr(right, "__func__", right)
        assert isinstance(right, FunctionType)
        source = textwrap.dedent(inspect.getsource(right))
        assert source.count(self.before) == 1, f"{self.name}: {source.count(self.before)} times"
        names: dict[str, Any] = {}
        exec(source.replace(self.before, self.after), right.__globals__, names)
        mistaken = names[self.function]
        monkeypatch.setattr(self.owner, self.function, mistaken)
        for module in [each for name, each in sys.modules.items() if name.partition(".")[0] in _OURS]:
            for name, value in list(vars(module).items()):
                if value is right:
                    monkeypatch.setattr(module, name, mistaken)


_WALK: type = vars(scan)["_Walk"]
_OURS = {"scrubjay", "tests"}

MUTANTS = (
    Mutant("stamps beyond 64 bits are kept", read, "_kept", "min(max(nanoseconds, _FIRST), _LAST)", "nanoseconds"),
    Mutant(
        "an edit that restores its stamp is missed", plan, "is_as_before", "in (0, stamp.changed_ns)", "is not None"
    ),
    Mutant(
        "what failed once is never read again",
        plan,
        "_has_failed",
        "failure is None or retry or passes(failure.code)",
        "failure is None",
    ),
    Mutant("other rules concern no old note", plan, "plan", "stamp.path in prepared and", ""),
    Mutant("what a scan can't see is forgotten", plan, "plan", "path in unseen or path in kept", "path in kept"),
    Mutant("what was wrong is never over", plan, "plan", "for path in sorted(failures)", "for path in ()"),
    Mutant("deleted notes stay", plan, "plan", "for path in known.keys() - on_disk if", "for path in () if"),
    Mutant(
        "a credential in a name is written down",
        pipeline.Pipeline,
        "_failure",
        "if secrets:",
        "if secrets and not (shown := stamp.path):",
    ),
    Mutant(
        "an emptied mount point is an emptied vault",
        _WALK,
        "miss_vault",
        "if self._top is None",
        "if self._top is not None",
    ),
    Mutant("an exclusion counts in its own case only", allowlist.Allowance, "_refuse", "file_key(path)", "path"),
    Mutant("composed and decomposed are two names", scan, "_with_names", "nfc(entry.name)", "entry.name"),
    Mutant("a folder that comes back is no news", watcher.Watcher, "_look", "if there != before:", "if False:"),
    Mutant(
        "new folders are no news",
        profile_watch,
        "changed_in",
        "found.add(inside)",
        "found.add(inside) if inside.endswith('.md') else None",
    ),
    Mutant(
        "another case is another note's name",
        indexer.Indexer,
        "_look_at",
        "if file_key(path) in named",
        "if path in paths",
    ),
    Mutant("an unreadable folder stays one", indexer, "_failures_in", "row.code == UNREADABLE_FOLDER", "False"),
    Mutant("the last batch is not stored", pipeline, "batches", "if batch:", "if False:"),
    Mutant(
        "same bytes, another rule: not prepared again",
        pipeline.Pipeline,
        "read",
        "before if stamp.path in prepared else None",
        "before",
    ),
    Mutant(
        "folders that are not allowed are entered",
        allowlist.Allowance,
        "may_enter",
        "return key.startswith(self._allow) or any(allowed.startswith(key) for allowed in self._allow)",
        "return True",
    ),
    Mutant(
        "an exclusion is no exclusion", allowlist.Allowance, "_refuse", ".startswith(self._exclude)", ".startswith(())"
    ),
    Mutant(
        "a note with new stamps and the same bytes is read for ever",
        pipeline.Pipeline,
        "_put",
        "for each in outcome.unchanged:",
        "for each in ():",
    ),
    Mutant(
        "a note that asks to be left out stays",
        pipeline.Pipeline,
        "prepare",
        "forget.append(known[raw.path].id)",
        "pass",
    ),
    Mutant(
        "a note that is no text any more stays",
        pipeline.Pipeline,
        "read",
        "if before and not error.failure.passes:",
        "if False:",
    ),
)
