"""What each channel is given: files that name the right ones, by their digests, and that the channel's rules accept."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.integration.packaging.scripts import script

write = script("channels/write.py")
archive = script("bundle/archive.py")
sums = script("release/sums.py")

VERSION = "1.2.0"


@pytest.fixture(scope="module")
def release() -> Any:
    kinds = ("-py3-none-any.whl", ".lock", ".mcpb", "-windows-x86_64.zip")
    names = (*(f"scrubjay-{VERSION}{kind}" for kind in kinds), f"scrubjay_{VERSION}_amd64.deb")
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in names}
    return write.Release(VERSION, "someone/scrubjay", digests, 1_767_312_000)


@pytest.fixture(scope="module")
def texts(release: Any) -> dict[str, str]:
    return write.manifests(release)


def test_every_address_is_of_this_release_with_the_digest_of_its_file(release: Any, texts: dict[str, str]) -> None:
    everything = "\n".join(texts.values())
    named = set(re.findall(r"https://[^\s\"']+/releases/download/[^\s\"')]+", everything))
    named = {url for url in named if "$version" not in url}
    assert {url.rpartition("/")[2] for url in named} == release.sums.keys()
    assert all(url.startswith(f"https://github.com/someone/scrubjay/releases/download/{VERSION}/") for url in named)
    for digest in re.findall(r"\b[0-9a-fA-F]{64}\b", everything):
        assert digest.lower() in release.sums.values()


def test_a_channel_whose_file_was_not_built_is_left_out(release: Any) -> None:
    some = {name: digest for name, digest in release.sums.items() if not name.endswith((".deb", ".zip"))}
    made = write.manifests(write.Release(VERSION, "someone/scrubjay", some, 0))
    assert {name.partition("/")[0] for name in made} == {"homebrew", "mcp", "scoop"}


def test_a_template_that_names_what_no_release_has_is_refused(
    release: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "entry").write_text("{{whel.url}}")
    monkeypatch.setattr(write, "TEMPLATES", tmp_path)
    with pytest.raises(KeyError, match="whel"):
        write.manifests(release)


def test_the_registry_s_entry_keeps_its_rules(texts: dict[str, str]) -> None:
    entry = json.loads(texts["mcp/server.json"])
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert entry["name"] == "io.github.someone/scrubjay"
    assert 1 <= len(entry["description"]) <= 100
    assert [package["registryType"] for package in entry["packages"]] == ["pypi", "mcpb"]
    assert entry["packages"][0]["packageArguments"] == [{"type": "positional", "value": "mcp"}]


def test_winget_s_three_manifests_hold_what_its_schema_asks_for(texts: dict[str, str]) -> None:
    told = {name: yaml.safe_load(text) for name, text in texts.items() if name.startswith("winget/")}
    assert {each["ManifestType"] for each in told.values()} == {"version", "installer", "defaultLocale"}
    for each in told.values():
        assert re.fullmatch(r"[^.\s\\/:*?\"<>|]{1,32}(\.[^.\s\\/:*?\"<>|]{1,32}){1,7}", each["PackageIdentifier"])
        assert each["PackageVersion"] == VERSION
    (locale,) = (each for each in told.values() if each["ManifestType"] == "defaultLocale")
    assert locale.keys() >= {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"}
    (installer,) = (each for each in told.values() if each["ManifestType"] == "installer")
    assert re.fullmatch("[0-9A-F]{64}", installer["Installers"][0]["InstallerSha256"])


def test_the_scripts_are_read_by_what_runs_them(texts: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "PKGBUILD").write_text(texts["aur/PKGBUILD"])
    subprocess.run(["bash", "-n", str(tmp_path / "PKGBUILD")], check=True)
    json.loads(texts["scoop/scrubjay.json"])
    told = dict(line.strip().split(" = ") for line in texts["aur/.SRCINFO"].splitlines() if "sha256sums" in line)
    assert f"sha256sums=('{told['sha256sums']}')" in texts["aur/PKGBUILD"]


@pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed")
def test_the_formula_is_ruby_without_a_warning(texts: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "scrubjay.rb").write_text(texts["homebrew/scrubjay.rb"])
    said = subprocess.run(["ruby", "-wc", "scrubjay.rb"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (said.stdout.strip(), said.stderr) == ("Syntax OK", "")


@pytest.mark.skipif(shutil.which("makepkg") is None, reason="makepkg is not installed")
def test_srcinfo_is_what_makepkg_makes_of_the_pkgbuild(texts: dict[str, str]) -> None:
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]  # it refuses to work for root
    is_root = os.geteuid() == 0
    if is_root and shutil.which("setpriv") is None:
        pytest.skip("makepkg does not run as root")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are root's alone
        (Path(folder) / "PKGBUILD").write_text(texts["aur/PKGBUILD"])
        if is_root:
            os.chown(folder, 65534, 65534)
        command = [*(as_nobody if is_root else ()), "makepkg", "--printsrcinfo"]
        environment = {"HOME": folder, "PATH": os.environ["PATH"]}
        said = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == texts["aur/.SRCINFO"]


def test_the_bundle_for_agents_asks_for_this_version_and_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write.write_mcp_bundle(tmp_path / name, write.Release(VERSION, "someone/scrubjay", {}, 1_767_312_000))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as packed:
        manifest = json.loads(packed.read("manifest.json"))
        assert manifest["server"]["entry_point"] in packed.namelist()
        assert {"server/main.py", "LICENSE"} <= set(packed.namelist())
        assert f'"scrubjay=={VERSION}"' in packed.read("pyproject.toml").decode()
        assert manifest["repository"]["url"] == "https://github.com/someone/scrubjay"


@pytest.mark.parametrize("kind", ["program.tar.gz", "program.zip"])
def test_the_archive_of_a_program_is_the_same_bytes_and_unpacks_to_what_runs(tmp_path: Path, kind: str) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name / "scrubjay"
        folder.mkdir(parents=True)
        (folder / "scrubjay").write_text("#!/bin/sh\necho it runs\n")
        (folder / "scrubjay").chmod(0o755)
        (folder / "zed").write_text(name * 0)
        if kind.endswith("gz"):
            (folder / "same").symlink_to("scrubjay")
        archive.archived(tmp_path / name, tmp_path / f"{name}.{kind}", 1_767_312_000)
    assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    if kind.endswith("gz"):
        subprocess.run(["tar", "-xzf", f"one.{kind}"], cwd=tmp_path, check=True)
        ran = subprocess.run([str(tmp_path / "scrubjay" / "same")], capture_output=True, text=True, check=True)
        assert ran.stdout == "it runs\n"


def test_the_sums_cover_what_the_channels_are_given_and_not_the_unpacked_program(tmp_path: Path) -> None:
    for name in ("a.whl", "channels/aur/PKGBUILD", "bundle/scrubjay/scrubjay", "SHA256SUMS"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert sums.digests(tmp_path).keys() == {"a.whl", "channels/aur/PKGBUILD"}
