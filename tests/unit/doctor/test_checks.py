"""What the doctor finds, and what it says to do."""

import os
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import keyring
import keyring.backends.fail
import pytest

from scrubjay.daemon import __version__
from scrubjay.daemon.doctor import checks
from scrubjay.daemon.doctor.checks import MANIFEST, CheckResult, CheckVerdict, plugin
from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.registry.registry import Registry, vault_folder
from scrubjay.profiles.store import backup


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def nearly_full(_: object) -> Usage:
    return Usage(10**9, 10**9 - 10**6, 10**6)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.below(tmp_path / "home").make()


def with_vault(home: Home, tmp_path: Path) -> Path:
    vault = tmp_path / "vault"
    (vault / "a" / "b").mkdir(parents=True)
    Registry(home.profiles).create("notes", vaults=(vault_folder(vault, allow=(".",)),))
    return vault


def test_a_healthy_machine_has_nothing_bad(home: Home, tmp_path: Path) -> None:
    with_vault(home, tmp_path)
    home.settings.write_text("port = 0\n", encoding="utf-8")
    assert [finding for finding in checks.examine(home) if finding.verdict == "bad"] == []


def test_whatever_is_not_good_comes_with_advice(home: Home) -> None:
    assert all(finding.advice for finding in checks.examine(home) if finding.verdict != "good")


def _taken_port(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        home.settings.write_text(f"port = {taken.getsockname()[1]}\n", encoding="utf-8")
        return checks.port(home)


def _full_disk(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    patch.setattr(shutil, "disk_usage", nearly_full)
    return checks.disk(home)


def _no_keyring(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    patch.setattr(keyring, "get_keyring", keyring.backends.fail.Keyring)
    return checks.secret_store(home)


def _old_clock(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    patch.setattr(time, "time", lambda: 1_000_000.0)
    return checks.clock(home)


def _readable_by_others(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    home.state.chmod(0o755)
    return checks.folders(home)


def _few_watches(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    with_vault(home, tmp_path)
    limit = tmp_path / "limit"
    limit.write_text("2\n")
    patch.setattr(checks, "_INOTIFY_LIMITS", (limit,))
    return checks.watches(home)


def _vault_away(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    shutil.rmtree(with_vault(home, tmp_path))
    return checks.vaults(home)


def _wrong_settings(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    home.settings.write_text("prot = 1\n", encoding="utf-8")
    return checks.settings(home)


def _damaged_model(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    from dataclasses import replace

    assert BUNDLED.path
    copy = tmp_path / "model"
    shutil.copytree(BUNDLED.path, copy)
    (copy / "model.onnx").write_bytes(b"cut short")
    patch.setattr(checks, "BUNDLED", replace(BUNDLED, path=copy))
    return checks.model(home)


def _model_missing(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    Registry(home.profiles).create("notes", model="makers/other")
    return checks.downloaded_models(home)


def _settings_spoilt(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    registry = Registry(home.profiles)
    (registry.folder_of(registry.create("notes")) / "profile.toml").write_text("name =", encoding="utf-8")
    return checks.profiles(home)


def _set_aside(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
    registry = Registry(home.profiles)
    backup.set_aside(touched(registry.store_path(registry.create("notes"))))
    return checks.damage(home)


def touched(path: Path) -> Path:
    path.touch()
    return path


def _plugin_of(version: str) -> Callable[[Home, pytest.MonkeyPatch, Path], CheckResult]:
    def look(home: Home, patch: pytest.MonkeyPatch, tmp_path: Path) -> CheckResult:
        manifest = with_vault(home, tmp_path) / MANIFEST
        manifest.parent.mkdir(parents=True)
        manifest.write_text(f'{{"id": "scrubjay", "version": "{version}"}}', encoding="utf-8")
        return plugin(home)

    return look


@pytest.mark.parametrize(
    ("look", "verdict", "advice"),
    [
        pytest.param(_set_aside, "weak", "have the disk checked", id="index-set-aside"),
        pytest.param(_model_missing, "weak", "scrubjay model download makers/other", id="model-missing"),
        pytest.param(_taken_port, "bad", "port", id="port-taken"),
        pytest.param(_plugin_of("0.0.9"), "weak", "scrubjay plugin install", id="plugin-older"),
        pytest.param(_plugin_of("999.0.0"), "weak", "scrubjay update", id="plugin-newer"),
        pytest.param(_plugin_of("a fork"), "weak", "scrubjay plugin install", id="plugin-without-a-version"),
        pytest.param(_plugin_of(__version__), "good", "", id="plugin-of-this-version"),
        pytest.param(_full_disk, "bad", "room", id="disk-full"),
        pytest.param(_no_keyring, "weak", "only you can read", id="no-keyring"),
        pytest.param(_old_clock, "bad", "clock", id="clock-wrong"),
        pytest.param(_few_watches, "bad", "max_user_watches", id="too-few-watches"),
        pytest.param(_vault_away, "weak", "drive", id="vault-away"),
        pytest.param(_wrong_settings, "bad", "prot", id="settings-wrong"),
        pytest.param(_settings_spoilt, "bad", "profile.toml can't be read", id="profile-settings-spoilt"),
        pytest.param(_damaged_model, "bad", "Reinstall", id="model-damaged"),
        pytest.param(
            _readable_by_others,
            "weak",
            "chmod 700",
            id="folders-open",
            marks=pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions"),
        ),
    ],
)
def test_what_is_wrong_is_named_with_what_to_do(
    look: Callable[[Home, pytest.MonkeyPatch, Path], CheckResult],
    verdict: CheckVerdict,
    advice: str,
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    finding = look(home, monkeypatch, tmp_path)
    assert (finding.verdict, advice in finding.advice) == (verdict, True)


def test_a_check_that_fails_itself_is_a_finding(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Home) -> CheckResult:
        raise RuntimeError("text that may be anybody's")

    monkeypatch.setattr(checks, "CHECKS", (broken, checks.python))
    [finding, python] = checks.examine(home)
    assert (finding.about, finding.verdict, finding.seen) == ("Broken", "bad", "RuntimeError")
    assert "anybody" not in finding.advice
    assert python.verdict == "good"
