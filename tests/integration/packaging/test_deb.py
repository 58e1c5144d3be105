"""What the Debian package lays where, from a bundle of one file; `make deb` makes it of the real one."""

import configparser
import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.daemon import __version__
from scrubjay.daemon.documents.sandbox.box import BOX_ARGUMENT, RECOGNISER_ARGUMENT
from scrubjay.daemon.indexing.watched_preparer import PREPARE_ARGUMENT
from scrubjay.daemon.models.worker_embedder import WORKER_ARGUMENT
from scrubjay.daemon.review.looker import REVIEW_ARGUMENT
from tests.integration.packaging.scripts import ROOT, script

pytest.importorskip("PIL", reason="Pillow draws the icon; it comes with the extra scrubjay[tray]")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Debian packages are built on Linux")

deb = script("deb/build.py")
entry = script("bundle/entry.py")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deb")
    (folder / "bundle" / "_internal").mkdir(parents=True)
    for name, text in {
        "scrubjay": "#!/bin/sh\necho it runs\n",
        "LICENSE": "ours\n",
        "THIRD-PARTY.txt": "all others\n",
        "_internal/libsome.so.1": "",
    }.items():
        (folder / "bundle" / name).write_text(text)
        (folder / "bundle" / name).chmod(0o755)
    deb.lay_out(folder / "tree", folder / "bundle")
    return folder / "tree"


def packed(tree: Path, place: str) -> str:
    return gzip.decompress((tree / "usr/share" / place).read_bytes()).decode()


def test_the_command_on_the_path_and_the_service_run_the_program_in_the_bundle(tree: Path) -> None:
    done = subprocess.run([str(tree / "usr/bin/scrubjay")], capture_output=True, text=True, check=True)
    assert done.stdout == "it runs\n"
    unit = (tree / "usr/lib/systemd/user/scrubjay.service").read_text()
    assert "ExecStart=/usr/lib/scrubjay/scrubjay run\n" in unit
    assert {file.stat().st_mode & 0o777 for file in (tree / "usr/lib/scrubjay").rglob("*.so*")} == {0o644}


def test_manual_page_licences_and_changelog_lie_where_debian_looks_and_are_of_this_version(tree: Path) -> None:
    assert packed(tree, "man/man1/scrubjay.1.gz").startswith(f'.TH SCRUBJAY 1 "" "Scrubjay {__version__}"')
    assert "THIRD-PARTY.txt.gz" in (tree / "usr/share/doc/scrubjay/copyright").read_text()
    assert packed(tree, "doc/scrubjay/THIRD-PARTY.txt.gz") == "all others\n"
    written = packed(tree, "doc/scrubjay/changelog.gz")
    assert written.startswith(f"scrubjay ({__version__}) stable; urgency=medium\n")
    assert written.splitlines()[-1].startswith(" -- The Scrubjay authors <")


def test_each_shell_completes_the_command(tree: Path) -> None:
    for shell, place in {
        "bash": "bash-completion/completions/scrubjay",
        "zsh": "zsh/vendor-completions/_scrubjay",
        "fish": "fish/vendor_completions.d/scrubjay.fish",
    }.items():
        assert f"_SCRUBJAY_COMPLETE={shell}_complete" in (tree / "usr/share" / place).read_text()


def test_the_desktop_file_names_an_icon_that_is_installed(tree: Path) -> None:
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read(tree / "usr/share/applications/scrubjay.desktop")
    icon = desktop["Desktop Entry"]["Icon"]
    assert len(list((tree / "usr/share/icons").rglob(f"{icon}.*"))) == 2
    for action in filter(None, desktop["Desktop Entry"]["Actions"].split(";")):
        assert desktop[f"Desktop Action {action}"]["Exec"]
    if checker := shutil.which("desktop-file-validate"):
        subprocess.run([checker, str(tree / "usr/share/applications/scrubjay.desktop")], check=True)


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_two_packages_of_one_tree_are_the_same_bytes(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    built: list[bytes] = []
    for name in ("one", "two"):
        copy = tmp_path / name
        shutil.copytree(tree, copy, symlinks=True)
        deb.write(copy / "DEBIAN" / "control", deb.control("amd64", deb.size_of(tree)))
        deb.pack(copy, tmp_path / f"{name}.deb")
        built.append((tmp_path / f"{name}.deb").read_bytes())
    assert built[0] == built[1]
    told = subprocess.run(
        ["dpkg-deb", "--field", str(tmp_path / "one.deb"), "Version"], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == __version__


def test_the_stand_alone_program_knows_the_worker_processes_that_the_daemon_starts() -> None:
    arguments = {WORKER_ARGUMENT, PREPARE_ARGUMENT, REVIEW_ARGUMENT, BOX_ARGUMENT, RECOGNISER_ARGUMENT}
    assert arguments == entry.WORKERS.keys()
    for module in entry.WORKERS.values():
        assert (ROOT / f"{module.removeprefix('scrubjay.').replace('.', '/')}.py").is_file(), module
