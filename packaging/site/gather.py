"""Puts the sources of the site together: docs/, pages that lie elsewhere in the tree, and pages made from the code.

`python packaging/site/gather.py FOLDER` writes FOLDER/docs and FOLDER/mkdocs.yml, for MkDocs to build.
"""

import html
import posixpath
import re
import shutil
import sys
from pathlib import Path

import commands
import routes
import settings_table

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {  # file of the tree -> page of the site
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "obsidian-plugin/README.md": "plugin.md",
    "packaging/README.md": "packages.md",
}
_TABLE_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")


def gather(target: Path) -> None:
    """Write everything below `target`, in place of what was there."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target / "docs")
    for page in (target / "docs").rglob("*.md"):
        place = page.relative_to(target).as_posix()
        page.write_text(piped(turned(page.read_text(encoding="utf-8"), place)), encoding="utf-8")
    for source, page in ELSEWHERE.items():
        write(target, page, turned((ROOT / source).read_text(encoding="utf-8"), source))
    write(target, "reference/command-line.md", commands.as_markdown(commands.described()))
    write(target, "reference/configuration.md", settings_table.as_markdown(settings_table.rows()))
    write(target, "reference/api.md", routes.as_markdown(routes.description()))
    configuration = (ROOT / "packaging" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    (target / "mkdocs.yml").write_text(configuration.replace("[decisions]", decisions()), encoding="utf-8")


def write(target: Path, page: str, text: str) -> None:
    """A page of the site."""
    (target / "docs" / page).parent.mkdir(exist_ok=True)
    (target / "docs" / page).write_text(piped(text), encoding="utf-8")


def decisions() -> str:
    """The decisions for the navigation, the oldest first."""
    return f"[{', '.join(f'decisions/{page.name}' for page in sorted((ROOT / 'docs' / 'decisions').glob('*.md')))}]"


def turned(text: str, source: str) -> str:
    """`text`, a file of the tree at `source`, with its links to files as the site's page of it needs them."""
    here = site_place(source)

    def turn(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        place = posixpath.relpath(site_place(target), posixpath.dirname(here) or ".")
        return f"{link[1]}{place}{link[3] or ''}{link[4]}"

    return _LINK.sub(turn, text)


def piped(text: str) -> str:
    """`text` with code in tables that holds a `|`, written `\\|` there, as HTML: the site would show the backslash."""

    def row(line: re.Match[str]) -> str:
        return _CODE.sub(lambda code: f"<code>{_as_html(code[1])}</code>" if "|" in code[1] else code[0], line[0])

    return _TABLE_ROW.sub(row, text)


def _as_html(code: str) -> str:
    return html.escape(code.replace("\\|", "|"), quote=False).replace("|", "&#124;")


def site_place(path: str) -> str:
    """Where the site has a file of the tree; a path that leads out of it, and fails the build, where it has none."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"../{path}"


if __name__ == "__main__":
    gather(Path(sys.argv[1]))
