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


def test_bundled_is_always_there(tmp_path: Path) -> None:
    assert resolve("bundled", tmp_path) is BUNDLED
    assert (BUNDLED.dim, BUNDLED.max_tokens) == (384, 256)


def test_a_downloaded_model_is_found_by_its_name_in_any_case(tmp_path: Path) -> None:
    record_path(tmp_path, E5.name).write_bytes(msgspec.json.encode(E5))
    spec = resolve(E5.name.upper(), tmp_path)
    assert (spec.name, spec.dim, spec.max_tokens, spec.path) == (E5.name, 1024, 512, tmp_path / E5.folder)
    assert (spec.query_prefix, spec.passage_prefix) == ("query: ", "passage: ")


def test_a_model_that_is_not_here_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelNotAvailable, match="Download it first"):
        resolve("BAAI/bge-small-en-v1.5", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_can_not_be_a_name_is_refused_like_one_that_is_not_here(tmp_path: Path) -> None:
    for name in ("m" * 300, "模" * 100, "a\0b", "a\nb"):
        for use in (resolve, forget):
            with pytest.raises(ModelNotAvailable, match="No model can have such a name"):
                use(name, tmp_path)


def test_a_damaged_record_says_which_file_to_delete_and_can_be_deleted(tmp_path: Path) -> None:
    record = record_path(tmp_path, E5.name)
    for damage in (b"", b"{", b'{"name": 1}', b"\xff\xfe"):
        record.write_bytes(damage)
        with pytest.raises(ModelNotAvailable, match=record.name):
            resolve(E5.name, tmp_path)
    forget(E5.name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_fingerprint_changes_with_each_of_its_parts(tmp_path: Path) -> None:
    usual = ("name", "ab" * 32, 256, "query: ", "passage: ")
    others = [(*usual[:place], other, *usual[place + 1 :]) for place, other in enumerate(("x", "cd" * 32, 512, "", ""))]
    swapped = (*usual[:3], "passage: ", "query: ")
    assert len({fingerprint(*parts) for parts in (usual, *others, swapped)}) == 7  # type: ignore[arg-type]
    known = {spec_of(msgspec.structs.replace(E5, pooling=pooling), tmp_path).fingerprint for pooling in POOLINGS}
    assert len(known) == len(POOLINGS)


def put(cache: Path, model: Installed) -> None:
    """As a download leaves it."""
    (cache / model.folder).mkdir(parents=True, exist_ok=True)
    (cache / model.folder / "model.onnx").write_bytes(b"weights")
    record_path(cache, model.name).write_bytes(msgspec.json.encode(model))


def test_models_are_listed_by_name_without_damaged_records_and_deleted_with_their_files_and_no_others(
    tmp_path: Path,
) -> None:
    small = msgspec.structs.replace(E5, name="BAAI/bge-small-en-v1.5", folder="models--bge/snapshots/1")
    put(tmp_path, E5)
    put(tmp_path, small)
    record_path(tmp_path, "broken").write_bytes(b"{")
    assert downloaded(tmp_path) == (small, E5)
    assert downloaded(tmp_path / "none") == ()
    forget("broken", tmp_path)
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
