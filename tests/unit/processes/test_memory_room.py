"""What control groups, and their parents, allow a process."""

from pathlib import Path

import psutil
import pytest

from scrubjay.daemon.processes.memory_room import group_limits, memory_room

NO_LIMIT = 9_223_372_036_854_771_712  # what version 1 says where there is none


@pytest.mark.parametrize(
    ("own", "files", "limits"),
    [
        ("0::/user/app\n", {"user/app/memory.max": "max\n", "user/memory.max": "536870912\n"}, [536_870_912]),
        ("0::/user/app\n", {"user/app/memory.max": "5\n", "user/memory.max": "7\n"}, [5, 7]),
        ("0::/\n", {"memory.max": "9\n"}, [9]),  # a container sees its own group as the outermost
        ("0::/elsewhere\n", {"memory.max": "9\n"}, [9]),
        (
            "9:cpu:/app\n4:memory:/app\n0::/\n",
            {"memory/app/memory.limit_in_bytes": "8\n", "memory/memory.limit_in_bytes": f"{NO_LIMIT}\n"},
            [8, NO_LIMIT],
        ),
        ("0::/app\n", {}, []),
    ],
)
def test_the_limits_of_all_groups_around_a_process(
    own: str, files: dict[str, str], limits: list[int], tmp_path: Path
) -> None:
    for name, said in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(said, "ascii")
    assert list(group_limits(own, tmp_path)) == limits


def test_there_is_no_more_room_than_the_machine_has() -> None:
    assert 0 < memory_room() <= psutil.virtual_memory().total
