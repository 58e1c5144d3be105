"""Loading a model from files that are here, and running it. Opens no socket."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # it has none
from numpy.typing import NDArray

from scrubjay.daemon.models.unigram import UnigramTokenizer
from scrubjay.profiles.search.meaning.embedder import EmbedderFailed, EmbeddingModel, Pooling

TOKENIZER = "tokenizer.json"
TEXT_OUTPUT = "sentence_embedding"
"""What exporters call the output that is a text's vector already."""


class _Encoded(Protocol):
    """A text's tokens."""

    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def attention_mask(self) -> Sequence[int]: ...
    @property
    def type_ids(self) -> Sequence[int]: ...


_INPUTS: dict[str, Callable[[_Encoded], Sequence[int]]] = {
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
        self._encode = _encoder(file.with_name(TOKENIZER), max_tokens)

    def embed(self, texts: str | Sequence[str]) -> Iterator[NDArray[np.float32]]:
        """The vector of each text, not normalised. Raises WrongShape."""
        for text in [texts] if isinstance(texts, str) else texts:
            encoding = self._encode(text)
            given = {name: np.array([_INPUTS[name](encoding)], np.int64) for name in self._inputs}
            (found,) = self._session.run([self._output], given)
            yield pooled(np.asarray(found, np.float32)[0], self._pooling)


def _encoder(file: Path, max_tokens: int) -> Callable[[str], _Encoded]:
    """What makes a text into tokens, so many at most, as the tokenizer in a file does."""
    if unigrams := UnigramTokenizer.read(file):
        return partial(unigrams.encode, max_tokens=max_tokens)
    # Not at the top, as fastembed below: 40 MB that a model of unigrams does not need.
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)  # pyright: ignore[reportUnknownMemberType]  # bare
    return tokenizer.encode


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


class TextModel(Protocol):
    """A loaded model."""

    def embed(self, documents: str, /) -> Iterable[NDArray[Any]]:
        """The vector of a text, as the only one."""
        ...


def load_text_embedding(spec: EmbeddingModel, threads: int = 1) -> TextModel:
    """Load the model in `spec.path`; each run of it uses `threads` threads, the calling one among them.

    Raises EmbedderFailed if its files are missing or damaged.
    """
    # Beside the variable that this package's __init__ sets, which Windows' own event tracing does not ask.
    onnxruntime.disable_telemetry_events()  # pyright: ignore[reportUnknownMemberType]
    folder = _folder(spec)
    try:
        if spec.pooling is not None:
            return OnnxModel(onnx_file(folder), spec.pooling, spec.max_tokens, threads)
        from fastembed import TextEmbedding  # noqa: PLC0415

        _make_known(spec)
        # fastembed makes its cache folder even when it is given the files; so it is given one that exists.
        return TextEmbedding(spec.name, cache_dir=str(folder), specific_model_path=str(folder), threads=threads)
    except Exception as error:  # onnxruntime's and the tokenizer's errors share no other base
        raise EmbedderFailed(
            f"The embedding model {spec.name} in {folder} can't be loaded ({type(error).__name__}): "
            "its files are missing or damaged. Reinstall Scrubjay, or download or add the model again."
        ) from error


def onnx_file(folder: Path) -> Path:
    """The ONNX file of a model that was added. Raises FileNotFoundError."""
    found = next(iter(sorted(folder.glob("*.onnx"))), None)
    if found is None:
        raise FileNotFoundError(f"no ONNX file in {folder}")
    return found


def _folder(spec: EmbeddingModel) -> Path:
    if spec.path is None or not spec.path.is_dir():
        raise EmbedderFailed(
            f"The folder of the embedding model {spec.name} is missing. Reinstall Scrubjay, or download it again."
        )
    return spec.path


def _make_known(spec: EmbeddingModel) -> None:
    """Tell fastembed about the bundled model; any other is on its own list."""
    from fastembed import TextEmbedding  # noqa: PLC0415
    from fastembed.common.model_description import ModelSource, PoolingType  # noqa: PLC0415

    if any(known["model"].lower() == spec.name.lower() for known in TextEmbedding.list_supported_models()):
        return
    TextEmbedding.add_custom_model(
        model=spec.name,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=spec.name),  # never used: the files are given
        dim=spec.dim,
        model_file="model.onnx",
    )
