import pytest

from tests.check.import_graph import touched_tests

SOURCES = {
    "profiles/store/writer.py": "from scrubjay.profiles.names import folded\n",
    "profiles/names.py": "import re\n",
    "profiles/registry/__init__.py": "",
    "daemon/engine/engine.py": "def start():\n    from scrubjay.profiles import names, registry\n",
    "packaging/release/dist.py": "import sums\n",
    "packaging/release/sums.py": "",
    "tests/helpers/stores.py": "import scrubjay.profiles.store.writer as writer, re\n",
    "tests/integration/conftest.py": "from tests.helpers.stores import store\n",
    "tests/integration/test_store.py": "",
    "tests/integration/packaging/test_dist.py": "import dist\nPAGE = 'docs/team.md'\n",
    "tests/unit/profiles/test_names.py": "from scrubjay.profiles import (\n    names,  # and what else\n)\n",
    "tests/unit/daemon/test_engine.py": "from scrubjay.daemon.engine.engine import start\n",
    "tests/unit/test_alone.py": "from scrubjay.profiles import digests\n",
}
TOUCHED: list[tuple[str, list[str]]] = [
    ("profiles/store/writer.py", ["tests/integration/packaging/test_dist.py", "tests/integration/test_store.py"]),
    (
        "profiles/names.py",
        [
            "tests/unit/profiles/test_names.py",
            "tests/unit/daemon/test_engine.py",
            "tests/integration/packaging/test_dist.py",
            "tests/integration/test_store.py",
        ],
    ),
    ("profiles/registry/__init__.py", ["tests/unit/daemon/test_engine.py"]),
    ("packaging/release/sums.py", ["tests/integration/packaging/test_dist.py"]),
    ("tests/unit/test_alone.py", ["tests/unit/test_alone.py"]),
    ("docs/team.md", ["tests/integration/packaging/test_dist.py"]),
    ("profiles/digests.py", ["tests/unit/test_alone.py"]),
]


@pytest.mark.parametrize(("changed", "tests"), TOUCHED, ids=[changed for changed, _ in TOUCHED])
def test_a_change_touches_what_imports_it_the_nearest_first(changed: str, tests: list[str]) -> None:
    assert touched_tests([changed], SOURCES) == tests


def test_a_test_that_is_gone_is_not_run() -> None:
    assert touched_tests(["tests/unit/test_gone.py"], SOURCES) == []
