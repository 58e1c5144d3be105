"""What `make bundle` runs: builds the stand-alone program and tries it as somebody without Python would."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any

from small_blas import put_in_place_of_openblas

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "dist" / "bundle"


def main() -> None:
    """Build into `dist/bundle/scrubjay`, and leave with a sentence where it does not work."""
    work = ROOT / ".make" / "bundle"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    places = ["--distpath", str(TARGET), "--workpath", str(work)]
    subprocess.run([*command, *places, str(ROOT / "packaging/bundle/scrubjay.spec")], cwd=ROOT, check=True)
    folder = TARGET / "scrubjay"
    if sys.platform == "linux":
        strip(folder)
        forget_search_path(folder, str(sysconfig.get_config_var("LIBDIR")))
        if not put_in_place_of_openblas(folder):
            print("There is no C compiler: OpenBLAS stays, and the bundle is 28 MB bigger.")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{folder.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    seconds = try_out(folder / ("scrubjay.exe" if sys.platform == "win32" else "scrubjay"))
    print(f"starts in {seconds:.2f} s, searches by word and by meaning, stops")


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
    """Set it up on a vault of one note, search, stop. Returns the seconds from the start to the first answer.

    Runs without this checkout's Python in the environment. Raises CalledProcessError, AssertionError.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "vault").mkdir()
        (root / "vault" / "Ferry.md").write_text(
            "# Ferry\n\nThe boat to the island leaves at nine.\n", encoding="utf-8"
        )
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
            said("profile", "create", "trial", "--vault", str(root / "vault"), "--allow", ".")
            begun = time.monotonic()
            said("start")
            seconds = time.monotonic() - begun
            said("index", "--wait")
            for mode, words in (("lexical", "boat"), ("semantic", "when does the ship sail")):
                found: dict[str, Any] = json.loads(said("search", words, "--mode", mode, "--json"))
                assert [result["path"] for result in found["results"]] == ["Ferry.md"], mode
            said("uninstall", "--purge", "--yes")
        finally:
            subprocess.run([str(program), "stop"], env=environment, capture_output=True, check=False)
        assert not (root / "home").exists()
        return seconds


if __name__ == "__main__":
    shutil.rmtree(TARGET, ignore_errors=True)
    main()
