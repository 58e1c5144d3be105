"""Which notes of a vault may be read: none that was not allowed, and an exclusion always wins."""

import os
import re
import time
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from scrubjay.daemon.vault.paths import folds_case
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.names import file_key, nfc
from scrubjay.profiles.registry.registry import VaultFolder, relative_path
from scrubjay.profiles.store.rows import FailureRow

# Obsidian's own "Excluded files" (`userIgnoreFilters` in `.obsidian/app.json`).
#
# An entry between slashes is a regular expression that is searched for in the note's path; any other entry is the
# beginning of a path. The expressions come with the vault: one that is broken, or could run for ages, must do no harm.

SETTINGS = ".obsidian/app.json"
_MAX_SETTINGS_BYTES = 4_000_000
_MAX_PATH = 400  # code points of a path that a regular expression sees: backtracking grows with a power of it
_MAX_UNBOUNDED = 3  # `*`, `+` and `{}` in one expression: the exponent of that power, nearly
_MAX_OPTIONAL = 10  # `?` in one expression: each can double the ways to match
_MAX_SECONDS = 1.0  # of processor time that one expression may use in a scan before it is dropped


class _Settings(msgspec.Struct, rename="camel"):
    user_ignore_filters: list[str] | None = None


_DECODER = msgspec.json.Decoder(_Settings)


class IgnoreFilters:
    """The entries of one vault. `problems` names those that are not obeyed, and why; it may grow while matching."""

    def __init__(self, vault_id: str, entries: Sequence[str]) -> None:
        self.problems: list[FailureRow] = []
        self._vault_id = vault_id
        self._prefixes = tuple(
            file_key(entry.removeprefix("./")) for entry in entries if entry.strip() and not _is_regex(entry)
        )
        self._regexes: list[_Regex] = []
        for place, entry in enumerate(entries, start=1):
            if _is_regex(entry):
                self._add_regex(place, entry[1:-1])

    @classmethod
    def of_vault(cls, vault_id: str, root: Path) -> "IgnoreFilters":
        """What the vault's settings say; nothing where there are none. Settings that can't be read are a problem."""
        file = root / SETTINGS
        try:
            if not file.is_file():  # a pipe would never end
                return cls(vault_id, ())
            with file.open("rb") as settings:
                data = settings.read(_MAX_SETTINGS_BYTES)
            entries = _DECODER.decode(data.removeprefix(b"\xef\xbb\xbf")).user_ignore_filters
        except (OSError, msgspec.MsgspecError, RecursionError):
            filters = cls(vault_id, ())
            filters._refuse("Obsidian's settings can't be read, so its excluded files are not known to Scrubjay.")
            return filters
        return cls(vault_id, entries or ())

    def covers_folder(self, folder: str) -> bool:
        """Whether an entry that is no regular expression leaves out everything below `folder`."""
        return bool(self._prefixes) and f"{file_key(folder)}/".startswith(self._prefixes)

    def matches(self, path: str) -> bool:
        """Whether an entry leaves out the note at `path`."""
        if self._prefixes and file_key(path).startswith(self._prefixes):
            return True
        return any(self._search(regex, path) for regex in tuple(self._regexes))

    def _search(self, regex: "_Regex", path: str) -> bool:
        if len(path) > _MAX_PATH:
            return False
        start = time.thread_time()
        found = regex.pattern.search(path) is not None
        regex.seconds += time.thread_time() - start
        if regex.seconds > _MAX_SECONDS:
            self._regexes.remove(regex)
            self._refuse(
                f"Entry {regex.place} of Obsidian's excluded files is too slow and is not obeyed; simplify it."
            )
        return found

    def _add_regex(self, place: int, source: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "possible nested set": JavaScript has none
                pattern = re.compile(nfc(re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", source)))
        except (re.error, RecursionError, OverflowError):
            self._refuse(f"Entry {place} of Obsidian's excluded files is no regular expression that Scrubjay can use.")
            return
        if may_explode(source):
            self._refuse(
                f"Entry {place} of Obsidian's excluded files could run for ages and is not obeyed; simplify it."
            )
            return
        self._regexes.append(_Regex(place, pattern))

    def _refuse(self, reason: str) -> None:
        if all(problem.reason != reason for problem in self.problems):
            self.problems.append(FailureRow(self._vault_id, SETTINGS, "ignore-filter", reason))


class _Regex:
    """One expression and the time it has used."""

    __slots__ = ("pattern", "place", "seconds")

    def __init__(self, place: int, pattern: re.Pattern[str]) -> None:
        self.place = place
        self.pattern = pattern
        self.seconds = 0.0


def may_explode(source: str) -> bool:
    """Whether matching could take time exponential in the path, or a high power of it. Errs on the side of yes.

    Looks for a repeated group that itself repeats or has alternatives, for references back, and for many repetitions.
    """
    varies = [False]  # for each open group: does it hold a repetition or alternatives?
    unbounded = optional = 0
    token = re.compile(r"\\[1-9]|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[:=!<>P]*|[()|*+?]|\{\d*,?\d*\}|.", re.DOTALL)
    closed = False  # the token before was the end of a group that varies
    for part in token.findall(source):
        repeats = part[0] in "*+?" or (part[0] == "{" and len(part) > 1)
        if (closed and repeats) or (part[0] == "\\" and part[1:].isdigit()):
            return True
        closed = False
        if part[0] == "(":
            varies.append(False)
        elif part == ")" and len(varies) > 1:
            closed = varies.pop()
            varies[-1] = varies[-1] or closed
        elif part == "|" or repeats:
            varies[-1] = True
            unbounded += part[0] in "*+{"
            optional += part == "?"
    return unbounded > _MAX_UNBOUNDED or optional > _MAX_OPTIONAL


def _is_regex(entry: str) -> bool:
    return len(entry) > 2 and entry.startswith("/") and entry.endswith("/")


RefusalReason: TypeAlias = Literal["hidden", "not-a-note", "not-allowed", "excluded", "ignored-in-obsidian"]
Unread: TypeAlias = RefusalReason | Literal["absent", "waiting"]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The note may be read."""


@dataclass(frozen=True, slots=True)
class ReadRefusal:
    """The note must not be read, and why."""

    reason: RefusalReason


Decision: TypeAlias = Allowed | ReadRefusal
_ALLOWED = Allowed()


class Allowance:
    """The rules of one vault: its allowed and excluded folders and notes, and Obsidian's own excluded files.

    Paths are vault-relative with "/" between the names, in any Unicode normalisation. `key` makes equal what the file
    system takes for equal names; `roots` are the keys of the allowed folders and notes, "" for the whole vault.
    """

    def __init__(
        self,
        vault: VaultFolder,
        ignore_filters: IgnoreFilters,
        *,
        fold_case: bool = False,
        wants: Callable[[str], bool] = is_note,
    ) -> None:
        """fold_case: whether the vault's disk takes "Notes" and "notes" for one folder; exclusions do it everywhere.

        wants: whether a file of this path is one of those that the rules are asked about; notes, if not said.
        """
        self._wants = wants
        self.key = file_key if fold_case else nfc
        self.roots = tuple(self.key(_clean(path)) for path in vault.allow)
        self._allow = _prefixes(self.roots)
        self._exclude = _prefixes(file_key(_clean(path)) for path in vault.exclude)
        self._filters = ignore_filters

    @classmethod
    def of_vault(cls, vault: VaultFolder, wants: Callable[[str], bool] = is_note) -> "Allowance":
        """The rules as they are now, with what Obsidian's settings in the vault say."""
        root = Path(vault.root)
        return cls(vault, IgnoreFilters.of_vault(vault.id, root), fold_case=folds_case(root), wants=wants)

    def decide(self, path: str) -> Decision:
        """Whether the note at `path` may be read. Looks at the path alone, at no file."""
        if not self._wants(path):
            return ReadRefusal("not-a-note")
        reason = self._refuse(path)
        if reason is None and not f"{self.key(path)}/".startswith(self._allow):
            reason = "not-allowed"
        if reason is None and self._filters.matches(path):
            reason = "ignored-in-obsidian"
        return ReadRefusal(reason) if reason else _ALLOWED

    def allows(self, path: str) -> bool:
        """Whether the note at `path` may be read, see `decide`."""
        return isinstance(self.decide(path), Allowed)

    def may_enter(self, folder: str) -> bool:
        """Whether an allowed note can lie in `folder` or below it. The vault itself is ""."""
        if folder == "":
            return bool(self._allow)
        if self._refuse(folder) is not None or self._filters.covers_folder(folder):
            return False
        key = f"{self.key(folder)}/"
        return key.startswith(self._allow) or any(allowed.startswith(key) for allowed in self._allow)

    def _refuse(self, path: str) -> RefusalReason | None:
        if path.startswith((".", "/")) or "/." in path:
            return "hidden"
        return "excluded" if f"{file_key(path)}/".startswith(self._exclude) else None


def why_unread(vault: VaultFolder, path: str, wants: Callable[[str], bool] = is_note) -> Unread:
    """Why the note at a vault-relative path has not been read; "absent": there is no file; "waiting": it may be read.

    wants: as in `Allowance`.

    Looks for the file, and into no file but Obsidian's settings.
    """
    try:
        clean = relative_path(path)
        is_there = (Path(vault.root) / clean).is_file()
    except (InvalidProfile, OSError, ValueError):
        return "absent"
    if not is_there:
        return "absent"
    decision = Allowance.of_vault(vault, wants).decide(clean)
    return decision.reason if isinstance(decision, ReadRefusal) else "waiting"


def _clean(path: str) -> str:
    """A folder as a person writes it ("./Notes/", ".", "Notes") as a plain relative path; "" is the whole vault."""
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def _prefixes(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{path}/" if path else "" for path in paths)


_WITHOUT_INK = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


@dataclass(frozen=True, slots=True)
class PointlessExclusion:
    """An exclusion that no file or folder of the vault has the name of."""

    path: str  # as it is in the profile
    alike: str | None  # what is there, and looks the same to a person


def pointless_exclusions(vault: VaultFolder) -> tuple[PointlessExclusion, ...]:
    """Those of a vault that is there; of hidden files and folders none, since these are never read.

    Lists the folders on the way to each exclusion, and opens no file.
    """
    found: list[PointlessExclusion] = []
    for path in vault.exclude:
        parts = [part for part in path.split("/") if part not in {"", "."}]
        if any(part.startswith(".") for part in parts) or _find(vault.root, parts, file_key) is not None:
            continue
        found.append(PointlessExclusion(path, _find(vault.root, parts, looks_like)))
    return tuple(found)


def looks_like(name: str) -> str:
    """Equal for names that a person can't tell apart: widths, cases, blanks and what has no ink don't count."""
    plain = unicodedata.normalize("NFKC", name)
    return "".join(character for character in plain if unicodedata.category(character) not in _WITHOUT_INK).casefold()


def _find(root: str, parts: Sequence[str], key: Callable[[str], str]) -> str | None:
    """The first path below `root` whose names have the same keys as `parts`; None where there is none."""
    way: list[str] = []
    for part in parts:
        wanted = key(part)
        name = next((name for name in _names_in(os.path.join(root, *way)) if key(name) == wanted), None)  # noqa: PTH118
        if name is None:
            return None
        way.append(name)
    return nfc("/".join(way))


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - as in the scan, names are enough
    except OSError:
        return []
