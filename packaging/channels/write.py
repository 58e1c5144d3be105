"""What `make channels` runs: from the files in `dist/`, what each package channel needs, in `dist/channels/`.

Each folder of `templates/` is a channel. In a template and its name `{{…}}` stands for what `Release.values` has;
`.in` at the end of a name falls away, which keeps tools from reading a template as what it becomes. A channel that
names a file that is not in `dist/` is left out and named: a package for Arch needs the Debian one, winget the program
for Windows, which is built on that system.
"""

import hashlib
import re
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging" / "release")]
from index_page import address, mcp_name, repository  # noqa: E402
from versions import source_date, version  # noqa: E402

TEMPLATES = Path(__file__).parent / "templates"
_MCP_BUNDLE = Path(__file__).parent / "mcp_bundle"
_VALUE = re.compile(r"\{\{([\w.]+)\}\}")


@dataclass(frozen=True, slots=True)
class Release:
    """A release of `version` in a repository (OWNER/NAME), with the SHA-256 of each of its files, by name."""

    version: str
    repository: str
    sums: Mapping[str, str]
    made: int  # seconds since 1970

    def values(self) -> dict[str, str]:
        """What templates may name. A file that the release lacks has its name alone, without `url` and `sha256`."""
        page = address(self.repository)
        found = {
            "version": self.version,
            "owner": self.repository.partition("/")[0],
            "page": page,
            "mcp_name": mcp_name(self.repository),
            "date": time.strftime("%Y-%m-%d", time.gmtime(self.made)),
            "summary": "Private search for Obsidian vaults, by word and by meaning, with credentials redacted first",
        }
        files = {
            "wheel": f"scrubjay-{self.version}-py3-none-any.whl",
            "lock": f"scrubjay-{self.version}.lock",  # of all that is installed with it, each with its digest
            "debian": f"scrubjay_{self.version}_amd64.deb",
            "windows": f"scrubjay-{self.version}-windows-x86_64.zip",
            "mcp_bundle": f"scrubjay-{self.version}.mcpb",
        }
        for key, name in files.items():
            found[key] = name
            if digest := self.sums.get(name):
                url = f"{page}/releases/download/{self.version}/{name}"
                found |= {f"{key}.url": url, f"{key}.sha256": digest, f"{key}.SHA256": digest.upper()}
        return found


def manifests(release: Release) -> dict[str, str]:
    """Text by path, of every channel whose files are there."""
    values, made = release.values(), dict[str, str]()
    for channel in sorted(TEMPLATES.iterdir()):
        try:
            made |= {f"{channel.name}/{path}": text for path, text in rendered(channel, values)}
        except KeyError as missing:
            if missing.args[0].partition(".")[0] not in values:
                raise
    return made


def rendered(folder: Path, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Path and text of each template below a folder. Raises KeyError for the first name that has no value."""
    for file in sorted(each for each in folder.rglob("*") if each.is_file() and "__pycache__" not in each.parts):
        path, text = file.relative_to(folder).as_posix().removesuffix(".in"), file.read_text(encoding="utf-8")
        yield _VALUE.sub(lambda found: values[found[1]], path), _VALUE.sub(lambda found: values[found[1]], text)


def write_mcp_bundle(target: Path, release: Release) -> None:
    """Write the bundle that programs install by one click: what starts the package, which uv installs apart."""
    files = {**dict(rendered(_MCP_BUNDLE, release.values())), "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(release.made)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)


def main() -> None:
    """Write them, and say which."""
    dist = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    files = (file for file in sorted(dist.iterdir()) if file.is_file())
    sums = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    release = Release(version(), repository(ROOT), sums, source_date())
    made = manifests(release)
    for name, text in made.items():
        target = dist / "channels" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        print(f"dist/channels/{name}")
    for channel in sorted({each.name for each in TEMPLATES.iterdir()} - {name.partition("/")[0] for name in made}):
        print(f"Left out: {channel}, since a file that it needs is not in dist/.")
    if release.repository.startswith("OWNER/"):
        print("All of them name OWNER: say in pyproject.toml, [tool.scrubjay], where the project is published.")


if __name__ == "__main__":
    main()
