"""Which models there are: the bundled one, those of packages, and those that the user had downloaded or added."""

import contextlib
import hashlib
import importlib.util
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import entry_points
from pathlib import Path

import msgspec
import numpy as np

from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbeddingModel, Pooling
from scrubjay.profiles.store.rows import Vector, Vectors

_ENGLISH = re.compile(r"-en\b|all-minilm")  # how fastembed's list calls models trained on English alone
_LONGEST_NAME_BYTES = 120  # every file system takes names twice as long, as those with "--" for "/" may be
_BUNDLED_FOLDER = Path(__file__).parent / "bundled"
BUNDLED_NAME = "bundled"
"""What a profile calls the model in the package."""
PACKAGED = "scrubjay.models"
"""The group of entry points by which packages that bring a model name their folder; it has _RECORD and the files."""
_RECORD = "model.json"


class ModelNotAvailable(Unavailable):
    """The model is not on this machine, or could not be fetched."""

    code = "model-not-available"


class Installed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a downloaded or added model, a JSON file beside its folder: what is needed without loading it."""

    name: str  # as fastembed knows it, or as its user called it
    dim: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str
    sha256: str  # of the ONNX file; of an added model, of all files together
    folder: str  # relative to the record; "." of one that a package brings
    revision: str = ""  # of the hub's repository; "" where it came from elsewhere
    files: dict[str, str] = {}  # SHA-256 of every file, by its path below `folder`
    pooling: Pooling | None = None  # where the user added it from a folder; None: downloaded
    languages: tuple[str, ...] = ()  # ISO 639-1: those in which it was seen to tell texts apart when it was added
    tried: tuple[str, ...] = ()  # those that it was tried on; (): not known

    @property
    def remedy(self) -> str:
        """What to do where its files are damaged, as a sentence."""
        if self.folder == ".":
            return "Install the package that brings it again."
        again = f"download {self.name}" if self.pooling is None else f"add FOLDER --name {self.name}"
        return f"Remove the model (scrubjay model remove {self.name}), then: scrubjay model {again}"


def fingerprint(name: str, sha256: str, max_tokens: int, query_prefix: str, passage_prefix: str) -> str:
    """32 hex digits that change whenever a text's vector may: other weights, other window, other prefix."""
    parts = (name, sha256, str(max_tokens), query_prefix, passage_prefix)
    return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def resolve(name: str, cache: Path) -> EmbeddingModel:
    """The model called `name`: "bundled", one below the folder `cache`, or one that a package brings.

    Never downloads. Raises ModelNotAvailable where the model is not there.
    """
    if name == BUNDLED_NAME:
        return BUNDLED
    record, folder = record_path(cache, name), cache
    if not record.exists() and (brought := packaged().get(name.lower())):
        record, folder = brought / _RECORD, brought
    try:
        installed = msgspec.json.decode(record.read_bytes(), type=Installed)
        _check_files(installed, folder)
        return spec_of(installed, folder)
    except FileNotFoundError:
        raise ModelNotAvailable(
            f"The model {name} is not on this machine. Download it first: scrubjay model download {name}"
        ) from None
    except (msgspec.MsgspecError, OSError):
        raise ModelNotAvailable(
            f"{record.name} in {cache} is damaged or can't be read. "
            f"Download the model again: scrubjay model download {name}"
        ) from None


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, by its path there."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): _digest(file) for file in files}


def _check_files(installed: Installed, cache: Path) -> None:
    """Raises ModelNotAvailable where a file is not what was downloaded: what a model says could be anything then."""
    folder = cache / installed.folder
    for name, expected in installed.files.items():
        file = folder / name
        try:
            stat = file.stat()
            is_same = _digest_of(file, stat.st_mtime_ns, stat.st_size) == expected
        except OSError:
            is_same = False
        if not is_same:
            raise ModelNotAvailable(
                f"The file {name} of the model {installed.name} is not what was put there. {installed.remedy}"
            )


@lru_cache(maxsize=256)
def _digest_of(file: Path, mtime_ns: int, size: int) -> str:
    """The digest of a file as it was at that time; read once as long as it stays so."""
    del mtime_ns, size
    return _digest(file)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def spec_of(installed: Installed, cache: Path) -> EmbeddingModel:
    """The model that a record below the folder `cache` describes."""
    prefixes = (installed.query_prefix, installed.passage_prefix)
    name = installed.name if installed.pooling is None else f"{installed.name} {installed.pooling}"
    reads_unspaced = not _ENGLISH.search(installed.name.lower())
    if installed.pooling is not None:
        reads_unspaced = not {"zh", "ja"}.isdisjoint(installed.languages)
    return EmbeddingModel(
        installed.name,
        installed.dim,
        installed.max_tokens,
        fingerprint(name, installed.sha256, installed.max_tokens, *prefixes),
        *prefixes,
        reads_unspaced=reads_unspaced,
        pooling=installed.pooling,
        path=cache / installed.folder,
        languages=installed.languages or ("en",),
        unread=tuple(each for each in installed.tried if each not in installed.languages),
    )


def downloaded(cache: Path) -> tuple[Installed, ...]:
    """The models that `download.fetch` has put below the folder `cache`, by name; damaged records are passed over."""
    found: list[Installed] = []
    for record in cache.glob("*.json"):
        with contextlib.suppress(msgspec.MsgspecError, OSError):
            found.append(msgspec.json.decode(record.read_bytes(), type=Installed))
    return tuple(sorted(found, key=lambda model: model.name.lower()))


def packaged() -> dict[str, Path]:
    """The folders of the models that packages bring, by name in lower case. No code of theirs is run."""
    found: dict[str, Path] = {}
    for each in entry_points(group=PACKAGED):
        with contextlib.suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(each.module)
            found |= {each.name.lower(): Path(place) for place in (spec and spec.submodule_search_locations) or ()}
    return found


def here(cache: Path) -> tuple[tuple[Installed, Path], ...]:
    """The models on this machine beside the bundled one, by name, with their folders; damaged records are passed over.

    One below the folder `cache` hides a package's of its name.
    """
    found: dict[str, tuple[Installed, Path]] = {}
    for folder in packaged().values():
        with contextlib.suppress(msgspec.MsgspecError, OSError):
            installed = msgspec.json.decode((folder / _RECORD).read_bytes(), type=Installed)
            found[installed.name.lower()] = (installed, folder)
    found |= {each.name.lower(): (each, cache / each.folder) for each in downloaded(cache)}
    return tuple(found[name] for name in sorted(found))


def is_only_packaged(name: str, cache: Path) -> bool:
    """Whether a package brings the model of a name, and none below the folder `cache` hides it."""
    return name.lower() in packaged() and not record_path(cache, name).exists()


def forget(name: str, cache: Path) -> None:
    """Delete a downloaded model, or what is left of it. Raises ModelNotAvailable where there is none."""
    gone = [model for model in downloaded(cache) if model.name.lower() == name.lower()]
    try:
        record_path(cache, name).unlink()
    except FileNotFoundError:
        raise ModelNotAvailable(
            f"The model {name} is not on this machine. `scrubjay model list` shows those that are."
        ) from None
    kept = {_folder(model) for model in downloaded(cache)}  # variants of a model may come from one repository
    for folder in {_folder(model) for model in gone} - kept:
        shutil.rmtree(cache / folder, ignore_errors=True)


def _folder(model: Installed) -> str:
    """The folder right below the cache that holds all of a model."""
    return Path(model.folder).parts[0]


def record_path(cache: Path, name: str) -> Path:
    """Where the record of a downloaded model lies. Names are compared without case, as fastembed does.

    Raises ModelNotAvailable for what can't be the name of a model.
    """
    if not name.isprintable() or len(name.encode("utf-8", "replace")) > _LONGEST_NAME_BYTES:
        raise ModelNotAvailable("No model can have such a name. `scrubjay model list` shows those that there are.")
    return cache / f"{name.lower().replace('/', '--')}.json"


def write_record(installed: Installed, cache: Path) -> None:
    """Record a downloaded model below the folder `cache`; from now on `resolve` finds it. Raises OSError."""
    write_private(record_path(cache, installed.name), msgspec.json.format(msgspec.json.encode(installed)))


def _bundled() -> EmbeddingModel:
    name, dim, max_tokens = "all-MiniLM-L6-v2-int8", 384, 256
    sums = (_BUNDLED_FOLDER / "SHA256SUMS").read_text(encoding="ascii")
    sha256 = next(line.split()[0] for line in sums.splitlines() if line.endswith("  model.onnx"))
    return EmbeddingModel(
        name,
        dim,
        max_tokens,
        fingerprint(name, sha256, max_tokens, "", ""),
        reads_unspaced=False,
        path=_BUNDLED_FOLDER,
        is_usual=True,
    )


BUNDLED = _bundled()


class AbsentModel:
    """Embedder that embeds nothing and says why: searches go by words until the model is here.

    Notes are cut for the bundled model meanwhile. The fingerprint is one that no model has, so that no vector is ever
    stored or compared under it.
    """

    def __init__(self, name: str, why: str) -> None:
        """name: of the model that is missing. why: a sentence with what to do."""
        self._spec = replace(BUNDLED, fingerprint=f"absent {name.lower()}")
        self._why = why

    @property
    def spec(self) -> EmbeddingModel:
        """The bundled model's measures, under a fingerprint of its own."""
        return self._spec

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Raises ModelNotAvailable for any text."""
        if texts:
            raise ModelNotAvailable(self._why)
        return np.empty((0, self._spec.dim), np.float32)

    def embed_query(self, text: str) -> Vector:
        """Raises ModelNotAvailable."""
        del text
        raise ModelNotAvailable(self._why)

    def send_query(self, text: str) -> Awaited:
        """The function returned raises ModelNotAvailable."""
        return lambda _seconds: self.embed_query(text)

    def warm(self) -> None:
        """There is nothing to load."""

    def forget_texts(self) -> None:
        """There is nothing to forget."""

    def close(self) -> None:
        """There is nothing to release."""
