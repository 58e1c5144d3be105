"""The definition for each system's service manager, as text. Pure: nothing is written or run here."""

import plistlib
import subprocess
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

NAME = "scrubjay"
LABEL = "io.scrubjay.daemon"


def systemd_unit(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """A systemd user unit (systemd.service(5)): low priority, restarted after a crash, hardened."""
    start = " ".join(_systemd_quoted(part) for part in command)
    variables = "".join(
        f"Environment={_systemd_quoted(f'{name}={value}')}\n" for name, value in sorted(environment.items())
    )
    return f"""[Unit]
Description=Scrubjay, private search for Obsidian vaults

[Service]
ExecStart={start}
{variables}Restart=on-failure
RestartSec=5
Nice=5
IOSchedulingClass=idle
NoNewPrivileges=yes
PrivateTmp=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
UMask=0077

[Install]
WantedBy=default.target
"""


def launchd_plist(command: Sequence[str], environment: Mapping[str, str], log: str) -> bytes:
    """A launchd agent (launchd.plist(5)): in the background band, restarted after a crash."""
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": list(command),
            "EnvironmentVariables": dict(environment),
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ProcessType": "Background",
            "LowPriorityIO": True,
            "StandardErrorPath": log,
            "StandardOutPath": log,
        }
    )


def task_xml(command: Sequence[str], user: str) -> str:
    """A task of the Windows task scheduler (its schema 1.2): at logon, below normal priority, no time limit."""
    program, *arguments = command
    said = subprocess.list2cmdline(arguments)  # pure: as CommandLineToArgvW takes it apart again
    return f"""<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Scrubjay, private search for Obsidian vaults</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled><UserId>{escape(user)}</UserId></LogonTrigger></Triggers>
  <Principals><Principal id="Author"><UserId>{escape(user)}</UserId><LogonType>InteractiveToken</LogonType>\
<RunLevel>LeastPrivilege</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec><Command>{escape(program)}</Command><Arguments>{escape(said)}</Arguments></Exec>
  </Actions>
</Task>
"""


def _systemd_quoted(part: str) -> str:
    """One argument as systemd reads it: quoted, with its escapes and specifiers taken literally."""
    escaped = part.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if not part or any(c in part for c in " \t\"'\\;") else escaped
