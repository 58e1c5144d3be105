"""What takes long to make: the bundled model and its tokenizer, the filter, what tells languages, an empty store.

It is loaded when this is imported, and what is forked then has it.
"""

import gc
import os
from contextlib import ExitStack, suppress
from functools import cache
from typing import cast
from unittest.mock import patch

import apsw

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # as a worker's environment has it: threads would not be forked

from scrubjay.credential_filter import BUILT_IN, redact
from scrubjay.daemon.models import onnx_model, token_counter
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.onnx_model import TextModel, load_text_embedding
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.vault.language import language_of
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel
from scrubjay.profiles.store import file_store, migrations
from scrubjay.profiles.store.sqlite import CIPHER_RESERVE, PAGE_SIZE, SqliteConnection, load_vectors
from scrubjay.profiles.store.statements import FileConnection

_BUNDLED = load_text_embedding(BUNDLED)
_counter = cache(token_counter._counter)  # pyright: ignore[reportPrivateUsage]
redact("", BUILT_IN)
language_of("Ripa, vento, aqua, luna, sole: " * 20)  # few of any language's small words, so it is told by its spelling
with patch.object(token_counter, "_counter", _counter):
    TokenCounter(BUNDLED).count_many([""])
_EMPTY = cast("FileConnection", SqliteConnection(":memory:"))
_EMPTY.pragma("page_size", PAGE_SIZE)
_EMPTY.reserve_bytes("main", CIPHER_RESERVE)
load_vectors(_EMPTY)
migrations.migrate(_EMPTY)
# A fork that looked through what it inherits would copy it: a third of what a small daemon takes.
gc.collect()
gc.freeze()


def loaded(spec: EmbeddingModel, threads: int = 1) -> TextModel:
    """As `load_text_embedding`, which loads any other model."""
    return _BUNDLED if spec == BUNDLED else load_text_embedding(spec, threads)


def loaded_once() -> ExitStack:
    """Until it is closed, this process loads the bundled model and each tokenizer once, and copies an empty store."""
    stack = ExitStack()
    stack.enter_context(patch.object(onnx_model, "load_text_embedding", loaded))
    stack.enter_context(patch.object(token_counter, "_counter", _counter))
    stack.enter_context(patch.object(file_store, "migrate", _migrate))
    return stack


def _migrate(connection: FileConnection) -> None:
    """As `migrate`: all versions of the schema, one by one, take fifteen times as long."""
    if not connection.execute("SELECT 1 FROM sqlite_schema").get and not connection.pragma("user_version"):
        connection.pragma("journal_mode", "WAL")
        # An encrypted file takes no copy of a plain one.
        file, empty = cast("SqliteConnection", connection), cast("SqliteConnection", _EMPTY)
        with suppress(apsw.SQLError), file.backup("main", empty, "main") as copy:
            copy.step()
    migrations.migrate(connection)
