"""What `make channels` runs: from the files in `dist/`, what each channel needs, in `dist/channels/`.

A channel whose file is not there is left out and named: a package for Arch needs the Debian one, winget the program for
Windows, which is built on that system.
"""

import sys
from pathlib import Path

from agents import registry_entry
from arch import pkgbuild, source_info
from homebrew import formula
from published import ROOT, Published, published
from windows import scoop, winget


def manifests(release: Published) -> dict[str, str]:
    """Text by path, of every channel whose files are there."""
    made = {
        "homebrew/scrubjay.rb": formula(release),
        "mcp/server.json": registry_entry(release),
        "scoop/scrubjay.json": scoop(release),
    }
    if release.debian in release.sums:
        made |= {"aur/PKGBUILD": pkgbuild(release), "aur/.SRCINFO": source_info(release)}
    if release.windows in release.sums:
        made |= {f"winget/{name}": text for name, text in winget(release).items()}
    return made


def main() -> None:
    """Write them, and say which."""
    dist = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    release = published(dist)
    for name, text in manifests(release).items():
        target = dist / "channels" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        print(f"dist/channels/{name}")
    for channel, needed in (("AUR", release.debian), ("winget", release.windows)):
        if needed not in release.sums:
            print(f"Left out: {channel}, since {needed} is not in dist/.")
    if release.repository.startswith("OWNER/"):
        print("All of them name OWNER: say in pyproject.toml, [tool.scrubjay], where the project is published.")


if __name__ == "__main__":
    main()
