"""Starting with the computer: systemd, launchd and Windows' tasks, as texts, and putting them in place."""

import contextlib
import getpass
import os
import plistlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias
from xml.sax.saxutils import escape

from scrubjay.daemon.home import Home
from scrubjay.daemon.program import Platform, scrubjay_command, this_platform, windowless
from scrubjay.profiles.errors import ScrubjayError
from scrubjay.profiles.private_files import remove_empty_folders

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


System: TypeAlias = Literal["systemd", "launchd", "task-scheduler"]
_NO_SESSION = (
    "There is no session of yours that systemd knows, as in a container or after `su`. Log in yourself, or have an "
    "administrator run `loginctl enable-linger` for you, and try again; until then, `scrubjay start`."
)


class ServiceFailed(ScrubjayError):
    """The system's service manager refused."""

    code = "service-failed"


@dataclass(frozen=True, slots=True)
class Service:
    """The service of one user on one system: its definition, where that goes, and the commands about it."""

    system: System
    path: Path
    definition: bytes
    install: tuple[tuple[str, ...], ...]
    uninstall: tuple[tuple[str, ...], ...]
    status: tuple[str, ...]


def service_here(home: Home) -> Service:
    """The service for this system and user, running this very installation."""
    platform = this_platform()
    user = getpass.getuser() if platform == "win32" else str(os.getuid())
    return service_on(platform, scrubjay_command("run"), user, home, Path.home(), os.environ)


def service_on(
    platform: Platform, command: Sequence[str], user: str, home: Home, own: Path, variables: Mapping[str, str]
) -> Service:
    """The service on a system. user: its name on Windows, its number on macOS; own: the user's home folder."""
    environment = {"SCRUBJAY_HOME": variables["SCRUBJAY_HOME"]} if variables.get("SCRUBJAY_HOME") else {}
    if platform == "darwin":
        path = own / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        domain = f"gui/{user}"
        return Service(
            "launchd",
            path,
            launchd_plist(command, environment, str(home.logs / "service.log")),
            install=(("launchctl", "bootstrap", domain, str(path)),),
            uninstall=(("launchctl", "bootout", f"{domain}/{LABEL}"),),
            status=("launchctl", "print", f"{domain}/{LABEL}"),
        )
    if platform == "win32":
        path = home.config / "scrubjay-task.xml"
        return Service(
            "task-scheduler",
            path,
            task_xml(windowless(command, platform), user).encode("utf-16"),
            install=(("schtasks", "/Create", "/F", "/TN", NAME, "/XML", str(path)), ("schtasks", "/Run", "/TN", NAME)),
            uninstall=(("schtasks", "/Delete", "/F", "/TN", NAME),),
            status=("schtasks", "/Query", "/TN", NAME),
        )
    configuration = Path(variables.get("XDG_CONFIG_HOME") or own / ".config")
    systemctl = ("systemctl", "--user")
    return Service(
        "systemd",
        configuration / "systemd" / "user" / f"{NAME}.service",
        systemd_unit(command, environment).encode(),
        install=((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", f"{NAME}.service")),
        uninstall=((*systemctl, "disable", "--now", f"{NAME}.service"),),
        status=(*systemctl, "is-active", f"{NAME}.service"),
    )


def install(service: Service) -> None:
    """Write the definition and have it started now and at every log-in. Raises ServiceFailed, leaving no new file."""
    existed = service.path.exists()
    if existed and service.system == "launchd":  # it refuses to load what it has loaded, and wouldn't see the change
        with contextlib.suppress(ServiceFailed):
            for command in service.uninstall:
                _run(command)
    service.path.parent.mkdir(parents=True, exist_ok=True)
    service.path.write_bytes(service.definition)
    try:
        for command in service.install:
            _run(command)
    except ServiceFailed:
        if not existed:
            service.path.unlink()
            remove_empty_folders(service.path.parent, Path.home())
        raise


def uninstall(service: Service) -> bool:
    """Stop it and remove the definition; False when there was none. Raises ServiceFailed."""
    if not service.path.exists():
        return False
    for command in service.uninstall:
        _run(command)
    service.path.unlink()
    remove_empty_folders(service.path.parent, Path.home())
    return True


def is_active(service: Service) -> bool:
    """Whether the service manager has it running or ready to run."""
    try:
        return (
            service.path.exists() and subprocess.run(service.status, capture_output=True, check=False).returncode == 0
        )
    except FileNotFoundError:
        return False


def _run(command: Sequence[str]) -> None:
    said = " ".join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ServiceFailed(f"`{command[0]}` is not on this machine, so Scrubjay can't start with it.") from None
    if done.returncode and "to bus" in done.stderr:
        raise ServiceFailed(f"`{said}` failed. {_NO_SESSION}")
    if done.returncode:
        raise ServiceFailed(f"`{said}` failed: {(done.stderr or done.stdout).strip() or f'status {done.returncode}'}")
