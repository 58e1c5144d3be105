"""Installing and removing the service, with a service manager that only notes what it is told."""

import stat
import sys
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.program import Platform
from scrubjay.daemon.setup import services
from scrubjay.daemon.setup.services import Service, ServiceFailed, service_on

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")


@pytest.fixture
def manager(tmp_path: Path) -> Path:
    script = tmp_path / "manager"
    script.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/told"\n[ "$1" != refuse ]\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def service(manager: Path, install: str = "enable") -> Service:
    program = str(manager)
    definition = manager.with_name("units") / "scrubjay.service"
    return Service("systemd", definition, b"unit", ((program, install),), ((program, "disable"),), (program, "status"))


def told(manager: Path) -> list[str]:
    return manager.with_name("told").read_text().splitlines()


def test_it_is_written_started_and_removed(manager: Path) -> None:
    here = service(manager)
    assert not services.uninstall(here), "what is not there is not removed"
    assert not services.is_active(here)
    services.install(here)
    assert here.path.read_bytes() == b"unit"
    assert services.is_active(here)
    assert services.uninstall(here)
    assert not here.path.exists()
    assert told(manager) == ["enable", "status", "disable"]


def test_an_agent_that_is_there_is_unloaded_before_it_is_loaded_again(manager: Path) -> None:
    here = replace(service(manager), system="launchd")
    services.install(here)
    services.install(here)
    assert told(manager) == ["enable", "disable", "enable"]


def test_a_refusal_says_which_command_was_refused_and_what_to_do(manager: Path) -> None:
    with pytest.raises(ServiceFailed, match="refuse"):
        services.install(service(manager, install="refuse"))
    service(manager).path.unlink(missing_ok=True)
    manager.write_text("#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n")
    with pytest.raises(ServiceFailed, match="enable-linger"):
        services.install(service(manager))
    assert not service(manager).path.exists()
    with pytest.raises(ServiceFailed, match="not on this machine"):
        services.install(service(manager.with_name("nothing")))


def test_the_service_of_this_system_runs_this_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path))
    here = services.service_here(Home.below(tmp_path))
    assert sys.executable.encode() in here.definition
    assert str(tmp_path).encode() in here.definition


UNIT, AGENT = ".config/systemd/user/scrubjay.service", "Library/LaunchAgents/io.scrubjay.daemon.plist"
ADA = PurePosixPath("/home/ada")


@pytest.mark.parametrize(
    ("platform", "variables", "system", "path", "said"),
    [
        ("linux", {}, "systemd", f"{ADA}/{UNIT}", b"ExecStart="),
        ("linux", {"XDG_CONFIG_HOME": "/c"}, "systemd", "/c/systemd/user/scrubjay.service", b"ExecStart="),
        ("linux", {"SCRUBJAY_HOME": "/sj"}, "systemd", f"{ADA}/{UNIT}", b"HOME=/sj"),
        ("darwin", {"SCRUBJAY_HOME": "/sj"}, "launchd", f"{ADA}/{AGENT}", b"/sj"),
        ("win32", {}, "task-scheduler", "/sj/config/scrubjay-task.xml", "<UserId>ada</UserId>".encode("utf-16-le")),
    ],
)
def test_each_system_has_its_own_service(
    platform: Platform, variables: dict[str, str], system: str, path: str, said: bytes
) -> None:
    command = ("/opt/scrubjay", "run")
    found = service_on(platform, command, "ada", Home.below(Path("/sj")), Path(ADA), variables)
    assert (found.system, found.path.as_posix()) == (system, path)
    assert said in found.definition
    named = [part for command in (*found.install, *found.uninstall) for part in command]
    assert any(part in {"scrubjay.service", "gui/ada", "scrubjay"} for part in named)
