"""What `make release` runs first: a new version everywhere, and today as its day in the changelog.

`python packaging/release/bump.py 1.2.0`; it refuses where something else is not yet committed.
"""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from versions import ROOT, date_changelog, stated, version, write


def main(new: str, root: Path = ROOT) -> None:
    """Write them. Leaves with a sentence where it can't be done."""
    changed = subprocess.run(
        ["git", "status", "--porcelain", "-uno"], cwd=root, capture_output=True, check=True, text=True
    )
    if changed.stdout:
        sys.exit("Commit or put away what has changed first: a release changes the version and the changelog alone.")
    changelog = root / "CHANGELOG.md"
    try:
        dated = date_changelog(changelog.read_text(encoding="utf-8"), new, datetime.now(UTC).date())
        write(new, root)
    except ValueError as error:
        sys.exit(str(error))
    changelog.write_text(dated, encoding="utf-8")
    print(f"{version(root)}, in {', '.join(stated(root))}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1]:
        sys.exit("Say which: make release VERSION=1.2.0")
    main(sys.argv[1])
