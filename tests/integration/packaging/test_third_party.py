"""The licences that a stand-alone program carries, with their texts."""

import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import apsw
import msgspec
import pytest

from tests.integration.packaging.scripts import ROOT, script

third_party = script("release/third_party.py")
licences = script("release/licences.py")
build = script("bundle/build.py")


def test_every_package_that_is_installed_with_scrubjay_has_the_text_of_its_licence() -> None:
    lock = (ROOT / "packaging/locks/runtime.lock").read_text(encoding="utf-8")
    installed = {licences.canonical(found.name): found for found in metadata.distributions()}
    texts = {
        name: third_party.text_of(installed[name], ROOT / "packaging" / "licences")
        for name in licences.locked_names(lock)
        if name in installed
    }
    assert len(texts) > 80
    assert [name for name, text in texts.items() if len(text) < 300] == []
    for name in ("pystray", "python-xlib"):
        assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts[name].upper()


def test_a_package_without_a_text_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "bare-1.0.dist-info").mkdir()
    (tmp_path / "bare-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: bare\nVersion: 1.0\n")
    (tmp_path / "bare-1.0.dist-info/RECORD").write_text("bare-1.0.dist-info/METADATA,,\n")
    (found,) = metadata.distributions(path=[str(tmp_path)])
    with pytest.raises(third_party.NoLicenceText, match=r"bare brings no licence text.*packaging/licences/bare\.txt"):
        third_party.text_of(found, tmp_path)
    (tmp_path / "bare.txt").write_text("Do as you please.\n")
    assert third_party.text_of(found, tmp_path) == "Do as you please."


OURS, PYTHONS = ROOT / "daemon" / "__init__.py", Path(sys.modules["json"].__file__ or "")
FILES = (Path(msgspec.__file__), Path(apsw.__file__), OURS, PYTHONS)


def test_what_a_program_is_made_of_is_told_by_its_files() -> None:
    assert third_party.distributions(FILES) == ("apsw-sqlite3mc", "msgspec")


def test_its_document_names_python_and_the_model_too() -> None:
    pytest.importorskip("PyInstaller", reason="comes with the tools for releases")
    text = third_party.document(third_party.notices(FILES))
    assert {"apsw-sqlite3mc", "msgspec", "pyinstaller", "cpython", "all-minilm-l6-v2"} == {
        name.replace("_", "-") for name in third_party.named_in(text)
    }


def test_a_text_that_several_share_stands_once() -> None:
    text = third_party.document(third_party.Notice(f"{name} 1.0", "Do as you please.") for name in ("one", "two"))
    assert text.count("Do as you please.") == 1
    assert third_party.named_in(text) == {"one", "two"}


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="not on Debian")
def test_a_library_of_the_system_has_what_its_package_says() -> None:
    told = subprocess.run(["dpkg", "-L", "zlib1g"], capture_output=True, text=True, check=False).stdout.split()
    libraries = [Path(line) for line in told if ".so." in line and Path(line).is_file()]
    if not libraries:
        pytest.skip("zlib1g is not installed")
    assert "Mark Adler" in third_party.of_library(libraries[0].resolve()).text


def test_a_bundle_with_a_package_that_its_document_lacks_is_refused(tmp_path: Path) -> None:
    parts = [third_party.Notice("Some_Package 1.0", "a text"), third_party.Notice("marked 18.2.1", "another")]
    (tmp_path / third_party.NAME).write_text(third_party.document(parts))
    for name in ("some_package-1.0", "other-2.0", "scrubjay-0.1.0"):
        (tmp_path / "_internal" / f"{name}.dist-info").mkdir(parents=True)
    assert build.without_licence(tmp_path) == ["other"]
