"""Downloading one of fastembed's models, because the user asked for it.

Nothing else in Scrubjay reaches the network.
"""

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from loguru import logger

from scrubjay.daemon.models.installed import (
    Installed,
    ModelNotAvailable,
    digests,
    downloaded,
    resolve,
    spec_of,
    write_record,
)
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.meaning.embedder import EmbedderFailed, EmbeddingModel

# Read by huggingface_hub when it is imported, so they stand before the next imports: no statistics, and no token that
# another program has left on this machine.
os.environ["HF_HUB_DISABLE_TELEMETRY"] = str(True)
os.environ["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = str(True)

from fastembed import TextEmbedding
from fastembed.common.model_description import DenseModelDescription, ModelSource
from fastembed.common.preprocessor_utils import load_tokenizer

from scrubjay.daemon.models.onnx_model import load_text_embedding

_LONGEST_WINDOW = 512  # a longer passage says too much for one vector, and attention's cost grows with its square

_RETRIEVE = "Represent this sentence for searching relevant passages: "
_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query"

# How the models' own pages say to ask them. Name begins with -> before a query, before a passage.
PREFIXES = {
    "baai/bge-small-zh": ("为这个句子生成表示以用于检索相关文章：", ""),
    "baai/bge-": (_RETRIEVE, ""),
    "google/embeddinggemma": ("task: search result | query: ", "title: none | text: "),
    "intfloat/multilingual-e5": ("query: ", "passage: "),
    "mixedbread-ai/mxbai-embed": (_RETRIEVE, ""),
    "nomic-ai/nomic-embed-text": ("search_query: ", "search_document: "),
    "qdrant/stella-en": (f"{_INSTRUCT}.\nQuery: ", ""),
    "qwen/qwen3-embedding": (f"{_INSTRUCT}\nQuery:", ""),
    "snowflake/snowflake-arctic-embed": (_RETRIEVE, ""),
}


@dataclass(frozen=True, slots=True)
class Available:
    """A model that fastembed can download."""

    name: str
    dim: int
    gigabytes: float
    about: str


def fetch(name: str, cache: Path) -> EmbeddingModel:
    """The model called `name`, downloaded into the folder `cache` unless it is there; progress goes to stderr.

    Raises UsageError where fastembed lists no such model, and ModelNotAvailable where the download fails or what came
    can't be used.
    """
    try:
        return resolve(name, cache)
    except ModelNotAvailable:
        return _download(_described(name), cache)


def recorded(name: str, cache: Path) -> Installed | None:
    """What is known of the model called `name` since it was downloaded."""
    return next((model for model in downloaded(cache) if model.name.lower() == name.lower()), None)


def available() -> tuple[Available, ...]:
    """The models that can be downloaded, the smallest first."""
    found = [
        Available(row["model"], row["dim"], row["size_in_GB"], row["description"])
        for row in TextEmbedding.list_supported_models()
    ]
    return tuple(sorted(found, key=lambda model: (model.gigabytes, model.name.lower())))


def prefixes(name: str) -> tuple[str, str]:
    """The prefixes of a query and of a passage for the model called `name`."""
    found = (pair for start, pair in PREFIXES.items() if name.lower().startswith(start))
    return next(found, ("", ""))


def _described(name: str) -> DenseModelDescription:
    known = {row["model"].lower(): row for row in TextEmbedding.list_supported_models()}
    row = known.get(name.lower())
    if row is None:
        near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.4)
        guess = f" Did you mean {' or '.join(known[match]['model'] for match in near)}?" if near else ""
        raise UsageError(f"There is no model called {name}.{guess} `scrubjay model list --available` shows them all.")
    sources = ModelSource(**row.pop("sources"))
    return DenseModelDescription(sources=sources, **row)


def _download(described: DenseModelDescription, cache: Path) -> EmbeddingModel:
    cache.mkdir(parents=True, exist_ok=True)
    logger.disable("fastembed")  # its warnings are reported below, once
    try:
        folder = TextEmbedding.download_model(described, str(cache), retries=1)
        installed = _installed(described, folder.resolve(), cache.resolve())
    except (ValueError, FileNotFoundError):
        raise ModelNotAvailable(
            f"The model {described.model} ({described.size_in_GB} GB) could not be downloaded, or not all of it. "
            "Check the connection and try again; what has come so far is kept."
        ) from None
    before = recorded(described.model, cache)
    if before is not None and before.files != installed.files:
        raise ModelNotAvailable(
            f"What the hub gives for {described.model} now (revision {installed.revision}) is not what was downloaded"
            f" before ({before.revision}). If you want it all the same: scrubjay model remove {described.model}, and"
            " download it again."
        )
    spec = spec_of(installed, cache)
    _check(spec)
    write_record(installed, cache)
    return spec


def _installed(described: DenseModelDescription, folder: Path, cache: Path) -> Installed:
    query_prefix, passage_prefix = prefixes(described.model)
    files = digests(folder)
    if described.model_file not in files:
        raise FileNotFoundError(described.model_file)
    return Installed(
        name=described.model,
        dim=described.dim or 0,
        max_tokens=_window(folder),
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        sha256=files[described.model_file],
        folder=folder.relative_to(cache).as_posix(),
        revision=folder.name if folder.parent.name == "snapshots" else "",
        files=files,
    )


def _window(folder: Path) -> int:
    """Tokens that fastembed reads of a text with this model, within reason."""
    tokenizer, _ = load_tokenizer(folder)
    truncation = cast("dict[str, Any] | None", tokenizer.truncation)  # pyright: ignore[reportUnknownMemberType]  # bare
    return min(truncation["max_length"], _LONGEST_WINDOW) if truncation else _LONGEST_WINDOW


def _check(spec: EmbeddingModel) -> None:
    """Embed a word, so that a model which can't be used is found now."""
    try:
        (vector,) = load_text_embedding(spec).embed("word")
    except EmbedderFailed as error:
        raise ModelNotAvailable(str(error)) from error
    if vector.shape != (spec.dim,):
        raise ModelNotAvailable(f"The model {spec.name} gives {vector.shape[-1]} numbers a text, not {spec.dim}.")
