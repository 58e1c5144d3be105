"""Adding a model from a folder: it is read, tried, and copied to where models lie. Nothing is downloaded."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from scrubjay.daemon.models.download import available, prefixes
from scrubjay.daemon.models.installed import BUNDLED_NAME, Installed, digests, packaged, record_path, write_record
from scrubjay.daemon.models.onnx_model import TEXT_OUTPUT, TOKENIZER, OnnxModel, WrongShape
from scrubjay.daemon.models.self_check import PAIRS
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.meaning.embedder import Pooling
from scrubjay.profiles.store.rows import Vectors

LONGEST_WINDOW = 512
"""Tokens. A longer passage says too much for one vector, and attention's cost grows with its square."""
_USUAL = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_QUERY_PROMPTS = ("query", "search_query", "s2p_query")
_PASSAGE_PROMPTS = ("passage", "document", "search_document")
T = TypeVar("T", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What was found. None: the folder does not say."""

    onnx: Path
    tokenizer: Path
    pooling: Pooling | None
    max_tokens: int | None
    query_prefix: str | None
    passage_prefix: str | None
    known_as: str  # what its makers call it; "" where it is not said

    def files(self) -> tuple[Path, ...]:
        """Everything that running it takes: the ONNX file, the weights that it keeps beside itself, the tokenizer."""
        beside = sorted(self.onnx.parent.glob(f"{self.onnx.name}_data*"))
        beside += sorted(self.onnx.parent.glob(f"{self.onnx.name}.data"))
        return (self.onnx, *beside, self.tokenizer)


class _Module(msgspec.Struct):
    type: str = ""
    path: str = ""


class _PoolingConfig(msgspec.Struct):
    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = False
    pooling_mode_lasttoken: bool = False
    pooling_mode_max_tokens: bool = False
    pooling_mode_mean_sqrt_len_tokens: bool = False
    pooling_mode_weightedmean_tokens: bool = False


class _Window(msgspec.Struct):
    max_seq_length: int | None = None
    model_max_length: float | None = None  # "very large" stands as 1e30


class _Prompts(msgspec.Struct):
    prompts: dict[str, str] = {}


class _Config(msgspec.Struct):
    name: str = msgspec.field(default="", name="_name_or_path")


def read_folder(folder: Path, file: str | None = None) -> ModelFolder:
    """Look into a folder. file: which ONNX file, by its path in the folder, where there are several.

    Raises UsageError with a sentence for a folder that can't be used.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder. Name the one with the model's ONNX file and tokenizer.json.")
    onnx = _onnx(folder, file)
    tokenizer = next((path for path in (folder / TOKENIZER, onnx.with_name(TOKENIZER)) if path.is_file()), None)
    if tokenizer is None:
        raise UsageError(f"{folder} has no {TOKENIZER}. Export the model with its fast tokenizer.")
    prompts = _read(folder / "config_sentence_transformers.json", _Prompts)
    known_as = _read(folder / "config.json", _Config)
    return ModelFolder(
        onnx,
        tokenizer,
        _pooling(folder),
        _max_tokens(folder),
        None if prompts is None else _prompt(prompts.prompts, _QUERY_PROMPTS),
        None if prompts is None else _prompt(prompts.prompts, _PASSAGE_PROMPTS),
        "" if known_as is None else known_as.name,
    )


def _onnx(folder: Path, file: str | None) -> Path:
    found = sorted(path for path in folder.rglob("*.onnx") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in found]
    if file is not None:
        if file not in names:
            raise UsageError(f"{folder} has no ONNX file {file}. It has: {', '.join(names) or 'none'}.")
        return folder / file
    if not found:
        raise UsageError(f"{folder} has no ONNX file. Export the model first, with Optimum or sentence-transformers.")
    usual = next((name for name in _USUAL if name in names), None)
    if usual is None and len(found) > 1:
        raise UsageError(f"{folder} has several ONNX files: {', '.join(names)}. Choose one with --file.")
    return found[0] if usual is None else folder / usual


def _pooling(folder: Path) -> Pooling | None:
    listed = _read_modules(folder / "modules.json")
    dense = next((each.path for each in listed if each.type.endswith(".Dense")), None)
    if dense is not None:
        raise UsageError(
            f"This model ends in a layer of its own ({dense}), which its ONNX file does not hold. Export it whole, with"
            " the text's vector as output, and leave modules.json out."
        )
    place = next((each.path for each in listed if each.type.endswith(".Pooling")), "1_Pooling")
    found = _read(folder / place / "config.json", _PoolingConfig)
    if found is None:
        return None
    modes: dict[Pooling, bool] = {
        "mean": found.pooling_mode_mean_tokens,
        "first": found.pooling_mode_cls_token,
        "last": found.pooling_mode_lasttoken,
    }
    other = found.pooling_mode_max_tokens or found.pooling_mode_mean_sqrt_len_tokens
    chosen: list[Pooling] = [mode for mode, is_on in modes.items() if is_on]
    if len(chosen) != 1 or other or found.pooling_mode_weightedmean_tokens:
        raise UsageError(f"{folder / place / 'config.json'} asks for a pooling other than mean, first or last token.")
    return chosen[0]


def _max_tokens(folder: Path) -> int | None:
    for name in ("sentence_bert_config.json", "tokenizer_config.json"):
        found = _read(folder / name, _Window)
        said = None if found is None else found.max_seq_length or found.model_max_length
        if said and said >= 1:
            return int(min(said, LONGEST_WINDOW))
    return None


def _prompt(prompts: dict[str, str], names: tuple[str, ...]) -> str:
    return next((prompts[name] for name in names if name in prompts), "")


def _read_modules(path: Path) -> tuple[_Module, ...]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[_Module, ...])
    except FileNotFoundError:
        return ()
    except msgspec.MsgspecError as error:
        raise _unreadable(path, error) from None


def _read(path: Path, kind: type[T]) -> T | None:
    """What a file says; None where there is none. Raises UsageError for one that can't be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> UsageError:
    return UsageError(f"{path} can't be read: {error}. Export the model again.")


Embed = Callable[[Sequence[str], str], Vectors]
"""Texts and the prefix before each to L2-normalised vectors, a row a text."""
_LEAST_RIGHT = 3  # of the four of a language: by chance, one
_LEAST_SHARE = 0.25  # of the margin in the language that it tells apart best: what is less is chance
_LEAST_MARGIN = 0.02  # by which an answer is nearer than the others, in the mean
_PREFIX_COST = 0.75  # share of the margin that the right prefixes leave at least


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What the check found. problem: why the model can't be used, as a sentence; "" where it can."""

    languages: tuple[str, ...]  # those whose questions find their answers
    margin: float  # by how much an answer is nearer than the others, over those languages
    problem: str = ""


def check(embed: Embed, query_prefix: str, passage_prefix: str) -> ModelCheck:
    """Ask every question among the answers of its language. Raises what `embed` raises."""
    found = _asked(embed, query_prefix, passage_prefix)
    if not found.languages:
        said = "The model tells nothing apart: of the built-in questions hardly one finds its answer."
        return ModelCheck((), found.margin, f"{said} Is the pooling right, and are these the right prefixes?")
    if found.margin < _LEAST_MARGIN:
        said = "To this model all texts are nearly alike: an answer is hardly nearer than any other text."
        return ModelCheck(found.languages, found.margin, f"{said} Is the pooling right?")
    if query_prefix or passage_prefix:
        without = _asked(embed, "", "")
        worse = len(found.languages) < len(without.languages) or found.margin < _PREFIX_COST * without.margin
        if worse:
            said = "With these prefixes the model tells texts apart less well than without any"
            return ModelCheck(found.languages, found.margin, f"{said}. Look up what its makers say of them.")
    return found


def _asked(embed: Embed, query_prefix: str, passage_prefix: str) -> ModelCheck:
    right: dict[str, int] = {}
    margins: dict[str, float] = {}
    for language, pairs in PAIRS.items():
        likeness = (
            embed([asked for asked, _ in pairs], query_prefix) @ embed([said for _, said in pairs], passage_prefix).T
        )
        right[language] = int((likeness.argmax(axis=1) == np.arange(len(pairs))).sum())
        others = float((likeness.sum() - likeness.trace()) / (likeness.size - len(pairs)))
        margins[language] = float(likeness.diagonal().mean()) - others
    least = max(max(margins.values()) * _LEAST_SHARE, 0.0)
    languages = [each for each in PAIRS if right[each] >= _LEAST_RIGHT and margins[each] > least]
    return ModelCheck(tuple(languages), float(np.mean([margins[each] for each in languages or PAIRS])))


@dataclass(frozen=True, slots=True)
class ModelOverrides:
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


def add_model(folder: Path, cache: Path, said: ModelOverrides, questions: Questions) -> tuple[Installed, ModelCheck]:
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
            tried=tuple(PAIRS),
        )
        write_record(installed, cache)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return installed, checked


def _free_name(name: str, cache: Path) -> str:
    record = record_path(cache, name)
    known = {BUNDLED_NAME, *packaged(), *(each.name.lower() for each in available())}
    if name.lower() in known:
        raise UsageError(f"{name} is the name of another model. Choose one with --name.")
    if record.exists():
        raise UsageError(f"There is a model {name} already. Choose another name with --name, or remove that one first.")
    return name


def _use(found: ModelFolder, said: ModelOverrides, questions: Questions) -> _Use:
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


def _tried(onnx: Path, use: _Use) -> tuple[int, ModelCheck]:
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
