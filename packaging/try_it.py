"""What `make run` runs: a trial of Scrubjay on the sample vault or on one of your own.

Everything it writes lies below `.run/` (or `$SCRUBJAY_HOME`); the vault itself is only read.
"""

import argparse
import importlib.util
import os
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Make a profile for the vault, unless there is one, and become the daemon in the foreground."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, help="your vault; without it, the bundled sample vault")
    parser.add_argument("--port", type=int, help="port on 127.0.0.1")
    arguments = parser.parse_args()
    home = Path(os.environ.setdefault("SCRUBJAY_HOME", str(ROOT / ".run")))
    exclude: tuple[str, ...] = ()
    if arguments.vault:
        vault = arguments.vault.expanduser().resolve()
    else:
        vault, exclude = sample_vault(home / "sample-vault")
    if not vault.is_dir():
        sys.exit(f"{vault} is not a folder. Say make run VAULT=/path/to/your/vault")
    ensure_profile(vault, exclude)
    print(advice(home), flush=True)
    port = [] if arguments.port is None else ["--port", str(arguments.port)]
    command = [sys.executable, "-m", "scrubjay.daemon", "run", *port]
    os.execv(sys.executable, command)


def advice(home: Path) -> str:
    """How the other commands find this trial, which is not where an installation would be."""
    folder = home.relative_to(Path.cwd()) if home.is_relative_to(Path.cwd()) else home
    command = f"SCRUBJAY_HOME={shlex.quote(str(folder))} .venv/bin/scrubjay"
    return f"This trial keeps its data in {folder}. In another terminal, in this folder:\n    {command} status"


def sample_vault(target: Path) -> tuple[Path, tuple[str, ...]]:
    """The sample vault, written out with its planted fake credentials, and the folders that its author excludes."""
    spec = importlib.util.spec_from_file_location("sample_vault", ROOT / "packaging" / "sample_vault.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.materialise(target)
    return target, module.EXCLUDED


def ensure_profile(vault: Path, exclude: tuple[str, ...]) -> None:
    """A profile named after the vault's folder that allows the whole vault, as the command line asked."""
    from scrubjay.daemon.home import Home  # noqa: PLC0415  (after SCRUBJAY_HOME is set)
    from scrubjay.profiles.registry.registry import Registry, vault_folder  # noqa: PLC0415

    registry = Registry(Home.find().make().profiles)
    if any(Path(folder.root) == vault for profile in registry.list() for folder in profile.vaults):
        return
    registry.create(vault.name, vaults=(vault_folder(vault, allow=(".",), exclude=exclude),))


if __name__ == "__main__":
    main()
