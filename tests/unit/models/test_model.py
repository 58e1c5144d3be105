"""Which models there are."""

from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.models.installed import (
    BUNDLED,
    Installed,
    ModelNotAvailable,
    downloaded,
    fingerprint,
    forget,
    record_path,
    resolve,
    spec_of,
)
from scrubjay.profiles.search.meaning.embedder import Pooling

E5 = Installed("intfloat/multilingual-e5-large", 1024, 512, "query: ", "passage: ", "ab" * 32, "models--e5/snapshots/1")
POOLINGS: tuple[Pooling | None, ...] = (None, "mean", "first", "last", "none")
CHANGED = {
    "name": ("other", "ab" * 32, 256, "query: ", "passage: "),
    "weights": ("name", "cd" * 32, 256, "query: ", "passage: "),
    "window": ("name", "ab" * 32, 512, "query: ", "passage: "),
    "query-prefix": ("name", "ab" * 32, 256, "", "passage: "),
    "passage-prefix": ("name", "ab" * 32, 256, "query: ", ""),
    "prefixes-swapped": ("name", "ab" * 32, 256, "passage: ", "query: "),
}


def test_bundled_is_always_there(tmp_path: Path) -> None:
    assert resolve("bundled", tmp_path) is BUNDLED
    assert (BUNDLED.dim, BUNDLED.max_tokens) == (384, 256)


@pytest.mark.parametrize("name", [E5.name, E5.name.upper()])
def test_a_downloaded_model_is_found_by_its_name_in_any_case(tmp_path: Path, name: str) -> None:
    record_path(tmp_path, E5.name).write_bytes(msgspec.json.encode(E5))
    spec = resolve(name, tmp_path)
    assert (spec.name, spec.dim, spec.max_tokens) == (E5.name, E5.dim, E5.max_tokens)
    assert (spec.query_prefix, spec.passage_prefix) == ("query: ", "passage: ")
    assert spec.path == tmp_path / E5.folder


def test_a_model_that_is_not_here_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelNotAvailable, match="Download it first"):
        resolve("BAAI/bge-small-en-v1.5", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["m" * 300, "模" * 100, "a\0b", "a\nb"], ids=["long", "long-in-bytes", "nul", "line-break"]
)
def test_what_can_not_be_a_name_is_refused_like_one_that_is_not_here(tmp_path: Path, name: str) -> None:
    for use in (resolve, forget):
        with pytest.raises(ModelNotAvailable, match="No model can have such a name"):
            use(name, tmp_path)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"name": 1}', b"\xff\xfe"])
def test_a_damaged_record_says_which_file_to_delete(tmp_path: Path, damage: bytes) -> None:
    record = record_path(tmp_path, E5.name)
    record.write_bytes(damage)
    with pytest.raises(ModelNotAvailable, match=record.name):
        resolve(E5.name, tmp_path)


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED.keys())
def test_a_fingerprint_changes_with_each_of_its_parts(changed: tuple[str, str, int, str, str]) -> None:
    assert fingerprint(*changed) != fingerprint("name", "ab" * 32, 256, "query: ", "passage: ")


def test_a_models_pooling_is_part_of_its_fingerprint(tmp_path: Path) -> None:
    known = {spec_of(msgspec.structs.replace(E5, pooling=pooling), tmp_path).fingerprint for pooling in POOLINGS}
    assert len(known) == len(POOLINGS)


def put(cache: Path, model: Installed) -> None:
    """As a download leaves it."""
    (cache / model.folder).mkdir(parents=True, exist_ok=True)
    (cache / model.folder / "model.onnx").write_bytes(b"weights")
    record_path(cache, model.name).write_bytes(msgspec.json.encode(model))


def test_the_models_that_are_here_are_listed_by_name_and_damaged_records_passed_over(tmp_path: Path) -> None:
    small = msgspec.structs.replace(E5, name="BAAI/bge-small-en-v1.5", folder="models--bge/snapshots/1")
    put(tmp_path, E5)
    put(tmp_path, small)
    record_path(tmp_path, "broken").write_bytes(b"{")
    assert downloaded(tmp_path) == (small, E5)
    assert downloaded(tmp_path / "none") == ()


def test_a_model_is_deleted_with_its_files_and_no_others(tmp_path: Path) -> None:
    small = msgspec.structs.replace(E5, name="BAAI/bge-small-en-v1.5", folder="models--bge/snapshots/1")
    put(tmp_path, E5)
    put(tmp_path, small)
    forget(E5.name.upper(), tmp_path)
    assert downloaded(tmp_path) == (small,)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["baai--bge-small-en-v1.5.json", "models--bge"]
    with pytest.raises(ModelNotAvailable, match="not on this machine"):
        forget(E5.name, tmp_path)


def test_files_that_two_models_share_stay_until_both_are_deleted(tmp_path: Path) -> None:
    variant = msgspec.structs.replace(E5, name=f"{E5.name}-q")
    put(tmp_path, E5)
    put(tmp_path, variant)
    forget(E5.name, tmp_path)
    assert resolve(variant.name, tmp_path).path == tmp_path / E5.folder
    assert (tmp_path / E5.folder / "model.onnx").is_file()
    forget(variant.name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_record_can_be_deleted(tmp_path: Path) -> None:
    record_path(tmp_path, E5.name).write_bytes(b"{")
    forget(E5.name, tmp_path)
    assert list(tmp_path.iterdir()) == []
