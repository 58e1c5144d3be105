"""What a release is made of: one version, a changelog, licences that go together, a wheel that works by itself."""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import yaml

from tests.integration.packaging.scripts import ROOT, script

versions = script("release/versions.py")
licences = script("release/licences.py")
index_page = script("index_page.py")
FOLDERS = script("editable.py").FOLDERS


def test_every_place_that_states_the_version_states_the_same() -> None:
    assert versions.stated() == dict.fromkeys(versions.stated(), versions.version())


_STATED = (
    "daemon/__init__.py",
    *(f"obsidian-plugin/{name}" for name in ("manifest.json", "package.json", "package-lock.json", "versions.json")),
)


def test_a_new_version_is_written_everywhere_but_into_the_changelog_and_the_present_one_changes_no_byte(
    tmp_path: Path,
) -> None:
    for name in (*_STATED, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    versions.write(versions.version(), tmp_path)
    for name in _STATED:
        assert (tmp_path / name).read_text() == (ROOT / name).read_text(), name
    versions.write("9.8.7", tmp_path)
    assert versions.version(tmp_path) == "9.8.7"
    stated = versions.stated(tmp_path)
    assert stated.pop("CHANGELOG.md", None) != "9.8.7"
    assert set(stated.values()) == {"9.8.7"}
    with pytest.raises(ValueError, match="not a version"):
        versions.write("9.8", tmp_path)


_CHANGELOG = """# Changelog

## [Unreleased]

### Added
- A new thing.

## [1.0.0] - 2026-01-02

### Added
- It.
"""


def test_what_was_unreleased_becomes_the_section_of_the_new_version_with_its_day() -> None:
    dated = versions.date_changelog(_CHANGELOG, "1.1.0", date(2026, 11, 23))
    assert "## [Unreleased]\n\n## [1.1.0] - 2026-11-23\n\n### Added\n- A new thing.\n\n## [1.0.0]" in dated
    assert versions.newest_release(dated) == "1.1.0"


def test_a_section_is_dated_only_where_there_is_something_to_release() -> None:
    nothing_new = _CHANGELOG.replace("### Added\n- A new thing.\n", "", 1)
    for changelog, new in ((_CHANGELOG, "1.0.0"), (nothing_new, "1.1.0"), ("# Changelog\n", "1.1.0")):
        with pytest.raises(ValueError, match=r"CHANGELOG\.md has"):
            versions.date_changelog(changelog, new, date(2026, 11, 23))


def test_files_carry_the_day_of_the_release_whenever_they_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    (tmp_path / "daemon").mkdir()
    (tmp_path / "daemon/__init__.py").write_text('__version__ = "1.0.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(_CHANGELOG)
    assert versions.source_date(tmp_path) == datetime(2026, 1, 2, tzinfo=UTC).timestamp()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "12")
    assert versions.source_date(tmp_path) == 12


def test_the_changelog_is_in_order_and_its_sections_are_known_words() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = [line.split("[")[1].split("]")[0] for line in changelog.splitlines() if line.startswith("## [")]
    assert releases[0] == "Unreleased"
    numbers = [tuple(int(part) for part in release.split(".")) for release in releases[1:]]
    assert numbers == sorted(numbers, reverse=True)
    sections = {line[4:] for line in changelog.splitlines() if line.startswith("### ")}
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_everything_that_scrubjay_is_made_with_goes_with_the_mit_licence() -> None:
    everything = [each for part in licences.all_parts().values() for each in part]
    assert len(everything) > 100
    assert [each for each in everything if not each.goes_with_mit] == []


def test_a_licence_is_judged_by_its_expression_however_packages_say_it() -> None:
    goes = {
        **dict.fromkeys(("MIT", "GPL-3.0-only OR MIT", "BSD-3-Clause AND 0BSD AND MIT", "(MIT OR CC0-1.0)"), True),
        **dict.fromkeys(("GPL-3.0-only", "MIT AND GPL-2.0-only", "AGPL-3.0-or-later", "UNKNOWN", ""), False),
        "GNU Lesser General Public License v3 (LGPLv3)": False,
    }
    assert {licence: licences.Licensed("some-package", "1", licence).goes_with_mit for licence in goes} == goes
    said = {
        "MIT License": "MIT",
        "Apache Software License; MIT License": "Apache-2.0 AND MIT",
        "MIT License, Apache License, Version 2.0": "MIT AND Apache-2.0",
        "MIT License  Copyright (c) 2022 Somebody  Permission is hereby granted": "MIT",
        "Apache-2.0 OR BSD-3-Clause": "Apache-2.0 OR BSD-3-Clause",
    }
    assert {words: licences.spdx(words) for words in said} == said


def test_the_locks_of_a_release_hold_the_versions_that_the_tests_ran_with() -> None:
    def pins(lock: str) -> dict[str, str]:
        lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
        return dict(line.split(" ")[0].split("==") for line in lines if "==" in line and not line.startswith(" "))

    tested = pins("requirements.lock")
    for lock in ("packaging/locks/runtime.lock", "packaging/locks/release.lock"):
        differing = {name for name, at in pins(lock).items() if tested.get(name, at) != at}
        assert differing == set(), lock
    assert set(tested) <= set(pins("packaging/locks/release.lock"))


# What a workflow may do that no make target does: bring what the README asks for, carry files from one machine to the
# next, and sign as the workflow that it is.
_OF_ACTIONS = ("checkout", "setup-python", "setup-node", "upload-artifact", "download-artifact")
_ACTIONS = {
    *(f"actions/{name}" for name in (*_OF_ACTIONS, "attest-build-provenance")),
    "pypa/gh-action-pypi-publish",
}


def test_each_step_of_a_workflow_is_a_make_target_that_runs_anywhere() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = set[str]()
    for workflow in (ROOT / ".github/workflows").glob("*.yml"):
        text = workflow.read_text(encoding="utf-8")
        for job in yaml.safe_load(text)["jobs"].values():
            for step in (step for step in job["steps"] if "run" in step):
                command = re.fullmatch(r'make((?: [a-z-]+)+)((?: [A-Z]+="\$[A-Z_]+")*)', step["run"])
                assert command is not None, step
                asked |= set(command[1].split())
        for action in re.findall(r"\buses: (.+)", text):
            held = re.fullmatch(r"([\w-]+/[\w-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
            assert held is not None, f"{action} is not held by its commit"
            assert held[1] in _ACTIONS
        assert re.search(r"\b(None|Not)\b[^.]* run yet\b", text), "until somebody ran it, it says so"
    assert asked <= targets
    own = {name: value for name, value in os.environ.items() if "MAKE" not in name}  # not those of `make test`
    plan = ["make", "--dry-run", *sorted(asked)]  # fails where a target needs what nothing makes
    subprocess.run(plan, cwd=ROOT, env=own, stdout=subprocess.DEVNULL, check=True)


def test_what_make_help_says_is_said_of_a_target_that_is_no_file() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE))
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony is not None
    assert targets == set(phony[1].split())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that is built from nothing else."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t"]
    subprocess.run([*build, "sdist"], cwd=ROOT, check=True)
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(folder / "source", filter="data")
    (tree,) = (folder / "source").iterdir()
    subprocess.run([*build, "wheel"], cwd=tree, check=True)
    return folder


@pytest.mark.slow
def test_the_wheel_of_the_source_distribution_is_one_package_and_the_tested_code_file_by_file(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        assert {name.split("/")[0] for name in names} == {"scrubjay"}
        tracked = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=ROOT, capture_output=True, check=True)
        code = [name for name in tracked.stdout.decode().split("\0") if name]
        assert {f"scrubjay/{name}" for name in code} <= set(names)
        assert {"scrubjay/daemon/server/static/page.js", "scrubjay/daemon/cli/plugin_files/main.js"} <= set(names)
        for name in code:
            assert archive.read(f"scrubjay/{name}") == (ROOT / name).read_bytes(), name


@pytest.mark.slow
def test_what_publishes_takes_the_wheel_and_the_source_distribution(built: Path) -> None:
    """twine reads metadata up to version 2.4, and what it does not read is not published."""
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (each for each in packed.namelist() if each.endswith(".dist-info/METADATA"))
        assert packed.read(name).startswith(b"Metadata-Version: 2.4\n")
    if importlib.util.find_spec("twine"):
        files = [str(file) for kind in ("*.whl", "*.tar.gz") for file in built.glob(kind)]
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], check=True)


@pytest.mark.slow
def test_the_wheel_says_what_it_carries(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (place,) = (name for name in archive.namelist() if re.search(r"\.dist-info/sboms/", name))
        bill = json.loads(archive.read(place))
        model = archive.read("scrubjay/daemon/models/bundled/model.onnx")
    assert bill["metadata"]["component"]["purl"] == f"pkg:pypi/scrubjay@{versions.version()}"
    parts = {part["name"]: part for part in bill["components"]}
    assert parts.keys() == {"all-MiniLM-L6-v2"}
    assert parts["all-MiniLM-L6-v2"]["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(model).hexdigest()}]
    assert all(part["licenses"] and part["purl"] for part in parts.values())


@pytest.mark.slow
def test_on_a_package_index_every_link_of_the_readme_leads_to_a_file_of_this_version(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (place,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = archive.read(place).decode()
    links = re.findall(r"\]\(([^)]+)\)", told.partition("\n\n")[2])
    page = f"https://github.com/{index_page.repository(ROOT)}"
    ours = [re.sub(rf"^{page}/(blob|raw)/{versions.version()}/", "", link) for link in links if link.startswith(page)]
    assert len(ours) > 10
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert [link for link in ours if not (ROOT / link.partition("#")[0]).exists()] == []
    assert f"mcp-name: {index_page.mcp_name(index_page.repository(ROOT))}" in told


@pytest.mark.slow
def test_the_wheel_in_a_bare_environment_sets_itself_up_answers_a_search_and_leaves_nothing(tmp_path: Path) -> None:
    """As `pipx install` would have it; the packages come from the registry that pip is told of."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "scrubjay/daemon/server/static/page.js",
        "scrubjay/daemon/cli/plugin_files/main.js",
        "scrubjay/daemon/models/bundled/model.onnx",
    } <= names
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "bare")], check=True)
    scripts = tmp_path / "bare" / ("Scripts" if sys.platform == "win32" else "bin")
    lock = ROOT / "packaging" / "locks" / "runtime.lock"
    pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--require-hashes", "-r", str(lock)], check=True)
    subprocess.run([*pip, "python-daemon"], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
    subprocess.run([str(scripts / "python"), "-m", "pip", "check"], check=True)
    subprocess.run([str(scripts / "python"), "-P", "-c", "from daemon import DaemonContext"], check=True)
    subprocess.run([*pip, "--force-reinstall", "--no-deps", "python-daemon"], check=True)  # now it is the later one

    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Ferry.md").write_text("# Ferry\n\nThe boat to the island leaves at nine.\n")
    kept = tmp_path / "keyring.json"
    kept.write_text("{}")
    (tmp_path / "keyring").mkdir()
    shutil.copyfile(ROOT / "tests/helpers/file_keyring.py", tmp_path / "keyring/file_keyring.py")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {
        "SCRUBJAY_HOME": str(tmp_path / "home"),
        "PYTHON_KEYRING_BACKEND": "file_keyring.FileKeyring",
        "PYTHONPATH": str(tmp_path / "keyring"),
        "SCRUBJAY_TEST_KEYRING": str(kept),
    }
    (tmp_path / "home/config").mkdir(parents=True)
    (tmp_path / "home/config/settings.toml").write_text("port = 0\n")

    def scrubjay(*arguments: str) -> str:
        command = [str(scripts / "scrubjay"), *arguments]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
        ).stdout

    options = ("--vault", str(tmp_path / "vault"), "--allow", ".", "--no-open", "--no-service", "--no-plugin")
    scrubjay("setup", "--yes", "--encrypt", "keyring", *options)
    try:
        scrubjay("index", "--wait")
        assert len(json.loads(kept.read_text())) == 2, "the profile's key and the user's token"
        found = json.loads(scrubjay("search", "when does the ship sail", "--mode", "semantic", "--json"))
        assert [result["path"] for result in found["results"]] == ["Ferry.md"]
    finally:
        scrubjay("uninstall", "--purge", "--yes")
    assert not (tmp_path / "home").exists()
    assert json.loads(kept.read_text()) == {}
