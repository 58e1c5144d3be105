"""What `make check-release` runs: each file in `dist/` by its channel's own checker.

A checker that is not installed is named, not passed over; `STRICT=1` makes that a fault, for where all of them are.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from sums import NAME, digests

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
_PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))


@dataclass(frozen=True, slots=True)
class Check:
    """A command of a checker's, about something in `dist/`. program: its first word, as it is found on the path."""

    about: str
    command: tuple[str, ...]


def checks(dist: Path) -> Iterator[Check]:
    """Those for what is there."""
    built = [
        str(file) for kind in ("*.whl", "*.tar.gz") for file in sorted(dist.glob(kind)) if "linux" not in file.name
    ]
    yield Check("what the package index shows", ("twine", "check", "--strict", *built))
    yield Check("the wheel", ("check-wheel-contents", *map(str, dist.glob("*.whl"))))
    for bundle in dist.glob("*.mcpb"):
        with zipfile.ZipFile(bundle) as packed, tempfile.TemporaryDirectory() as folder:
            yield Check("the MCP bundle", ("mcpb", "validate", packed.extract("manifest.json", folder)))
    channels = dist / "channels"
    if (channels / "homebrew").is_dir():
        yield Check("the formula", ("ruby", "-wc", str(channels / "homebrew" / "scrubjay.rb")))
    if (channels / "mcp").is_dir():
        yield Check("server.json", ("skillsaw", "lint", "--strict", str(channels / "mcp")))
    if (channels / "aur").is_dir():
        yield Check(
            "PKGBUILD", ("shellcheck", "--shell=bash", "--exclude=SC2034,SC2154", str(channels / "aur" / "PKGBUILD"))
        )
    for package in dist.glob("*.deb"):
        # It brings libraries of its own, as a stand-alone program must, two of which call nothing of libc's; the
        # authors have no address yet.
        mail = "bogus-mail-host,bogus-mail-host-in-debian-changelog"
        left_out = f"embedded-library,library-not-linked-against-libc,{mail}"
        yield Check("the Debian package", ("lintian", "--fail-on", "error", "--suppress-tags", left_out, str(package)))
    yield Check("the desktop file", ("desktop-file-validate", str(ROOT / "packaging" / "deb" / "scrubjay.desktop")))
    scripts = [str(file) for file in sorted((ROOT / "packaging").rglob("*.sh"))]
    yield Check("scripts", ("shellcheck", *scripts))
    yield Check("workflows", ("actionlint", *map(str, sorted((ROOT / ".github" / "workflows").glob("*.yml")))))


def bills(dist: Path) -> list[str]:
    """What is wrong with the bills of materials, by CycloneDX's own schema."""
    # By name, since they come with the tools for releases, which `make lint` does without.
    versions = import_module("cyclonedx.schema").SchemaVersion
    validator = import_module("cyclonedx.validation.json").JsonStrictValidator(versions.V1_6)
    found = ((file.name, validator.validate_str(file.read_text(encoding="utf-8"))) for file in dist.glob("*.sbom.json"))
    return [f"{name}: {error}" for name, error in found if error]


def unsummed(dist: Path) -> list[str]:
    """Files whose digest SHA256SUMS does not have."""
    lines = (dist / NAME).read_text(encoding="ascii").splitlines() if (dist / NAME).is_file() else []
    told = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    return [
        f"{NAME} does not have {name} as it is" for name, digest in digests(dist).items() if told.get(name) != digest
    ]


def main() -> None:
    """Run them all; leave with 1 where one finds fault."""
    faults, missing = [*bills(DIST), *unsummed(DIST)], list[str]()
    for check in checks(DIST):
        program = shutil.which(check.command[0], path=_PATH)
        if program is None:
            missing.append(check.command[0])
            continue
        done = subprocess.run((program, *check.command[1:]), capture_output=True, text=True, check=False, cwd=ROOT)
        print(f"{'good' if done.returncode == 0 else 'BAD '}  {check.about} ({check.command[0]})")
        if done.returncode:
            faults.append(f"{check.about}:\n{done.stdout}{done.stderr}")
    for file in DIST.glob("channels/**/*.json"):
        json.loads(file.read_text(encoding="utf-8"))
    if missing:
        print(f"Not checked, since not installed: {', '.join(sorted(set(missing)))}")
    if os.environ.get("STRICT") and missing:
        faults.append("STRICT asks for every checker")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
