"""Vaults that are indexed once for all tests of quality."""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault


@pytest.fixture(scope="session")
def embedder() -> Iterator[InProcessEmbedder]:
    """The bundled model."""
    made = InProcessEmbedder(BUNDLED)
    yield made
    made.close()


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory, embedder: InProcessEmbedder) -> Iterator[Store]:
    """The sample vault's index."""
    folder = tmp_path_factory.mktemp("sample")
    yield from _indexed(sample_vault(folder / "vault"), folder, embedder)


@pytest.fixture(scope="session")
def knowledge_store(tmp_path_factory: pytest.TempPathFactory, embedder: InProcessEmbedder) -> Iterator[Store]:
    """The index of a real vault of 1,067 notes, where $SCRUBJAY_EVAL has it."""
    yield from _indexed(labelled_vault("nikita-knowledge"), tmp_path_factory.mktemp("knowledge"), embedder)


def labelled_vault(name: str) -> Path:
    """A vault below $SCRUBJAY_EVAL; without one the test is skipped."""
    folder = os.environ.get("SCRUBJAY_EVAL") or None
    if folder is None:
        pytest.skip("needs the labelled data below $SCRUBJAY_EVAL")
    return Path(folder) / name


def sample_vault(target: Path) -> Path:
    """Write the sample vault to `target`."""
    source = Path(__file__).parents[2] / "packaging" / "sample_vault.py"
    spec = importlib.util.spec_from_file_location("sample_vault", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.materialise(target)
    return target


def _indexed(vault: Path, folder: Path, embedder: InProcessEmbedder) -> Iterator[Store]:
    store = FileStore.open(folder / "index.sqlite3")
    index_vault(store, vault, embedder)
    yield store
    store.close()
