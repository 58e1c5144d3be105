"""A model is downloaded when it is asked for, from the hub that the environment names, and used from then on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scrubjay.daemon.models.download import PREFIXES, fetch, prefixes, recorded
from scrubjay.daemon.models.installed import BUNDLED, ModelNotAvailable, resolve
from scrubjay.daemon.models.worker_embedder import WorkerEmbedder
from scrubjay.profiles.errors import UsageError
from tests.integration.models.model_hub import REVISION, model_hub

NAME = "sentence-transformers/all-MiniLM-L6-v2"
REPO = "Qdrant/all-MiniLM-L6-v2-onnx"  # where fastembed has it from
FILES = {
    name: (BUNDLED.path or Path()) / name
    for name in ("config.json", "model.onnx", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")
}
ASKED = {
    "intfloat/multilingual-e5-large": ("query: ", "passage: "),
    "BAAI/bge-small-en-v1.5": ("Represent this sentence for searching relevant passages: ", ""),
    "BAAI/bge-small-zh-v1.5": ("为这个句子生成表示以用于检索相关文章：", ""),
    "nomic-ai/nomic-embed-text-v1.5-Q": ("search_query: ", "search_document: "),
    "thenlper/gte-base": ("", ""),
}
FETCH = """
import sys
from pathlib import Path
from scrubjay.daemon.models.download import fetch
from scrubjay.profiles.errors import ScrubjayError
try:
    print(fetch(sys.argv[1], Path(sys.argv[2])).fingerprint)
except ScrubjayError as error:
    sys.exit(f"{error.code}: {error}")
"""


def fetch_from(hub: str, cache: Path, name: str = NAME) -> subprocess.CompletedProcess[str]:
    """In a process of its own: the hub's library reads the environment once, when it is imported."""
    env = os.environ | {"HF_ENDPOINT": hub, "HF_HUB_DISABLE_XET": "1", "HF_TOKEN": "not-for-strangers"}
    command = [sys.executable, "-c", FETCH, name, str(cache)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the model in it, got with nobody's token."""
    cache = tmp_path_factory.mktemp("models")
    with model_hub(REPO, FILES) as (hub, seen):
        done = fetch_from(hub, cache, NAME.lower())
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == resolve(NAME, cache).fingerprint
    assert seen
    assert [request for request in seen if "Bearer" in request] == []
    return cache


def test_a_downloaded_model_is_found_and_used_from_then_on(cache: Path) -> None:
    spec = resolve(NAME, cache)
    assert (spec.name, spec.dim, spec.max_tokens) == (NAME, 384, 256)
    assert fetch(NAME, cache).fingerprint == spec.fingerprint  # with no hub to ask
    embedder, bundled = WorkerEmbedder(spec), WorkerEmbedder(BUNDLED)
    assert np.allclose(embedder.embed_query("heron"), bundled.embed_query("heron"), atol=1e-6)  # the same weights
    embedder.close()
    bundled.close()


def test_every_file_of_a_model_is_pinned_and_another_in_its_place_is_not_used(cache: Path, tmp_path: Path) -> None:
    record = recorded(NAME, cache)
    assert record is not None
    assert (record.revision, set(record.files)) == (REVISION, set(FILES))
    changed = shutil.copytree(cache, tmp_path / "models", symlinks=True)
    tokenizer = changed / record.folder / "tokenizer.json"
    content = tokenizer.read_bytes()
    tokenizer.unlink()
    tokenizer.write_bytes(content.replace(b"heron", b"horen"))
    with pytest.raises(ModelNotAvailable, match=r"tokenizer\.json .* is not what was put there"):
        resolve(NAME, changed)


def test_a_download_that_fails_says_so_and_leaves_no_record(tmp_path: Path) -> None:
    with model_hub(REPO, {name: file for name, file in FILES.items() if name != "model.onnx"}) as (hub, _):
        done = fetch_from(hub, tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("model-not-available: ")
    with pytest.raises(ModelNotAvailable):
        resolve(NAME, tmp_path)


def test_a_model_that_does_not_exist_is_answered_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"BAAI/bge-small-en-v1\.5"):
        fetch("BAAI/bge-smal-en-v1.5", tmp_path)


def test_each_kind_of_prefix_is_for_a_model_that_fastembed_has() -> None:
    from fastembed import TextEmbedding

    names = [model["model"].lower() for model in TextEmbedding.list_supported_models()]
    assert [start for start in PREFIXES if not any(name.startswith(start) for name in names)] == []


def test_a_model_is_asked_as_its_makers_say() -> None:
    assert {name: prefixes(name) for name in ASKED} == ASKED


@pytest.mark.slow
def test_a_hub_that_gives_something_else_than_before_is_not_believed(tmp_path: Path) -> None:
    other = tmp_path / "tokenizer_config.json"
    other.write_bytes(FILES[other.name].read_bytes() + b"\n")
    cache = tmp_path / "cache"
    with model_hub(REPO, FILES) as (hub, _):
        assert fetch_from(hub, cache).returncode == 0
    record = recorded(NAME, cache)
    assert record is not None
    shutil.rmtree(cache / Path(record.folder).parts[0])
    with model_hub(REPO, FILES | {other.name: other}) as (hub, _):
        done = fetch_from(hub, cache)
    assert done.returncode == 1
    assert "is not what was downloaded before" in done.stderr
