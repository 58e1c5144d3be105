"""What a package index is told of Scrubjay: the README with links that lead somewhere there too, and addresses.

`[tool.scrubjay] repository` in `pyproject.toml` says where the project is published; nothing else in the tree does.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


def repository(root: Path) -> str:
    """Where the project is published, as OWNER/NAME."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scrubjay"]["repository"]


def address(repository: str) -> str:
    """The page of a repository."""
    return f"https://github.com/{repository}"


def mcp_name(repository: str) -> str:
    """What the MCP registry calls the server: it belongs to whom the repository belongs to."""
    owner, _, name = repository.partition("/")
    return f"io.github.{owner}/{name}"


def long_description(readme: str, repository: str, version: str) -> str:
    """The README with links to the files of this version, and the line by which the MCP registry knows its server."""

    def absolute(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        kind = "raw" if mark else "blob"
        return f"{mark}[{text}]({address(repository)}/{kind}/{version}/{target})"

    return f"{_LINK.sub(absolute, readme)}\n<!-- mcp-name: {mcp_name(repository)} -->\n"


class IndexPage(MetadataHookInterface):
    """Fills in `readme` and `urls`, which `pyproject.toml` leaves to it."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling."""
        root = Path(self.root)
        where = repository(root)
        readme = (root / "README.md").read_text(encoding="utf-8")
        text = long_description(readme, where, str(metadata["version"]))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {
            "Homepage": address(where),
            "Documentation": f"{address(where)}/blob/{metadata['version']}/docs/quick-start.md",
            "Changelog": f"{address(where)}/blob/{metadata['version']}/CHANGELOG.md",
            "Issues": f"{address(where)}/issues",
        }
