"""vstash, asked what Scrubjay is asked. Runs in a virtual environment of its own, which has only vstash.

`vstash_rival.py FOLDER`: reads texts.jsonl ({"path", "title", "chunks"} a line), vectors.npy (a row a chunk, in order)
and queries.json from the folder, and the model from the folder that its model.txt names; prints as JSON the
milliseconds of each query and the processor time of them all.
"""

# pyright: basic, reportMissingImports=false

import json
import sys
import time
from pathlib import Path

import numpy as np

MODEL = "scrubjay-bench"
TOP_K = 10
BATCH = 500


class Encoder:
    """The same int8 model that Scrubjay uses, through fastembed, as vstash itself would load one."""

    embedding_dim = 384

    def __init__(self, folder: str) -> None:
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType

        TextEmbedding.add_custom_model(
            model=MODEL,
            pooling=PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf=MODEL),  # never used: the files are given
            dim=self.embedding_dim,
            model_file="model.onnx",
        )
        self._model = TextEmbedding(MODEL, cache_dir=folder, specific_model_path=folder)

    def encode(self, texts: list[str]) -> list[list[float]]:
        return [vector.tolist() for vector in self._model.embed(texts)]


def main() -> None:
    """Fill a store, ask every query once, and print."""
    from vstash._store_open import open_store_for_config
    from vstash.config import VstashConfig
    from vstash.embed import register_encoder_resolver
    from vstash.services import search_with_embedding

    folder = Path(sys.argv[1])
    encoder = Encoder((folder / "model.txt").read_text(encoding="utf-8"))

    def resolve(name: str) -> Encoder | None:
        return encoder if name == MODEL else None

    register_encoder_resolver(resolve)
    config = VstashConfig.model_validate({"embeddings": {"model": MODEL, "backend": "onnx"}})
    store = open_store_for_config(config, db_path=str(folder / "vstash.db"), embedding_dim=encoder.embedding_dim)
    fill(store, folder)
    queries = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    for query in queries["warm_up"]:
        search_with_embedding(cfg=config, store=store, query=query, top_k=TOP_K)
    taken = []
    used = time.process_time()
    for query in queries["counted"]:
        began = time.perf_counter()
        search_with_embedding(cfg=config, store=store, query=query, top_k=TOP_K)
        taken.append((time.perf_counter() - began) * 1000)
    print(json.dumps({"took_ms": taken, "cpu_seconds": time.process_time() - used}))


def fill(store, folder: Path) -> None:
    """Add every document, with the vectors that Scrubjay has for its chunks."""
    vectors = np.load(folder / "vectors.npy")
    at = 0
    batch = []
    with (folder / "texts.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            note = json.loads(line)
            end = at + len(note["chunks"])
            batch.append({**note, "embeddings": vectors[at:end].tolist(), "source_type": "markdown"})
            at = end
            if len(batch) == BATCH:
                store.add_documents_batch(batch)
                batch = []
    if batch:
        store.add_documents_batch(batch)


if __name__ == "__main__":
    main()
