"""The scripts of packaging/, which is no package, as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[3]


def script(path: str) -> ModuleType:
    """The script at `path` below packaging/, run as a module; its neighbours can be imported, as when it is started."""
    file = ROOT / "packaging" / path
    spec = importlib.util.spec_from_file_location(f"scrubjay_{file.stem}", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(file.parent))
    return module
