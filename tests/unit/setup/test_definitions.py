"""What service managers are told."""

import os
import plistlib
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scrubjay.daemon.setup.services import launchd_plist, systemd_unit, task_xml

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


_KEYS_OF_AGENTS = {  # launchd.plist(5)
    **dict.fromkeys(("Label", "ProcessType", "StandardErrorPath", "StandardOutPath"), str),
    **dict.fromkeys(("RunAtLoad", "LowPriorityIO"), bool),
    **dict.fromkeys(("EnvironmentVariables", "KeepAlive"), dict),
    "ProgramArguments": list,
}


def test_the_agent_has_only_keys_of_launchd_each_of_its_kind_and_restarts_only_after_a_crash() -> None:
    agent = plistlib.loads(launchd_plist(COMMAND, {"SCRUBJAY_HOME": "/x"}, "/x/log"))
    assert {key: type(value) for key, value in agent.items()} == _KEYS_OF_AGENTS
    assert agent["ProgramArguments"] == list(COMMAND)
    assert agent["EnvironmentVariables"] == {"SCRUBJAY_HOME": "/x"}
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["ProcessType"] in {"Background", "Standard", "Adaptive", "Interactive"}


_SETTINGS_OF_TASKS = {  # https://learn.microsoft.com/windows/win32/taskschd/taskschedulerschema-settingstype-complextype
    "MultipleInstancesPolicy": {"Parallel", "Queue", "IgnoreNew", "StopExisting"},
    "DisallowStartIfOnBatteries": {"true", "false"},
    "StopIfGoingOnBatteries": {"true", "false"},
    **dict.fromkeys(("RestartOnFailure", "ExecutionTimeLimit")),
    "Priority": {str(number) for number in range(11)},
}


def test_the_task_has_only_what_its_schema_knows_whatever_the_user_is_called() -> None:
    root = ElementTree.fromstring(task_xml((*COMMAND, "a b"), "R&D <me>").encode("utf-16"))
    names = [child.tag.rpartition("}")[2] for child in root]
    assert names == ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"]
    settings = {child.tag.rpartition("}")[2]: child.text for child in root[3]}
    assert settings.keys() <= _SETTINGS_OF_TASKS.keys()
    assert all((values := _SETTINGS_OF_TASKS[name]) is None or text in values for name, text in settings.items())
    assert root[2][0].get("id") == root[4].get("Context")
    space = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    assert root.findtext(".//t:Command", namespaces=space) == COMMAND[0]
    assert root.findtext(".//t:Arguments", namespaces=space) == '-m scrubjay.daemon run "a b"'
    assert root.findtext(".//t:LogonTrigger/t:UserId", namespaces=space) == "R&D <me>"


@pytest.mark.parametrize(
    ("argument", "quoted"), [("a b", '"a b"'), ("C:\\my folder\\", '"C:\\my folder\\\\"'), ('a"b', 'a\\"b'), ("", '""')]
)
def test_arguments_reach_the_program_as_windows_takes_a_line_apart(argument: str, quoted: str) -> None:
    root = ElementTree.fromstring(task_xml(("python.exe", argument), "ada").encode("utf-16"))
    assert next(root.iter("{http://schemas.microsoft.com/windows/2004/02/mit/task}Arguments")).text == quoted
