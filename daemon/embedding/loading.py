"""Loading a model from files that are here: through fastembed, or as it was added. Opens no socket."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # it has none
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from numpy.typing import NDArray

from scrubjay.daemon.embedding.onnx_model import OnnxModel
from scrubjay.daemon.embedding.protocol import EmbedderFailed, EmbeddingModel


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
