"""What `make bundle` runs: builds the stand-alone program and tries it as somebody without Python would.

Beside the program lie LICENSE and THIRD-PARTY.txt, the licences of everything that it carries.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any

from archive import archive_name, archived

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging" / "release")]
import sample_vault  # noqa: E402
from third_party import NAME as THIRD_PARTY  # noqa: E402
from third_party import named_in  # noqa: E402
from versions import source_date, version  # noqa: E402

TARGET = ROOT / "dist" / "bundle"


def main() -> None:
    """Build into `dist/bundle/scrubjay`, and leave with a sentence where it does not work."""
    work = ROOT / ".make" / "bundle"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    places = ["--distpath", str(TARGET), "--workpath", str(work)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(source_date()), "PYTHONHASHSEED": "0"}
    specification = str(ROOT / "packaging/bundle/scrubjay.spec")
    subprocess.run([*command, *places, specification], cwd=ROOT, env=environment, check=True)
    folder = TARGET / "scrubjay"
    for name in ("LICENSE", THIRD_PARTY):
        shutil.move(folder / "_internal" / name, folder / name)
    if unnamed := without_licence(folder):
        sys.exit(f"{THIRD_PARTY} has no licence of: {', '.join(unnamed)}")
    if sys.platform == "linux":
        strip(folder)
        forget_search_path(folder, str(sysconfig.get_config_var("LIBDIR")))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{folder.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    seconds = try_out(folder / ("scrubjay.exe" if sys.platform == "win32" else "scrubjay"))
    print(f"starts in {seconds:.2f} s, searches by word and by meaning, stops")
    target = ROOT / "dist" / archive_name(version())
    archived(TARGET, target, source_date())
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1e6:.1f} MB")


def without_licence(folder: Path) -> list[str]:
    """The distributions in a bundle whose licence its document lacks."""

    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    named = {plain(name) for name in named_in((folder / THIRD_PARTY).read_text(encoding="utf-8"))} | {"scrubjay"}
    carried = (file.name.partition("-")[0] for file in (folder / "_internal").glob("*.dist-info"))
    return sorted(name for name in carried if plain(name) not in named)


def strip(folder: Path) -> None:
    """Take the debugging symbols out of the libraries.

    Not in `*.libs`: those were rewritten when their wheels were made, in a way that `strip` breaks.
    """
    for file in folder.rglob("*"):
        is_library = file.is_file() and not file.is_symlink() and ".so" in file.suffixes
        if is_library and file.parent.suffix != ".libs":
            subprocess.run(["strip", "--strip-unneeded", str(file)], check=False, stderr=subprocess.DEVNULL)


def forget_search_path(folder: Path, built_at: str) -> None:
    """Take out of the libraries that they look for others where this machine's Python was built (their RUNPATH).

    An empty one is ignored by the loader (ld.so of glibc, `decompose_rpath`); what they need lies in the bundle.
    """
    said = built_at.encode() + b"\0"
    for file in folder.rglob("*.so*"):
        content = b"" if file.is_symlink() else file.read_bytes()
        if said in content:
            file.write_bytes(content.replace(said, bytes(len(said))))


def try_out(program: Path) -> float:
    """Set it up on the sample notes, which are in several languages, search, stop.

    Returns the seconds from the start to the first answer. Runs without this checkout's Python in the environment.
    Raises CalledProcessError, AssertionError.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        sample_vault.materialise(root / "vault")
        (root / "home" / "config").mkdir(parents=True, mode=0o700)
        (root / "home" / "config" / "settings.toml").write_text("port = 0\n", encoding="utf-8")
        environment = {name: os.environ[name] for name in ("LANG", "SYSTEMROOT", "TEMP") if name in os.environ} | {
            "HOME": folder,
            "PATH": "/usr/bin:/bin",
            "SCRUBJAY_HOME": str(root / "home"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        }

        def said(*arguments: str) -> str:
            command = [str(program), *arguments]
            done = subprocess.run(
                command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120, check=False
            )
            if done.returncode:
                sys.exit(f"scrubjay {' '.join(arguments)} left with {done.returncode}:\n{done.stdout}{done.stderr}")
            return done.stdout

        try:
            said("doctor")
            said("doctor", "--report")
            said("profile", "create", "trial", "--vault", str(root / "vault"), "--allow", ".")
            begun = time.monotonic()
            said("start")
            seconds = time.monotonic() - begun
            said("index", "--wait")
            for mode, words, note in (
                ("lexical", "peat depth", "Peat depth"),
                ("semantic", "how do I keep my trousers dry in the bog", "waders"),
            ):
                found: dict[str, Any] = json.loads(said("search", words, "--mode", mode, "--json"))
                assert any(note in result["path"] for result in found["results"][:3]), mode
            said("uninstall", "--purge", "--yes")
        finally:
            subprocess.run([str(program), "stop"], env=environment, capture_output=True, check=False)
        assert not (root / "home").exists()
        return seconds


if __name__ == "__main__":
    shutil.rmtree(TARGET, ignore_errors=True)
    main()
