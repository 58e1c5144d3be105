"""The plugin's own repository: what Obsidian's directory reads of it. `make plugin-repo` builds and lints the whole."""

import json
from typing import Any

import pytest

from tests.integration.packaging.scripts import ROOT, script

make = script("plugin_repo/make.py")
lock_subset = script("plugin_repo/lock_subset.py")


OF_Y = {"peerDependencies": {"d": "1", "e": "1"}, "peerDependenciesMeta": {"e": {"optional": True}}}
NEEDS: dict[str, dict[str, Any]] = {
    "a": {"dependencies": {"b": "1", "c": "1"}},
    "a/node_modules/b": {"dependencies": {"c": "1"}},
    "b": {"dev": True},
    "c": {"optionalDependencies": {"only-elsewhere": "1"}},
    "d": {"dependencies": {"b": "1"}},
    "@x/y": OF_Y,
}
PACKAGES = {
    "": {"version": "1"},
    **{f"node_modules/{name}": {"version": "1", **needs} for name, needs in NEEDS.items()},
}
LOCK: dict[str, Any] = {"name": "whole", "lockfileVersion": 3, "requires": True, "packages": PACKAGES}
ABOUT: dict[str, Any] = {"name": "part", "version": "2.0.0", "license": "MIT", "engines": {}, "devDependencies": {}}


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (dict[str, str](), set[str]()),
        ({"a": "1"}, {"a", "a/node_modules/b", "c"}),
        ({"d": "1"}, {"d", "b"}),
        ({"@x/y": "1"}, {"@x/y", "d", "b"}),
    ],
)
def test_of_a_lock_file_is_kept_what_is_needed_where_node_looks_for_it(asked: dict[str, str], kept: set[str]) -> None:
    made = lock_subset.subset(LOCK, ABOUT | {"devDependencies": asked})
    assert {path.removeprefix("node_modules/") for path in made["packages"] if path} == kept
    assert (made["name"], made["packages"][""]["devDependencies"]) == ("part", asked)


def test_a_package_that_the_lock_file_lacks_is_an_error() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        lock_subset.subset(LOCK, ABOUT | {"devDependencies": {"nowhere": "1"}})


def test_it_asks_for_what_builds_and_lints_the_plugin_and_for_no_browser() -> None:
    about = make.package(json.loads((ROOT / "obsidian-plugin/package.json").read_text(encoding="utf-8")))
    lock = json.loads((ROOT / "obsidian-plugin/package-lock.json").read_text(encoding="utf-8"))
    made = lock_subset.subset(lock, about)
    assert {"esbuild", "eslint-plugin-obsidianmd", "obsidian", "typescript"} <= about["devDependencies"].keys()
    assert not {"playwright-core", "vitest", "happy-dom"} & {
        path.rpartition("node_modules/")[2] for path in made["packages"]
    }


def test_its_readme_discloses_network_and_files_and_leads_to_no_file_that_it_lacks() -> None:
    text = make.readme((ROOT / "obsidian-plugin/README.md").read_text(encoding="utf-8"))
    assert "**Network**" in text
    assert "**Files outside the vault**" in text
    assert "](../" not in text


def test_a_line_that_the_directory_would_not_have_is_named(tmp_path: Any) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/good.ts").write_text('import { requestUrl } from "obsidian";\n')
    (tmp_path / "src/bad.ts").write_text('import { exec } from "node:child_process";\nawait window.fetch("/x");\n')
    assert [line.partition(":")[0] for line in make.unwanted(tmp_path)] == ["src/bad.ts"] * 2
