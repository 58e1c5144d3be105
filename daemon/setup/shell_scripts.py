"""What a shell needs to complete `scrubjay`: click's script in a file, and a line in the shell's own that reads it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from scrubjay.profiles.private_files import replace_theirs, write_atomically

Shell: TypeAlias = Literal["bash", "zsh", "fish"]

_MARK = "# scrubjay completion"
_OURS = re.compile(rf"^[^\n]*{_MARK}\n", re.MULTILINE)
# `compdef` exists only after `compinit`, which not everybody's own file calls.
_BEFORE = {"zsh": "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"}


@dataclass(frozen=True, slots=True)
class ShellCompletion:
    """Where one shell's completion stands."""

    script: Path
    startup: Path | None  # the file of the user's that reads it; fish reads the script by itself


def shell_of(environment: Mapping[str, str]) -> Shell | None:
    """The shell that the user works in, if it is one of those that we know."""
    name = Path(environment.get("SHELL", "")).name
    return cast("Shell", name) if name in get_args(Shell) else None


def completion_of(shell: Shell, data: Path, user: Path, environment: Mapping[str, str]) -> ShellCompletion:
    """Where it belongs. data: our own folder; user: the user's home."""
    if shell == "fish":
        config = Path(environment.get("XDG_CONFIG_HOME") or user / ".config")
        return ShellCompletion(config / "fish" / "completions" / "scrubjay.fish", None)
    folder = Path(environment.get("ZDOTDIR") or user) if shell == "zsh" else user
    return ShellCompletion(data / f"completion.{shell}", folder / f".{shell}rc")


def install(shell: Shell, place: ShellCompletion, source: str) -> None:
    """Write the script, and the line that reads it, once. Raises OSError."""
    place.script.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place.script, (_BEFORE.get(shell, "") + source).encode())
    if place.startup is None:
        return
    quoted = "'" + str(place.script).replace("'", "'\\''") + "'"
    line = f"[ -r {quoted} ] && . {quoted}  {_MARK}\n"
    text = _without(place.startup)
    _put(place.startup, text + ("\n" if text and not text.endswith("\n") else "") + line)


def remove(place: ShellCompletion) -> bool:
    """Take both away. False where there was nothing. Raises OSError."""
    found = is_installed(place)
    place.script.unlink(missing_ok=True)
    if found and place.startup is not None and place.startup.exists():
        _put(place.startup, _without(place.startup))
    return found


def is_installed(place: ShellCompletion) -> bool:
    """Whether anything of it is there."""
    return place.script.exists() or (place.startup is not None and _text(place.startup) != _without(place.startup))


def _without(startup: Path) -> str:
    return _OURS.sub("", _text(startup))


def _text(startup: Path) -> str:
    """As it is, whatever its encoding: every byte comes back."""
    return startup.read_bytes().decode("utf-8", "surrogateescape") if startup.exists() else ""


def _put(startup: Path, text: str) -> None:
    replace_theirs(startup, text.encode("utf-8", "surrogateescape"))
