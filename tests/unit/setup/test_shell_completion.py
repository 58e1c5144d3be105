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


@pytest.mark.parametrize("path", ["/bin/bash", "/usr/local/bin/zsh", "/usr/bin/fish"])
def test_the_users_shell_is_known_by_its_name(path: str) -> None:
    assert shell_of({"SHELL": path}) == Path(path).name


@pytest.mark.parametrize("environment", [{}, {"SHELL": ""}, {"SHELL": "/bin/tcsh"}])
def test_another_shell_is_none(environment: dict[str, str]) -> None:
    assert shell_of(environment) is None


@pytest.mark.parametrize("before", [b"", b"export A=1\n", b"no line end\xff at all\n", b"a\r\nb\n"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_what_was_written_is_taken_back_to_the_byte(tmp_path: Path, shell: Shell, before: bytes) -> None:
    where = place(tmp_path, shell)
    assert where.startup is not None
    where.startup.write_bytes(before)
    where.startup.chmod(0o640)
    for _ in range(2):
        install(shell, where, SCRIPT)
    assert where.script.read_text().endswith(SCRIPT)
    assert where.startup.read_bytes().startswith(before)
    assert where.startup.read_bytes().count(b"scrubjay completion") == 1
    assert is_installed(where)
    assert remove(where)
    assert (where.startup.read_bytes(), where.script.exists(), is_installed(where)) == (before, False, False)
    assert where.startup.stat().st_mode & 0o777 == 0o640
    assert not remove(where)


def test_a_last_line_without_an_end_stays_a_line_of_its_own(tmp_path: Path) -> None:
    where = place(tmp_path, "bash")
    assert where.startup is not None
    where.startup.write_text("alias s=scrubjay")
    install("bash", where, SCRIPT)
    assert where.startup.read_text().startswith("alias s=scrubjay\n[ -r ")


def test_a_link_to_the_users_own_files_stays_a_link(tmp_path: Path) -> None:
    where = place(tmp_path, "zsh")
    assert where.startup is not None
    kept = tmp_path / "dotfiles"
    kept.write_text("A=1\n")
    where.startup.symlink_to(kept)
    install("zsh", where, SCRIPT)
    assert where.startup.is_symlink()
    assert "scrubjay completion" in kept.read_text()


def test_fish_needs_no_line_of_the_users(tmp_path: Path) -> None:
    where = place(tmp_path, "fish")
    install("fish", where, SCRIPT)
    assert where.script.read_text() == SCRIPT
    assert remove(where)
    assert not where.script.exists()
