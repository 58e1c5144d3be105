"""The files that let a shell complete `scrubjay`: written once, taken back to the byte, the user's own left alone."""

from pathlib import Path

import pytest

from scrubjay.daemon.setup.shell_scripts import (
    Shell,
    ShellCompletion,
    completion_of,
    install,
    is_installed,
    remove,
    shell_of,
)

SCRIPT = "complete scrubjay\n"


def place(tmp_path: Path, shell: Shell, **environment: str) -> ShellCompletion:
    return completion_of(shell, tmp_path / "it's data", tmp_path, environment)


@pytest.mark.parametrize(
    ("shell", "environment", "script", "startup"),
    [
        ("bash", {}, "it's data/completion.bash", ".bashrc"),
        ("zsh", {}, "it's data/completion.zsh", ".zshrc"),
        ("zsh", {"ZDOTDIR": "dots"}, "it's data/completion.zsh", "dots/.zshrc"),
        ("fish", {}, ".config/fish/completions/scrubjay.fish", None),
        ("fish", {"XDG_CONFIG_HOME": "conf"}, "conf/fish/completions/scrubjay.fish", None),
    ],
)
def test_each_shell_has_its_place(
    tmp_path: Path, shell: Shell, environment: dict[str, str], script: str, startup: str | None
) -> None:
    below = {name: str(tmp_path / value) for name, value in environment.items()}
    expected = ShellCompletion(tmp_path / script, None if startup is None else tmp_path / startup)
    assert place(tmp_path, shell, **below) == expected


def test_the_users_shell_is_known_by_its_name_and_another_is_none() -> None:
    known = {"/bin/bash": "bash", "/usr/local/bin/zsh": "zsh", "/usr/bin/fish": "fish", "/bin/tcsh": None, "": None}
    assert {path: shell_of({"SHELL": path}) for path in known} == known
    assert shell_of({}) is None


@pytest.mark.parametrize("before", [b"", b"export A=1\n", b"no line end\xff at all", b"a\r\nb\n"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_what_was_written_is_taken_back_to_the_byte(tmp_path: Path, shell: Shell, before: bytes) -> None:
    where = place(tmp_path, shell)
    assert where.startup is not None
    kept = tmp_path / "dotfiles"
    kept.write_bytes(before)
    kept.chmod(0o640)
    where.startup.symlink_to(kept)
    for _ in range(2):
        install(shell, where, SCRIPT)
    assert where.script.read_text().endswith(SCRIPT)
    assert where.startup.is_symlink(), "a link to the user's own files stays one"
    written = kept.read_bytes()
    assert written.startswith(before + (b"\n[ -r " if before and not before.endswith(b"\n") else b"[ -r "))
    assert written.count(b"scrubjay completion") == 1
    assert is_installed(where)
    assert remove(where)
    assert (where.script.exists(), is_installed(where), kept.stat().st_mode & 0o777) == (False, False, 0o640)
    assert kept.read_bytes() == (before if before.endswith(b"\n") or not before else before + b"\n")
    assert not remove(where)


def test_fish_needs_no_line_of_the_users(tmp_path: Path) -> None:
    where = place(tmp_path, "fish")
    install("fish", where, SCRIPT)
    assert where.script.read_text() == SCRIPT
    assert remove(where)
    assert not where.script.exists()
