"""The bundled model and the credential filter, loaded when this is imported: what is forked then has them."""

import gc
import os

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # as a worker's environment has it: threads would not be forked

from scrubjay.credential_filter import BUILT_IN, redact
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.onnx_model import TextModel, load_text_embedding
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel

_BUNDLED = load_text_embedding(BUNDLED)
redact("", BUILT_IN)
# A fork that looked through what it inherits would copy it: a third of what a small daemon takes.
gc.collect()
gc.freeze()


def loaded(spec: EmbeddingModel, threads: int = 1) -> TextModel:
    """As `load_text_embedding`, which loads any other model."""
    return _BUNDLED if spec == BUNDLED else load_text_embedding(spec, threads)
