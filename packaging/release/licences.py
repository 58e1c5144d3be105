"""The licences of everything that Scrubjay is made with, and whether each goes with our own (MIT).

`python packaging/release/licences.py` prints the report as Markdown, and leaves with 1 where one does not go with it.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# SPDX ids. Permissive ones, and two whose terms end at their own files: MPL-2.0 and, of the word lists, CC-BY-SA-4.0.
ACCEPTED = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BlueOak-1.0.0",
        "CC-BY-SA-4.0",
        "CC0-1.0",
        "HPND",
        "ISC",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "MPL-2.0",
        "PSF-2.0",
        "Public-Domain",
        "Python-2.0",
        "Unlicense",
        "Zlib",
    }
)
# LGPL goes with MIT where the library can be exchanged: these stay files of their own, in the bundle too.
EXCHANGEABLE = frozenset({"psycopg", "psycopg-binary", "pystray", "python-xlib"})
_LGPL = re.compile(r"LGPL|GNU (Lesser|Library) General Public", re.IGNORECASE)

# What the names that packages give stand for.
_SPOKEN = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "Version 2.0": "Apache-2.0",
}
# Packages whose metadata does not say it: read in the licence file that each brings along.
_READ = {
    "apsw-sqlite3mc": "MIT",  # "any OSI-approved licence", at the user's choice; SQLite itself is in the public domain
    "py-rust-stemmers": "MIT",
    # "and dependency licenses": those within PDFium, all permissive (FreeType, ICU, OpenJPEG, HarfBuzz and such)
    "pypdfium2": "Apache-2.0 AND BSD-3-Clause",
    "scrubjay": "MIT",
}


@dataclass(frozen=True, slots=True)
class Licensed:
    """A package and what its licence says, in SPDX ids where they are known."""

    name: str
    version: str
    licence: str

    @property
    def goes_with_mit(self) -> bool:
        """Whether code under this licence may be part of, or be used by, a program under the MIT licence."""
        if _LGPL.search(self.licence):
            return self.name.lower() in EXCHANGEABLE
        alternatives = re.split(r"\s+OR\s+", self.licence)
        return any(set(re.split(r"\s+AND\s+", each.strip("() "))) <= ACCEPTED for each in alternatives)


def python_packages(lock: Path) -> tuple[Licensed, ...]:
    """Those of a lock file that are installed here, by name. Others are for other systems."""
    installed = {canonical(found.name) for found in metadata.distributions()}
    wanted = sorted(set(locked_names(lock.read_text(encoding="utf-8"))) & installed)
    command = [sys.executable, "-m", "piplicenses", "--from=mixed", "--format=json", "--packages", *wanted]
    found: list[dict[str, str]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return tuple(
        Licensed(row["Name"], row["Version"], _READ.get(canonical(row["Name"]), spdx(row["License"])))
        for row in sorted(found, key=lambda row: row["Name"].lower())
    )


def npm_packages(lock: Path, *, shipped: bool) -> tuple[Licensed, ...]:
    """By npm's lock file: the libraries that are in the panel's bundles, or what builds and tests it."""
    packages: Mapping[str, Mapping[str, Any]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    found = {
        (path.rpartition("node_modules/")[2], str(package["version"]), str(package.get("license", "UNKNOWN")))
        for path, package in packages.items()
        if path and shipped == (not package.get("dev"))
    }
    return tuple(Licensed(*row) for row in sorted(found))


def locked_names(lock: str) -> tuple[str, ...]:
    """The packages that a pip lock names."""
    return tuple(canonical(name) for name in re.findall(r"^([A-Za-z0-9][\w.-]*)==", lock, re.MULTILINE))


def spdx(said: str) -> str:
    """A package's own words for its licence as an SPDX expression, as far as they are known."""
    first = re.split(r"\n|\s{2,}", said.strip())[0]
    if re.search(r"\s(AND|OR)\s", first):
        return first
    parts = dict.fromkeys(_SPOKEN.get(part.strip(), part.strip()) for part in re.split(r"[;,]|\sand\s", first))
    return " AND ".join(parts)


def report(parts: Mapping[str, Iterable[Licensed]]) -> str:
    """A table a part, as Markdown."""
    lines = ["# Licences of what Scrubjay is made with", ""]
    for title, packages in parts.items():
        lines += [f"## {title}", "", "| package | version | licence |", "| --- | --- | --- |"]
        lines += [f"| {each.name} | {each.version} | {each.licence} |" for each in packages]
        lines.append("")
    return "\n".join(lines)


def all_parts(root: Path = ROOT) -> dict[str, tuple[Licensed, ...]]:
    """Everything, by what it is for."""
    npm = root / "obsidian-plugin" / "package-lock.json"
    runtime = python_packages(root / "packaging" / "locks" / "runtime.lock")
    names = {each.name for each in runtime}
    development = python_packages(root / "requirements.lock")
    return {
        "Shipped, or installed with it": (
            *runtime,
            Licensed("all-MiniLM-L6-v2 (the bundled model)", "int8", "Apache-2.0"),
            Licensed("Word lists made of wordfreq", "3.1.1", "CC-BY-SA-4.0"),
        ),
        "In the panel": npm_packages(npm, shipped=True),
        "For development alone": tuple(each for each in development if each.name not in names),
        "For building and testing the panel": npm_packages(
            root / "obsidian-plugin" / "package-lock.json", shipped=False
        ),
    }


def canonical(name: str) -> str:
    """The name of a Python package as its lock file spells it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    everything = all_parts()
    print(report(everything))
    wrong = [each for part in everything.values() for each in part if not each.goes_with_mit]
    sys.exit("\n".join(f"{each.name}: {each.licence} does not go with MIT" for each in wrong) or 0)
