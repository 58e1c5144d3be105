"""What `make plugin-repo` runs: the plugin's own repository, as Obsidian's directory wants it, in `dist/plugin-repo/`.

The directory reads `manifest.json` at the root and scores all TypeScript of a repository, so it gets the sources of the
plugin and nothing of the search page. What it builds is compared with the plugin in the wheel, byte by byte, and the
official eslint may not even warn. `--fresh` installs the libraries anew from its lock file, as a stranger would.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging" / "release")]
from index_page import address, repository  # noqa: E402
from lock_subset import subset  # noqa: E402

PLUGIN = ROOT / "obsidian-plugin"
SENTENCES = ROOT / "daemon" / "sentences"
ENTRY = "src/host/obsidian/main.ts"
_TOOLS = ("@types/node", "esbuild", "eslint", "eslint-plugin-obsidianmd", "obsidian", "typescript")
_AS_THEY_ARE = ("LICENSE", "esbuild.plugin.mjs", "eslint.config.mjs", "manifest.json", "versions.json")
# What the directory marks a plugin down for, or its rules forbid.
_UNWANTED = re.compile(r"child_process|\bfetch\(|XMLHttpRequest|\beval\(|new Function\(|host/page/")


def main() -> None:
    """Write it, then build and lint it there. Leaves with a sentence where it is not as the directory wants it."""
    target = ROOT / "dist" / "plugin-repo"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    write(target)
    if "--fresh" in sys.argv:
        run(target, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
    else:
        (target / "node_modules").symlink_to((PLUGIN / "node_modules").resolve(), target_is_directory=True)
    try:
        if found := unwanted(target):
            sys.exit(f"Not for the plugin's repository: {'; '.join(found)}")
        run(target, "npm", "run", "--silent", "lint")
        run(target, "npm", "run", "--silent", "build")
    finally:
        modules = target / "node_modules"
        modules.unlink() if modules.is_symlink() else shutil.rmtree(modules, ignore_errors=True)
    for name in ("main.js", "styles.css"):
        if (target / name).read_bytes() != (ROOT / "daemon" / "cli" / "plugin_files" / name).read_bytes():
            sys.exit(f"{name} is not what the wheel carries.")
    files = sum(1 for file in target.rglob("*") if file.is_file())
    print(f"dist/plugin-repo: {files} files; linted without a warning; main.js and styles.css are those of the wheel.")


def write(target: Path) -> None:
    """The tree, but for what is built."""
    for name in (*sources(), *_AS_THEY_ARE):
        copy(PLUGIN / name, target / name)
    copy(SENTENCES / "en.json", target / "sentences" / "en.json")
    copy(ROOT / "packaging" / "plugin_repo" / "release.yml", target / ".github" / "workflows" / "release.yml")
    (target / ".gitignore").write_text("node_modules/\nmain.js\nstyles.css\n", encoding="utf-8")
    (target / "README.md").write_text(readme((PLUGIN / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
    about, lock = (read(PLUGIN / name) for name in ("package.json", "package-lock.json"))
    mine = package(about)
    dump(target / "package.json", mine)
    dump(target / "package-lock.json", subset(lock, mine))
    compiler = read(PLUGIN / "tsconfig.json") | {"include": ["src"]}
    dump(target / "tsconfig.json", compiler)


def sources() -> tuple[str, ...]:
    """The plugin's files below `src/`: what `ENTRY` imports, types too; its styles."""
    given = PLUGIN / "tsconfig.plugin.json"
    dump(given, {"extends": "./tsconfig.json", "files": [ENTRY], "include": []})
    try:
        listed = run(PLUGIN, "npx", "--no-install", "tsc", "--listFilesOnly", "-p", given.name)
    finally:
        given.unlink()
    read_in = {Path(line) for line in listed.splitlines() if (PLUGIN / "src") in Path(line).parents}
    styles = ((PLUGIN / "src" / "styles").glob("*.css"), (PLUGIN / "src" / "host" / "obsidian").glob("*.css"))
    every = {*read_in, *(style for some in styles for style in some)}
    return tuple(sorted(file.relative_to(PLUGIN).as_posix() for file in every))


def package(about: dict[str, Any]) -> dict[str, Any]:
    """package.json of the plugin alone."""
    tools = {name: version for name, version in about["devDependencies"].items() if name in _TOOLS}
    kept = {name: about[name] for name in ("name", "version", "private", "license", "type", "engines", "overrides")}
    scripts = {
        "build": "tsc -noEmit && node esbuild.plugin.mjs",
        "lint": "eslint --max-warnings 0 . && tsc -noEmit",
    }
    told = {"description": "The search panel of Scrubjay, for Obsidian.", "scripts": scripts}
    return {**kept, **told, "devDependencies": tools}


def readme(text: str) -> str:
    """The plugin's README for a repository of its own: links lead to the project, and how to build it is said anew."""
    page = address(repository(ROOT))
    text = text[: text.index("## Working on it")]
    text = re.sub(r"\]\(\.\./([^)]+\.(?:png|svg|gif|webp))\)", rf"]({page}/raw/HEAD/\1)", text)
    text = re.sub(r"\]\(\.\./([^)]+)\)", rf"]({page}/blob/HEAD/\1)", text)
    return f"""{text}## Where it comes from
These are the plugin's sources of [Scrubjay]({page}), where it is developed, tested and discussed.
`npm ci && npm run build` makes `main.js` and `styles.css`, byte for byte those of a release;
`gh attestation verify main.js --repo OWNER/NAME` says where these were built.
"""


def unwanted(target: Path) -> list[str]:
    """Lines of the sources that the directory would not have."""
    files: Iterable[Path] = sorted((target / "src").rglob("*.ts"))
    return [
        f"{file.relative_to(target)}: {line.strip()}"
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if _UNWANTED.search(line)
    ]


def run(folder: Path, *command: str) -> str:
    """What a program prints; leaves with what it said where it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def copy(source: Path, target: Path) -> None:
    """Copy a file, with the folders above it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def read(file: Path) -> dict[str, Any]:
    """A JSON file."""
    return json.loads(file.read_text(encoding="utf-8"))


def dump(file: Path, tree: dict[str, Any]) -> None:
    """Write a JSON file as npm does."""
    file.write_text(json.dumps(tree, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
