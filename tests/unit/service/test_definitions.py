"""What service managers are told."""

import os
import plistlib
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scrubjay.daemon.service.definitions import launchd_plist, systemd_unit, task_xml

COMMAND = ("/opt/my tools/python", "-m", "scrubjay.daemon", "run")


def test_the_unit_quotes_what_systemd_would_split_or_expand() -> None:
    unit = systemd_unit((*COMMAND, "100%", 'a"b'), {"SCRUBJAY_HOME": "/home/a b"})
    assert 'ExecStart="/opt/my tools/python" -m scrubjay.daemon run 100%% "a\\"b"' in unit
    assert 'Environment="SCRUBJAY_HOME=/home/a b"' in unit


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "scrubjay.service"
    unit.write_text(systemd_unit(("/bin/true", "with space"), {"SCRUBJAY_HOME": "/tmp/a b"}))
    command = ["systemd-analyze", "--user", "--man=no", "verify", str(unit)]
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if str(unit) in line]) == (0, [])


def test_the_agent_is_a_property_list_that_restarts_only_after_a_crash() -> None:
    agent = plistlib.loads(launchd_plist(COMMAND, {"SCRUBJAY_HOME": "/x"}, "/x/log"))
    assert agent["ProgramArguments"] == list(COMMAND)
    assert agent["EnvironmentVariables"] == {"SCRUBJAY_HOME": "/x"}
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


def test_the_task_is_xml_whatever_the_user_is_called() -> None:
    root = ElementTree.fromstring(task_xml((*COMMAND, "a b"), "R&D <me>").encode("utf-16"))
    space = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    assert root.findtext(".//t:Command", namespaces=space) == COMMAND[0]
    assert root.findtext(".//t:Arguments", namespaces=space) == '-m scrubjay.daemon run "a b"'
    assert root.findtext(".//t:LogonTrigger/t:UserId", namespaces=space) == "R&D <me>"
