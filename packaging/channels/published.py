"""The files of a release, as the channels name them: where each can be downloaded, and its digest."""

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging" / "release")]
from index_page import address, mcp_name, repository  # noqa: E402
from versions import source_date, version  # noqa: E402

SUMMARY = "Private search for Obsidian vaults, by word and by meaning, with credentials redacted first"


@dataclass(frozen=True, slots=True)
class Published:
    """A release of `version` in a repository (OWNER/NAME), with the SHA-256 of each of its files, by name."""

    version: str
    repository: str
    sums: Mapping[str, str]
    made: int  # seconds since 1970

    @property
    def page(self) -> str:
        """Where the project lives."""
        return address(self.repository)

    @property
    def mcp_name(self) -> str:
        """What the MCP registry calls its server."""
        return mcp_name(self.repository)

    def url(self, name: str) -> str:
        """Where a file of the release is downloaded."""
        return f"{self.page}/releases/download/{self.version}/{name}"

    @property
    def wheel(self) -> str:
        """Its name."""
        return f"scrubjay-{self.version}-py3-none-any.whl"

    @property
    def lock(self) -> str:
        """The name of the list of all that is installed with it, each with its digest, for pip and uv."""
        return f"scrubjay-{self.version}.lock"

    @property
    def debian(self) -> str:
        """The name of the package for Debian."""
        return f"scrubjay_{self.version}_amd64.deb"

    @property
    def windows(self) -> str:
        """The name of the stand-alone program for Windows."""
        return f"scrubjay-{self.version}-windows-x86_64.zip"

    @property
    def mcp_bundle(self) -> str:
        """The name of the bundle for programs that install MCP servers by one click."""
        return f"scrubjay-{self.version}.mcpb"


def published(dist: Path) -> Published:
    """The release whose files lie in `dist`."""
    files = (file for file in sorted(dist.iterdir()) if file.is_file())
    sums = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    return Published(version(), repository(ROOT), sums, source_date())
