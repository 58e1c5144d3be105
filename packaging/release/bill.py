"""The bills of materials (SBOM, CycloneDX 1.6): of what a wheel carries, and of all that is installed with it.

The first lies in the wheel (PEP 770), and is made with Python's library alone: every build of a wheel makes it.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from licences import ACCEPTED, canonical, npm_packages, python_packages
from versions import version

ROOT = Path(__file__).resolve().parents[2]
Component = dict[str, Any]

_SPOKEN = frozenset({"Public-Domain"})  # no identifiers of SPDX's


def of_wheel(root: Path = ROOT) -> str:
    """What lies in the wheel beside our own code: the model, and the libraries that are bundled into the panel."""
    return _written(_carried(root), root)


def of_release(root: Path = ROOT) -> str:
    """These, and every Python package that is installed with Scrubjay on any system, by its lock file."""
    lock = root / "packaging" / "locks" / "runtime.lock"
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible", "--spec-version", "1.6"]
    made = subprocess.run([*command, str(lock)], capture_output=True, check=True, text=True, cwd=root)
    packages: list[Component] = json.loads(made.stdout)["components"]
    said = {canonical(each.name): each.licence for each in python_packages(lock)}
    for package in packages:
        if licence := said.get(canonical(package["name"])):
            package["licenses"] = _licences(licence)
    return _written([*_carried(root), *packages], root)


def _carried(root: Path) -> list[Component]:
    sums = (root / "daemon" / "models" / "bundled" / "SHA256SUMS").read_text(encoding="ascii")
    digest = re.search(r"^([0-9a-f]{64})  model\.onnx$", sums, re.MULTILINE)
    if digest is None:
        raise ValueError("SHA256SUMS of the bundled model does not name model.onnx")
    model: Component = {
        "type": "machine-learning-model",
        "bom-ref": "model",
        "name": "all-MiniLM-L6-v2",
        "description": "Sentence embeddings in 384 dimensions, with 8-bit weights; made by packaging/model/build.py.",
        "hashes": [{"alg": "SHA-256", "content": digest[1]}],
        "licenses": _licences("Apache-2.0"),
        "purl": "pkg:huggingface/sentence-transformers/all-MiniLM-L6-v2",
    }
    panel: list[Component] = [
        {
            "type": "library",
            "bom-ref": f"npm-{library.name}",
            "name": library.name,
            "version": library.version,
            "licenses": _licences(library.licence),
            "purl": f"pkg:npm/{library.name}@{library.version}",
        }
        for library in npm_packages(root / "obsidian-plugin" / "package-lock.json", shipped=True)
    ]
    return [model, *panel]


def _licences(said: str) -> list[dict[str, Any]]:
    """A licence as CycloneDX tells it: an expression of SPDX's where it is one, else a name."""
    identifiers = re.split(r"\s+(?:AND|OR)\s+", said.replace("(", "").replace(")", ""))
    known = all(each in ACCEPTED - _SPOKEN for each in identifiers)
    return [{"expression": said}] if known else [{"license": {"name": said}}]


def _written(components: Iterable[Component], root: Path) -> str:
    parts = list(components)
    number = version(root)
    tree = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "scrubjay",
                "name": "scrubjay",
                "version": number,
                "licenses": [{"expression": "MIT"}],
                "purl": f"pkg:pypi/scrubjay@{number}",
            }
        },
        "components": parts,
        "dependencies": [{"ref": "scrubjay", "dependsOn": sorted(str(each["bom-ref"]) for each in parts)}],
    }
    return json.dumps(tree, indent=2) + "\n"
