"""What `make first-minutes` runs: from what is in `dist/` to a first result over a thousand notes, in each way.

A first result is the newest note, searched as soon as `setup` says that notes can be found; how long it takes until all
of them can be is told beside it, and how busy the machine was (its load, of one minute).

Every way begins with an empty home and an environment that holds nothing, and ends with `uninstall --purge`.
A way for which `dist/` lacks the file, or the machine the tool, is left out; names of ways try these alone.
`VAULT=path` takes notes of your own.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "packaging" / "release"))
import sample_vault  # noqa: E402
from simple_index import serving  # noqa: E402
from versions import version  # noqa: E402

DIST = ROOT / "dist"
NOTES = 1_000
_LONGEST_SECONDS = 600.0

# What tells programs where packages come from; nothing else of this environment is handed on.
_HANDED_ON = ("PIP_", "UV_INDEX", "UV_DEFAULT_INDEX", "SSL_CERT", "REQUESTS_CA_BUNDLE", "HTTP_PROXY", "HTTPS_PROXY")


@dataclass(frozen=True, slots=True)
class Way:
    """A way of installing: `install` is run first, `program` is how `scrubjay` is started then; `bar` is in seconds.

    settings: environment variables that say where packages come from and go to.
    """

    name: str
    bar: int
    install: tuple[tuple[str, ...], ...]
    program: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict[str, str])


def main() -> None:
    """Try each, and print how long it took. Leaves with 1 where one does not work; being slow is told, and no fault."""
    with tempfile.TemporaryDirectory() as folder, serving(DIST) as index:
        vault = Path(folder) / "Notes"
        query = make_vault(vault)
        for way in ways(Path(folder), index):
            if sys.argv[1:] and way.name not in sys.argv[1:]:
                continue
            home = Path(folder) / "home" / way.name
            home.mkdir(parents=True)
            seconds, whole = tried(way, home, vault, query)
            late = "" if seconds <= way.bar else f", more than {way.bar} s"
            busy = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
            told = f"{seconds:.1f} s from nothing to the first result, {whole:.1f} s to all {NOTES} notes"
            print(f"{way.name}: {told} ({busy}){late}", flush=True)


def ways(folder: Path, index: str) -> Iterator[Way]:
    """Those that this machine can try."""
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    release = version()
    wheel, venv = DIST / f"scrubjay-{release}-py3-none-any.whl", folder / "venv"
    python = str(venv / scripts / "python")
    yield Way(
        "wheel",
        60,
        ((sys.executable, "-m", "venv", str(venv)), (python, "-m", "pip", "install", "--quiet", str(wheel))),
        (str(venv / scripts / "scrubjay"),),
    )
    # As the README has them, word for word: where the index is, the environment says.
    if uvx := shutil.which("uvx") or shutil.which("uvx", path=str(Path(sys.executable).parent)):
        yield Way("uvx", 60, (), (uvx, "scrubjay"), {"UV_INDEX": index, "UV_CACHE_DIR": str(folder / "uv")})
    if pipx := shutil.which("pipx"):
        settings = {"PIP_EXTRA_INDEX_URL": index, "PIPX_HOME": str(folder / "pipx"), "PIP_NO_CACHE_DIR": "1"}
        yield Way("pipx run", 60, (), (pipx, "run", "scrubjay"), settings)
    for archive in DIST.glob(f"scrubjay-{release}-linux-*.tar.gz"):
        unpack = ("tar", "-xzf", str(archive), "-C", str(made(folder / "bundle")))
        yield Way("bundle", 10, (unpack,), (str(folder / "bundle" / "scrubjay" / "scrubjay"),))
    for package in DIST.glob(f"scrubjay_{release}_*.deb"):
        unpack = ("dpkg-deb", "-x", str(package), str(folder / "deb"))
        yield Way("deb", 15, (unpack,), (str(folder / "deb" / "usr" / "bin" / "scrubjay"),))


def tried(way: Way, home: Path, vault: Path, query: str) -> tuple[float, float]:
    """Seconds from nothing to the first result, and to all notes. Leaves with a sentence where something fails."""
    environment = {**bare(home), **way.settings}
    begun = time.monotonic()
    for command in way.install:
        run(command, environment)
    (home / "config").mkdir(mode=0o700)
    (home / "config" / "settings.toml").write_text("port = 0\n", encoding="utf-8")
    options = ("--vault", str(vault), "--allow", ".", "--no-open", "--no-service", "--no-plugin")
    run((*way.program, "setup", "--yes", *options), environment)
    found = run((*way.program, "search", query, "--limit", "3"), environment)
    seconds = time.monotonic() - begun
    if query not in found:
        sys.exit(f"{way.name}: {query} was not found:\n{found}")
    while (notes := notes_found((*way.program, "status", "--json"), environment)) < NOTES:
        if time.monotonic() - begun > _LONGEST_SECONDS:
            sys.exit(f"{way.name}: {notes} of {NOTES} notes were found")
    whole = time.monotonic() - begun
    run((*way.program, "uninstall", "--purge", "--yes"), environment)
    left = [str(file.relative_to(home)) for file in home.rglob("*")]
    if left and any(not name.startswith((".cache", ".local")) for name in left):
        sys.exit(f"{way.name}: left behind: {', '.join(left[:20])}")
    return seconds, whole


def notes_found(command: tuple[str, ...], environment: Mapping[str, str]) -> int:
    """How many notes can be found by word now."""
    state = json.loads(run(command, environment))["status"]
    return sum(profile["notes"] for profile in state["profiles"])


def make_vault(vault: Path) -> str:
    """Write `NOTES` notes: those of $VAULT, or the sample ones again and again. Returns what the newest is called."""
    if given := os.environ.get("VAULT"):
        notes = sorted(file for file in Path(given).expanduser().rglob("*.md") if file.stat().st_size)[:NOTES]
        if len(notes) < NOTES:
            sys.exit(f"{given} has {len(notes)} notes; {NOTES} are needed.")
        for note in notes:
            target = vault / note.relative_to(Path(given).expanduser())
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(note, target)
        return newest(vault)
    copy = 0
    while sum(1 for _ in vault.rglob("*.md")) < NOTES:
        sample_vault.materialise(vault / f"Copy {copy}")
        copy += 1
    for note in sorted(vault.rglob("*.md"))[NOTES:]:
        note.unlink()
    return newest(vault)


def newest(vault: Path) -> str:
    """The name of a note, by which it is found; it is made the newest, as the one that somebody worked on last."""
    note = max((file for file in vault.rglob("*.md") if " " in file.stem), key=lambda file: (file.stat().st_size, file))
    os.utime(note)
    return note.stem


def bare(home: Path) -> dict[str, str]:
    """An environment that holds nothing but where packages come from, for a home without a keyring."""
    handed: Mapping[str, str] = {name: value for name, value in os.environ.items() if name.startswith(_HANDED_ON)}
    pip = Path("~/.config/pip/pip.conf").expanduser()
    return {
        **handed,
        **({"PIP_CONFIG_FILE": str(pip)} if pip.is_file() else {}),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "SCRUBJAY_HOME": str(home),
    }


def run(command: tuple[str, ...], environment: Mapping[str, str]) -> str:
    """What it prints. Leaves with what it said where it fails."""
    done = subprocess.run(command, env=dict(environment), capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} left with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def made(folder: Path) -> Path:
    """The folder, which is there now."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    main()
