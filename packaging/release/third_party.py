"""The licences of everything that a stand-alone program carries, with their full texts, as one document.

What is in it is told by the files that it was made of: of a Python distribution, of Python itself, or a library of the
system that it was built on. Beside these: the model, the panel's libraries, and what starts the program (PyInstaller).
"""

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from licences import canonical, npm_packages

ROOT = Path(__file__).resolve().parents[2]
NAME = "THIRD-PARTY.txt"
"""What the document is called, beside the program and in the Debian package."""

# Texts of packages whose wheels bring none, as their source distributions have them.
_KEPT = ROOT / "packaging" / "licences"
_MODEL = ROOT / "daemon" / "models" / "bundled"
_DICTIONARIES = ROOT / "profiles" / "search" / "words" / "dictionaries"
# Under the Apache License 2.0, or under this or another at the user's choice; their wheels bring no text.
_APACHE = frozenset({"flatbuffers", "sqlite-vec", "tokenizers"})
_TEXT = re.compile(r"(licen[cs]e|copying|notice|third.?party)", re.IGNORECASE)
_RULE = "=" * 100


@dataclass(frozen=True, slots=True)
class Notice:
    """A work that is carried along: `name` with its version where it has one, and the text of its licence."""

    name: str
    text: str


class NoLicenceText(Exception):
    """Nobody knows the text of a licence; the message says whose, and where to put it."""


def distributions(files: Iterable[Path]) -> tuple[str, ...]:
    """The names of the distributions that these files (modules, libraries, data) are of, but ours."""
    owners = _owners()
    names = {owners[str(file)] for file in files if str(file) in owners}
    return tuple(sorted(names - {"scrubjay"}, key=str.lower))


def notices(files: Iterable[Path]) -> tuple[Notice, ...]:
    """Of a program that was made of these files. Those of this checkout are ours. Raises NoLicenceText."""
    files = tuple(files)
    others = {file.resolve() for file in files if str(file) not in _owners()}
    libraries = sorted(file for file in others if not file.is_relative_to(ROOT) and not _is_pythons(file))
    named = (*distributions(files), "pyinstaller")
    packages = (_of_distribution(metadata.distribution(name)) for name in named)
    return (*packages, *_always(), *(of_library(library) for library in libraries))


def document(parts: Iterable[Notice]) -> str:
    """All of it as text: a list of the works, then each text once, below the names of those that it belongs to."""
    belongs: dict[str, list[str]] = {}
    for part in parts:
        named = belongs.setdefault(part.text, [])
        if part.name not in named:
            named.append(part.name)
    listed = "\n".join(f"  {name}" for name in sorted((n for named in belongs.values() for n in named), key=str.lower))
    texts = "\n".join(f"{_RULE}\n{', '.join(named)}\n{_RULE}\n\n{text}\n" for text, named in belongs.items())
    head = "Scrubjay is under the MIT licence (LICENSE). It carries these works, under licences of their own:"
    return f"{head}\n\n{listed}\n\n{texts}"


def named_in(text: str) -> frozenset[str]:
    """The works that a document lists, in lower case, without versions."""
    listed = re.findall(r"^  (\S.*)$", text.partition(_RULE)[0], re.MULTILINE)
    return frozenset(re.sub(r" \d\S*$", "", name).lower() for name in listed)


def of_library(file: Path) -> Notice:
    """A library of the system: what its Debian package says of its licence. Raises NoLicenceText."""
    for path in dict.fromkeys((file, Path("/usr") / file.relative_to("/"), Path("/", *file.parts[2:]))):
        asked = subprocess.run(["dpkg", "-S", str(path)], capture_output=True, text=True, check=False)
        package = asked.stdout.split(":")[0]
        said = Path("/usr/share/doc") / package / "copyright"
        if asked.returncode == 0 and said.is_file():
            return Notice(f"{package} ({file.name})", said.read_text(encoding="utf-8"))
    raise NoLicenceText(f"{file} goes into the program, and no package of this system says what its licence is.")


def _always() -> Iterator[Notice]:
    """What every program carries: Python, the model, the word lists, the panel's libraries."""
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if not python.is_file():
        python = Path(sys.base_prefix) / ("LICENSE.txt" if sys.platform == "win32" else "LICENSE")
    yield Notice(f"CPython {sysconfig.get_python_version()}", _read(python))
    model = "\n\n".join(_read(_MODEL / name) for name in ("NOTICE", "LICENSE"))
    yield Notice("all-MiniLM-L6-v2", model)
    yield Notice("Word lists made of wordfreq, simplemma and OpenCC", _read(_DICTIONARIES / "NOTICE"))
    panel = ROOT / "obsidian-plugin"
    for library in npm_packages(panel / "package-lock.json", shipped=True):
        yield Notice(f"{library.name} {library.version}", _read(panel / "node_modules" / library.name / "LICENSE"))


def _of_distribution(distribution: metadata.Distribution) -> Notice:
    return Notice(f"{distribution.name} {distribution.version}", text_of(distribution, kept=_KEPT))


def text_of(distribution: metadata.Distribution, kept: Path) -> str:
    """The licences that a distribution brings, else the one below `kept`. Raises NoLicenceText."""
    brought = [
        file
        for file in distribution.files or ()
        if (_TEXT.search(file.name) or "licenses" in file.parts[1:-1])
        and file.suffix not in {".py", ".pyc", ".pyi"}
        and ".." not in file.parts
    ]
    texts = dict.fromkeys(_read(Path(str(file.locate()))) for file in sorted(brought))
    if texts:
        return "\n\n".join(texts)
    name = distribution.name.lower()
    if (kept / f"{name}.txt").is_file():
        return _read(kept / f"{name}.txt")
    if name in _APACHE:
        return _read(_MODEL / "LICENSE")
    raise NoLicenceText(f"{distribution.name} brings no licence text. Put it into packaging/licences/{name}.txt.")


@cache
def _owners() -> Mapping[str, str]:
    """Which distribution each installed file is of, by the path that Python imports it from."""
    owners: dict[str, str] = {}
    for found in metadata.distributions():
        name = canonical(found.name)
        owners |= {str(file.locate()): name for file in found.files or () if ".." not in file.parts}
    return owners


def _is_pythons(file: Path) -> bool:
    places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix) / "lib")
    return any(file.is_relative_to(place.resolve()) for place in places)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace").strip()
