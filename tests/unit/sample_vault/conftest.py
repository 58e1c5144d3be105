"""`packaging/` is a folder of scripts, not a package: its module is loaded from its file."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "packaging" / "sample_vault.py"


@pytest.fixture(scope="session")
def sample_vault() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sample_vault", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
