"""A package that brings a model is found by its entry point: used, listed, and left to the package's own removal."""

import hashlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.models.added_model import ModelOverrides, Questions, add_model
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import Installed, ModelNotAvailable, here, packaged, resolve
from scrubjay.profiles.errors import UsageError
from tests.helpers.onnx_file import DIM, bilingual_words, toy_folder

NAME = "Made-multilingual"
PACKAGE = "made_multilingual_model"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages with one that brings a model, as packaging/multilingual/ builds it."""
    site = tmp_path / "site-packages"
    folder = toy_folder(site / PACKAGE, bilingual_words())
    (folder / "__init__.py").write_text("raise RuntimeError('a model has no code to run')\n")
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")
    }
    record = Installed(
        NAME, DIM, 48, "query: ", "passage: ", "ab" * 32, ".", files=files, pooling="mean", languages=("en", "zh")
    )
    (folder / "model.json").write_bytes(msgspec.json.encode(record))
    information = site / f"{PACKAGE}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[scrubjay.models]\n{NAME} = {PACKAGE}\n")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    importlib.invalidate_caches()
    yield site


def test_it_is_found_and_embeds_and_no_other_of_its_name_is_added(site: Path, tmp_path: Path) -> None:
    spec = resolve(NAME.upper(), tmp_path / "models")
    assert (spec.name, spec.path, spec.max_tokens, spec.reads_unspaced) == (NAME, site / PACKAGE, 48, True)
    embedder = InProcessEmbedder(spec)
    assert embedder.embed_passages(["bread"]).shape == (1, DIM)
    embedder.close()
    assert [(each.name, folder) for each, folder in here(tmp_path / "models")] == [(NAME, site / PACKAGE)]
    asked = Questions(lambda: "mean", lambda _: "")
    with pytest.raises(UsageError, match="the name of another model"):
        add_model(site / PACKAGE, tmp_path / "models", ModelOverrides(name=NAME), asked)


def test_a_file_that_is_not_the_packages_own_is_noticed(site: Path, tmp_path: Path) -> None:
    (site / PACKAGE / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelNotAvailable, match="Install the package that brings it again"):
        resolve(NAME, tmp_path / "models")


def test_the_commands_list_it_and_leave_it_to_its_package(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    listed = CliRunner().invoke(scrubjay, ["model", "list", "--json"])
    assert [each["name"] for each in msgspec.json.decode(listed.output)] == ["bundled", NAME]
    refused = CliRunner().invoke(scrubjay, ["model", "remove", NAME])
    assert refused.exit_code == 1
    assert "came with a package" in refused.output
    assert (site / PACKAGE / "model.onnx").exists()


@pytest.mark.parametrize("broken", ["no package", "no record"])
def test_what_a_package_does_not_hold_is_passed_over(site: Path, tmp_path: Path, broken: str) -> None:
    if broken == "no package":
        (site / PACKAGE).rename(site / "elsewhere")
        assert NAME.lower() not in packaged()
    else:
        (site / PACKAGE / "model.json").unlink()
    assert here(tmp_path / "models") == ()
    with pytest.raises(ModelNotAvailable):
        resolve(NAME, tmp_path / "models")
