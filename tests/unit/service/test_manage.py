"""Installing and removing the service, with a service manager that only notes what it is told."""

import stat
import sys
from pathlib import Path

import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.service import manage
from scrubjay.daemon.service.manage import Service, ServiceFailed

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
    assert not manage.is_active(here)
    manage.install(here)
    assert here.path.read_bytes() == b"unit"
    assert manage.is_active(here)
    assert manage.uninstall(here)
    assert not here.path.exists()
    assert told(manager) == ["enable", "status", "disable"]


def test_removing_what_is_not_there_says_so(manager: Path) -> None:
    assert not manage.uninstall(service(manager))


def test_a_refusal_says_which_command_was_refused(manager: Path) -> None:
    with pytest.raises(ServiceFailed, match="refuse"):
        manage.install(service(manager, install="refuse"))


def test_a_user_without_a_session_is_told_what_to_do(manager: Path) -> None:
    manager.write_text("#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n")
    with pytest.raises(ServiceFailed, match="enable-linger"):
        manage.install(service(manager))
    assert not service(manager).path.exists()


def test_a_machine_without_the_service_manager_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(ServiceFailed, match="not on this machine"):
        manage.install(service(tmp_path / "nothing"))


def test_the_service_of_this_system_runs_this_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path))
    here = manage.service_here(Home.below(tmp_path))
    assert sys.executable.encode() in here.definition
    assert str(tmp_path).encode() in here.definition
