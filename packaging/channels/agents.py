"""For AI agents: the entry of the MCP registry, and a bundle that programs install by one click (.mcpb)."""

import json
import time
import zipfile
from pathlib import Path

from published import ROOT, SUMMARY, Published

_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_LONGEST = 100  # characters of a description in the registry

_MAIN = '''"""Serves the tools of Scrubjay on standard input and output."""

import sys

from scrubjay.daemon.cli import main

sys.argv = ["scrubjay", "mcp"]
main()
'''


def registry_entry(release: Published) -> str:
    """server.json: the package on PyPI, started by uvx, and the bundle."""
    pypi = {
        "registryType": "pypi",
        "identifier": "scrubjay",
        "version": release.version,
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": "mcp"}],
    }
    bundle = {
        "registryType": "mcpb",
        "identifier": release.url(release.mcp_bundle),
        "fileSha256": release.sums[release.mcp_bundle],
        "transport": {"type": "stdio"},
    }
    entry = {
        "$schema": _SCHEMA,
        "name": release.mcp_name,
        "title": "Scrubjay",
        "description": SUMMARY[:_LONGEST],
        "version": release.version,
        "repository": {"url": release.page, "source": "github"},
        "packages": [pypi, bundle],
    }
    return json.dumps(entry, indent=2) + "\n"


def write_bundle(target: Path, version: str, page: str, made: int) -> None:
    """Write the bundle: a manifest and what starts the package, which uv installs in an environment of its own."""
    manifest = {
        "manifest_version": "0.4",
        "name": "scrubjay",
        "display_name": "Scrubjay",
        "version": version,
        "description": SUMMARY,
        "long_description": "Searches notes that you have allowed Scrubjay to read, on this computer alone. It needs"
        " the Scrubjay daemon to be set up: `uvx scrubjay setup`.",
        "author": {"name": "The Scrubjay authors"},
        "repository": {"type": "git", "url": page},
        "license": "MIT",
        "keywords": ["notes", "obsidian", "search"],
        "server": {
            "type": "uv",
            "entry_point": "server/main.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server/main.py"],
            },
        },
        "tools_generated": True,
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.11"}},
    }
    project = f"""[project]
name = "scrubjay-mcp-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["scrubjay=={version}"]
"""
    files = {
        "manifest.json": json.dumps(manifest, indent=2) + "\n",
        "pyproject.toml": project,
        "server/main.py": _MAIN,
        "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(made)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)
