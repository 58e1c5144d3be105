import json
import subprocess
import sys
from pathlib import Path

from tests.helpers.installation import Installation
from tests.unit.test_threads import table

ROOT = Path(__file__).parents[3]


def test_a_daemon_at_work_has_only_threads_that_the_map_lists(tmp_path: Path) -> None:
    """Whatever gives them their names: libraries, too."""
    installation = Installation(tmp_path)
    installation.write({f"Note {n}.md": f"A heron at weir {n}." for n in range(3)} | {"Log.txt": "An otter swam by."})
    installation.create_profile()
    command = [sys.executable, "-m", "tests.integration.server.living_threads", str(tmp_path)]
    said = subprocess.run(
        command, cwd=ROOT, env=installation.run_environment(), capture_output=True, text=True, timeout=600, check=True
    )
    seen = {name.rpartition("_")[0] or name for name in json.loads(said.stdout.splitlines()[-1])}
    assert seen >= {
        "MainThread",
        "jobs-moments",
        "jobs-seconds",
        "jobs-minutes",
        "indexing",
        "files",
        "watch",
        "search",
    }
    assert seen <= table("thread")
