"""What `make run` runs: a trial of Scrubjay on the sample vault or on one of your own.

Everything it writes lies below `.run/` (or `$SCRUBJAY_HOME`); the vault itself is only read.
"""

import argparse
import importlib.util
import itertools
import os
import re
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Make a profile for the vault, unless there is one, and become the daemon in the foreground."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, help="your vault; without it, the bundled sample vault")
    parser.add_argument("--port", type=int, help="port on 127.0.0.1")
    arguments = parser.parse_args()
    home = Path(os.environ.get("SCRUBJAY_HOME") or ROOT / ".run").expanduser().resolve()
    os.environ["SCRUBJAY_HOME"] = str(home)
    exclude: tuple[str, ...] = ()
    if arguments.vault:
        vault = arguments.vault.expanduser().resolve()
    else:
        vault, exclude = sample_vault(home / "sample-vault")
    if not vault.is_dir():
        sys.exit(f"{vault} is not a folder. Say make run VAULT=/path/to/your/vault")
    made = ensure_profile(vault, exclude)
    if runs_already(made):
        return
    if arguments.port is not None:
        keep_port(arguments.port)
    refuse_taken_port()
    os.execv(sys.executable, [sys.executable, "-m", "scrubjay.daemon", "run"])


def runs_already(made: str) -> bool:
    """Whether this trial's daemon runs, in another terminal; then its page is named, which is what was wanted.

    made: the profile that it is about to read; "": none.
    """
    from scrubjay.daemon.cli.connect import running  # noqa: PLC0415  (after SCRUBJAY_HOME is set)
    from scrubjay.daemon.home import Home  # noqa: PLC0415

    found = running(Home.find())
    if found:
        print(f"Search page: {Home.find().page.as_uri()}")
        print(f"Scrubjay runs already, at {found.url}{f', and reads profile {made} now' if made else ''}.")
    return found is not None


def keep_port(port: int) -> None:
    """Put the port into the trial's settings, so that `scrubjay start` takes it as well, and `make run` next time."""
    from scrubjay.daemon.home import Home  # noqa: PLC0415  (after SCRUBJAY_HOME is set)

    settings = Home.find().make().settings
    text = settings.read_text(encoding="utf-8") if settings.exists() else ""
    top, table, rest = text.partition("[")
    others = re.sub(r"^port\s*=.*\n?", "", top, flags=re.MULTILINE)
    settings.write_text(f"port = {port}\n{others}{table}{rest}", encoding="utf-8")


def refuse_taken_port() -> None:
    """End with what to say to make, where another program has the port."""
    from scrubjay.daemon.home import Home  # noqa: PLC0415  (after SCRUBJAY_HOME is set)
    from scrubjay.daemon.settings import load_settings  # noqa: PLC0415

    port = load_settings(Home.find().settings).port
    with socket.socket() as probe:
        if port and probe.connect_ex(("127.0.0.1", port)) == 0:
            sys.exit(f"Port {port} is taken by another program. Say make run PORT={port + 1}")


def sample_vault(target: Path) -> tuple[Path, tuple[str, ...]]:
    """The sample vault, written out with its planted fake credentials, and the folders that its author excludes."""
    spec = importlib.util.spec_from_file_location("sample_vault", ROOT / "packaging" / "sample_vault.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.materialise(target)
    return target, module.EXCLUDED


def ensure_profile(vault: Path, exclude: tuple[str, ...]) -> str:
    """Make a profile that allows the whole vault, as the command line asked, unless one has it; "" then, else its name:
    as like the folder's as a profile's may be.
    """
    from scrubjay.daemon.cli.machine.setup import name_from  # noqa: PLC0415  (after SCRUBJAY_HOME is set)
    from scrubjay.daemon.home import Home  # noqa: PLC0415  (after SCRUBJAY_HOME is set)
    from scrubjay.profiles.registry.registry import Registry, vault_folder  # noqa: PLC0415

    registry = Registry(Home.find().make().profiles)
    if any(Path(folder.root) == vault for profile in registry.list() for folder in profile.vaults):
        return ""
    taken = {profile.name.casefold() for profile in registry.list()}
    named = name_from(vault.name)
    names = (named if number == 1 else f"{named[:30]} {number}" for number in itertools.count(1))
    name = next(each for each in names if each.casefold() not in taken)
    registry.create(name, vaults=(vault_folder(vault, allow=(".",), exclude=exclude),))
    return name


if __name__ == "__main__":
    main()
