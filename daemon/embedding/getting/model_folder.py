"""What a folder with a model says about how it is to be used, as Optimum and sentence-transformers export it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from scrubjay.daemon.embedding.onnx_model import TOKENIZER
from scrubjay.daemon.embedding.protocol import Pooling
from scrubjay.daemon.errors import UsageError

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
