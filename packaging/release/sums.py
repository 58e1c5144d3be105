"""What `make sums` runs: SHA256SUMS of every file in `dist/`, for `sha256sum --check`."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "SHA256SUMS"


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file of a release, by its path below `folder`; not of the unpacked stand-alone program."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and file.name != NAME)
    named = ((file.relative_to(folder), file) for file in files)
    return {
        name.as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for name, file in named
        if name.parts[0] not in {"bundle", "plugin-repo"}
    }


def main() -> None:
    """Write it."""
    dist = ROOT / "dist"
    lines = [f"{digest}  {name}\n" for name, digest in digests(dist).items()]
    (dist / NAME).write_text("".join(lines), encoding="ascii", newline="\n")
    print(f"dist/{NAME}: {len(lines)} files")


if __name__ == "__main__":
    main()
