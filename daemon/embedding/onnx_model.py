"""Running a model that the user added, from its ONNX file and its tokenizer. Opens no socket."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # it has none
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from scrubjay.daemon.embedding.protocol import Pooling

TOKENIZER = "tokenizer.json"
TEXT_OUTPUT = "sentence_embedding"
"""What exporters call the output that is a text's vector already."""
_INPUTS: dict[str, Callable[[Encoding], Sequence[int]]] = {
    "input_ids": lambda encoding: encoding.ids,
    "attention_mask": lambda encoding: encoding.attention_mask,
    "token_type_ids": lambda encoding: encoding.type_ids,
    "position_ids": lambda encoding: range(len(encoding.ids)),
}


class WrongShape(Exception):
    """The ONNX file is no model that turns a text into a vector; the message says why."""


class _Session(Protocol):
    """What is used of onnxruntime's InferenceSession."""

    def get_inputs(self) -> Sequence[Any]: ...
    def get_outputs(self) -> Sequence[Any]: ...
    def run(self, names: Sequence[str], inputs: dict[str, Any], /) -> Sequence[NDArray[np.float32]]: ...


class OnnxModel:
    """Turns texts into vectors, one by one. Thread-safe, as the runtime and the tokenizer are."""

    def __init__(self, file: Path, pooling: Pooling, max_tokens: int, threads: int = 1) -> None:
        """file: the ONNX file, the tokenizer beside it.

        Raises WrongShape; and whatever the runtime and the tokenizer raise for files that they can't read.
        """
        runtime = cast("Any", onnxruntime)
        runtime.disable_telemetry_events()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session: _Session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        self._inputs = [str(found.name) for found in self._session.get_inputs()]
        self._output = _output(self._session, pooling)
        self._pooling: Pooling = pooling
        unknown = [name for name in self._inputs if name not in _INPUTS]
        if unknown:
            raise WrongShape(f"The model wants more than a text: {', '.join(unknown[:3])}. Export it for embeddings.")
        self._tokenizer = Tokenizer.from_file(str(file.with_name(TOKENIZER)))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)  # pyright: ignore[reportUnknownMemberType]  # bare

    def embed(self, texts: str | Sequence[str]) -> Iterator[NDArray[np.float32]]:
        """The vector of each text, not normalised. Raises WrongShape."""
        for text in [texts] if isinstance(texts, str) else texts:
            encoding = self._tokenizer.encode(text)
            given = {name: np.array([_INPUTS[name](encoding)], np.int64) for name in self._inputs}
            (found,) = self._session.run([self._output], given)
            yield pooled(np.asarray(found, np.float32)[0], self._pooling)


def pooled(found: NDArray[np.float32], pooling: Pooling) -> NDArray[np.float32]:
    """A text's vector, from what a model gives for it. Raises WrongShape where that is not what the pooling is for."""
    if found.ndim != (1 if pooling == "none" else 2):
        raise WrongShape(f"The model gives {found.ndim} dimensions a text; pooling `{pooling}` does not fit that.")
    if pooling == "mean":
        return found.mean(axis=0)
    return found if pooling == "none" else found[0 if pooling == "first" else -1]


def _output(session: _Session, pooling: Pooling) -> str:
    names = [str(found.name) for found in session.get_outputs()]
    if pooling == "none" and TEXT_OUTPUT in names:
        return TEXT_OUTPUT
    return next((name for name in names if name in ("last_hidden_state", "token_embeddings")), names[0])
