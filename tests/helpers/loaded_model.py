"""The bundled model, loaded when this is imported: what is forked then has it."""

import os

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # as a worker's environment has it: threads would not be forked

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.onnx_model import TextModel, load_text_embedding
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel

_BUNDLED = load_text_embedding(BUNDLED)


def loaded(spec: EmbeddingModel, threads: int = 1) -> TextModel:
    """As `load_text_embedding`, which loads any other model."""
    return _BUNDLED if spec == BUNDLED else load_text_embedding(spec, threads)
