"""Adding a model from a folder: it is read, tried, and copied to where models lie. Nothing is downloaded."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from scrubjay.daemon.embedding.getting.download import available, prefixes
from scrubjay.daemon.embedding.getting.model_folder import LONGEST_WINDOW, ModelFolder, read_folder
from scrubjay.daemon.embedding.getting.self_check import Checked, check
from scrubjay.daemon.embedding.model import BUNDLED_NAME, Installed, digests, record_path, write_record
from scrubjay.daemon.embedding.onnx_model import TEXT_OUTPUT, OnnxModel, WrongShape
from scrubjay.daemon.embedding.protocol import Pooling
from scrubjay.daemon.errors import UsageError
from scrubjay.profiles.database.rows import Vectors


@dataclass(frozen=True, slots=True)
class Said:
    """What the user says of a model, in place of what its folder does; None: nothing."""

    name: str | None = None
    file: str | None = None
    pooling: Pooling | None = None
    max_tokens: int | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None


@dataclass(frozen=True, slots=True)
class Questions:
    """How to learn what neither the folder nor the user has said. Each may raise UsageError."""

    pooling: Callable[[], Pooling]
    prefix: Callable[[str], str]  # called with "query" or "passage"


@dataclass(frozen=True, slots=True)
class _Use:
    """How a model is run."""

    pooling: Pooling
    max_tokens: int
    query_prefix: str
    passage_prefix: str


def add_model(folder: Path, cache: Path, said: Said, questions: Questions) -> tuple[Installed, Checked]:
    """Copy the model in `folder` below the folder `cache`, where profiles find it, if it can be used.

    Raises UsageError with a sentence for one that can't be.
    """
    found = read_folder(folder, said.file)
    name = _free_name(said.name or folder.resolve().name, cache)
    use = _use(found, said, questions)
    target = cache / f"added--{record_path(cache, name).stem}"
    shutil.rmtree(target, ignore_errors=True)  # of an attempt that was cut short
    target.mkdir(mode=0o700, parents=True)
    try:
        for file in found.files():
            shutil.copyfile(file, target / file.name)
        dim, checked = _tried(target / found.onnx.name, use)
        files = digests(target)
        together = blake2b("".join(f"{file}\0{sum_}\0" for file, sum_ in files.items()).encode(), digest_size=32)
        installed = Installed(
            name=name,
            dim=dim,
            max_tokens=use.max_tokens,
            query_prefix=use.query_prefix,
            passage_prefix=use.passage_prefix,
            sha256=together.hexdigest(),
            folder=target.name,
            files=files,
            pooling=use.pooling,
            languages=checked.languages,
        )
        write_record(installed, cache)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return installed, checked


def _free_name(name: str, cache: Path) -> str:
    record = record_path(cache, name)
    known = {BUNDLED_NAME, *(each.name.lower() for each in available())}
    if name.lower() in known:
        raise UsageError(f"{name} is the name of another model. Choose one with --name.")
    if record.exists():
        raise UsageError(f"There is a model {name} already. Choose another name with --name, or remove that one first.")
    return name


def _use(found: ModelFolder, said: Said, questions: Questions) -> _Use:
    known = prefixes(found.known_as) if any(prefixes(found.known_as)) else prefixes(said.name or "")
    listed = (found.query_prefix, found.passage_prefix) if found.query_prefix or found.passage_prefix else (None, None)
    chosen: list[str] = []
    for what, wanted, of_folder, of_table in zip(
        ("query", "passage"), (said.query_prefix, said.passage_prefix), listed, known, strict=True
    ):
        if wanted is not None:
            chosen.append(wanted)
        elif of_folder is not None:
            chosen.append(of_folder)
        else:
            chosen.append(of_table if any(known) else questions.prefix(what))
    pooling = said.pooling or found.pooling or _own_pooling(found.onnx) or questions.pooling()
    return _Use(pooling, said.max_tokens or found.max_tokens or LONGEST_WINDOW, chosen[0], chosen[1])


def _own_pooling(onnx: Path) -> Pooling | None:
    """ "none" where the file has an output that is a text's vector, by its name."""
    return "none" if TEXT_OUTPUT.encode() in onnx.read_bytes() else None


def _tried(onnx: Path, use: _Use) -> tuple[int, Checked]:
    """The number of dimensions, and what the self-check found. Raises UsageError where the model can't be used."""
    try:
        model = OnnxModel(onnx, use.pooling, use.max_tokens)
        dim = len(next(model.embed("word")))
    except WrongShape as error:
        raise UsageError(str(error)) from None
    except Exception as error:  # the runtime's and the tokenizer's errors share no other base
        raise UsageError(
            f"The model can't be run ({type(error).__name__}): its files are damaged, not all there, or of a kind that"
            " this version of ONNX Runtime does not know."
        ) from error

    def embed(texts: Sequence[str], prefix: str) -> Vectors:
        vectors = np.stack(list(model.embed([prefix + text for text in texts])))
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)

    checked = check(embed, use.query_prefix, use.passage_prefix)
    if checked.problem:
        raise UsageError(checked.problem)
    return dim, checked
