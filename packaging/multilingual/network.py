"""A packed model as an ONNX graph: the same numbers, in the operators that ONNX Runtime has for them."""

# `onnx` lives in an environment of its own, which the project's type checker does not see.
# pyright: basic, reportMissingImports=false

import numpy as np
import onnx
from onnx import helper, numpy_helper
from packed_model import BLOCK, Blocks, PackedModel

OUTPUT = "last_hidden_state"
_OPSET, _RUNTIME_OPSET, _IR = 21, 1, 10
_LARGEST = 127  # of a signed byte


class _Graph:
    """Nodes and weights as they are written down."""

    def __init__(self, model: PackedModel) -> None:
        self.model = model
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, name: str, values: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, inputs: list[str], name: str, domain: str = "", **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [name], name, domain=domain, **attributes))
        return name

    def runtime(self, kind: str, inputs: list[str], name: str, **attributes: object) -> str:
        """A node of ONNX Runtime's own."""
        return self.node(kind, inputs, name, "com.microsoft", **attributes)

    def linear(self, given: str, name: str, weights: list[Blocks], bias: np.ndarray) -> str:
        """Layers of the same input, one beside the other: 8 bits a weight, and a scale for each output."""
        floats = np.concatenate([each.floats() for each in weights]).T
        scales = np.abs(floats).max(axis=0) / _LARGEST
        numbers = np.rint(floats / scales).astype(np.int8)
        inputs = [given, self.weight(f"{name}.w", numbers), self.weight(f"{name}.s", scales), ""]
        return self.runtime("DynamicQuantizeMatMul", [*inputs, self.weight(f"{name}.b", bias)], name)

    def normalised(self, given: str, name: str) -> str:
        scale = self.weight(f"{name}.w", self.model.floats(f"{name}.w"))
        shift = self.weight(f"{name}.b", self.model.floats(f"{name}.b"))
        epsilon = self.model.sizes.epsilon
        return self.node("LayerNormalization", [given, scale, shift], name, axis=-1, epsilon=epsilon)


def network(model: PackedModel) -> onnx.ModelProto:
    """The graph: `input_ids` of one text or several of the same length in, a vector for each token out."""
    graph = _Graph(model)
    hidden = _embedded(graph)
    for number in range(model.sizes.layers):
        hidden = _layer(graph, f"l{number}", hidden)
    graph.node("Identity", [hidden], OUTPUT)
    ids = helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["texts", "tokens"])
    found = helper.make_tensor_value_info(OUTPUT, onnx.TensorProto.FLOAT, ["texts", "tokens", model.sizes.hidden])
    made = helper.make_model(
        helper.make_graph(graph.nodes, "e5", [ids], [found], graph.weights),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", _RUNTIME_OPSET)],
        ir_version=_IR,
    )
    onnx.checker.check_model(made)
    return made


def _embedded(graph: _Graph) -> str:
    model = graph.model
    word = model.blocks("emb.word")
    rows, columns = word.numbers.shape
    # From 0 to 15 around 8 to signed numbers: the lowest four bits of both differ in the highest alone.
    packed = _in_pairs(word.numbers ^ 8).tobytes()
    signed = helper.make_tensor("words", onnx.TensorProto.INT4, (rows, columns), packed, raw=True)
    graph.weights.append(signed)
    inputs = [signed.name, "input_ids", graph.weight("words.s", word.scales)]
    axes = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK}
    looked_up = graph.runtime("GatherBlockQuantized", inputs, "words.halves", **axes)
    spoken = graph.node("Cast", [looked_up], "words.floats", to=onnx.TensorProto.FLOAT)
    # A token's place and its type, which is always the first, are added together beforehand.
    places = model.floats("emb.pos").reshape(-1, columns) + model.floats("emb.type")[:columns]
    length = graph.node("Shape", ["input_ids"], "length", start=1, end=2)
    first, along = graph.weight("first", np.array([0])), graph.weight("along", np.array([0]))
    these = graph.node("Slice", [graph.weight("places", places), first, length, along], "these_places")
    return graph.normalised(graph.node("Add", [spoken, these], "embedded"), "emb.ln")


def _layer(graph: _Graph, name: str, given: str) -> str:
    model, sizes = graph.model, graph.model.sizes
    parts = [f"{name}.{part}" for part in "qkv"]
    bias = np.concatenate([model.floats(f"{part}.b") for part in parts])
    together = graph.linear(given, f"{name}.qkv", [model.blocks(f"{part}.w") for part in parts], bias)
    graph.nodes.append(helper.make_node("Split", [together], parts, f"{name}.split", axis=-1, num_outputs=3))
    attended = graph.runtime("MultiHeadAttention", parts, f"{name}.attention", num_heads=sizes.heads)
    out = graph.linear(attended, f"{name}.ao", [model.blocks(f"{name}.ao.w")], model.floats(f"{name}.ao.b"))
    hidden = graph.normalised(graph.node("Add", [given, out], f"{name}.with_attended"), f"{name}.aln")
    inner = graph.linear(hidden, f"{name}.fi", [model.blocks(f"{name}.fi.w")], model.floats(f"{name}.fi.b"))
    bent = graph.node("Gelu", [inner], f"{name}.gelu")
    outer = graph.linear(bent, f"{name}.fo", [model.blocks(f"{name}.fo.w")], model.floats(f"{name}.fo.b"))
    return graph.normalised(graph.node("Add", [hidden, outer], f"{name}.with_fed"), f"{name}.oln")


def _in_pairs(numbers: np.ndarray) -> np.ndarray:
    """Two numbers of four bits a byte, the first in the lower half."""
    return numbers[:, 0::2] | (numbers[:, 1::2] << 4)
