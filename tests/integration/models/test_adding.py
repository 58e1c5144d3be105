"""Adding a model from a folder: what it says of itself is taken over, it is tried, and a broken one is refused."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scrubjay.daemon.models.added_model import ModelOverrides, Questions, add_model
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED, Installed, ModelNotAvailable, downloaded, forget, resolve
from scrubjay.daemon.models.onnx_model import pooled
from scrubjay.daemon.models.self_check import PAIRS
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.meaning.embedder import Pooling
from tests.helpers.onnx_file import DIM, bilingual_words, lookup_model, toy_folder

MEAN = {"pooling_mode_mean_tokens": True, "word_embedding_dimension": DIM}
E5 = {"prompts": {"query": "query: ", "passage": "passage: "}}


def refuse_pooling() -> Pooling:
    raise UsageError("nobody to ask")


ALONE = Questions(refuse_pooling, lambda _: "")


def added(folder: Path, cache: Path, **said: str | int) -> Installed:
    return add_model(folder, cache, ModelOverrides(**said), ALONE)[0]  # type: ignore[arg-type]


def test_a_folder_says_how_its_model_is_used(tmp_path: Path) -> None:
    folder = toy_folder(
        tmp_path / "toy",
        bilingual_words(),
        modules=[{"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}],
        **{"1_Pooling__config": MEAN},
        sentence_bert_config={"max_seq_length": 48},
        config_sentence_transformers=E5,
    )
    installed = added(folder, tmp_path / "models")
    assert (installed.name, installed.dim, installed.max_tokens, installed.pooling) == ("toy", DIM, 48, "mean")
    assert (installed.query_prefix, installed.passage_prefix) == ("query: ", "passage: ")
    assert set(installed.languages) >= {"en", "de", "fr", "es", "ru"}
    assert sorted(installed.files) == ["model.onnx", "tokenizer.json"]
    shutil.rmtree(folder)
    spec = resolve("toy", tmp_path / "models")
    assert (spec.max_tokens, spec.pooling, spec.query_prefix) == (48, "mean", "query: ")
    assert TokenCounter(spec).count_many(["bread at home"]) == [3]
    embedder = InProcessEmbedder(spec)
    (vector,) = embedder.embed_passages(["bread"])
    assert (vector.shape, round(float(np.linalg.norm(vector)), 5)) == ((DIM,), 1.0)
    embedder.close()


def test_a_question_in_another_language_finds_what_a_bilingual_model_knows(tmp_path: Path) -> None:
    """A made model proves the way that a real one takes."""
    words = bilingual_words({"reiher": "heron", "wehr": "weir", "boot": "boat", "цапля": "heron2"})
    added(toy_folder(tmp_path / "toy", words), tmp_path / "models", pooling="mean")
    embedder = InProcessEmbedder(resolve("toy", tmp_path / "models"))
    notes = embedder.embed_passages(["the heron waits at the weir", "a boat with a sail", "heron2"])
    assert int(np.argmax(notes @ embedder.embed_query("Wo ist der Reiher am Wehr"))) == 0
    assert int(np.argmax(notes @ embedder.embed_query("Boot"))) == 1
    assert int(np.argmax(notes @ embedder.embed_query("цапля"))) == 2
    embedder.close()


def test_what_it_was_tried_on_and_does_not_tell_apart_it_does_not_read(tmp_path: Path) -> None:
    words = bilingual_words(languages=("en", "zh"))
    installed = added(toy_folder(tmp_path / "toy", words), tmp_path / "models", pooling="mean")
    spec = resolve("toy", tmp_path / "models")
    assert (installed.languages, len(installed.tried)) == (("en", "zh"), len(PAIRS))
    assert [spec.reads(language) for language in ("en", "zh", "de", "el", "eu")] == [True, True, False, False, True]


@pytest.mark.slow
def test_the_bundled_models_files_are_accepted_as_a_folder(tmp_path: Path) -> None:
    """An eight-bit transformer, whose pooling is not said by its files."""
    folder = BUNDLED.path or Path()
    installed = added(folder, tmp_path / "models", name="mini", pooling="mean", max_tokens=256)
    assert "en" in installed.languages
    mine, bundled = InProcessEmbedder(resolve("mini", tmp_path / "models")), InProcessEmbedder(BUNDLED)
    assert mine.embed_query("a heron at the weir") == pytest.approx(
        bundled.embed_query("a heron at the weir"), abs=1e-5
    )
    assert mine.spec.fingerprint != bundled.spec.fingerprint
    mine.close()
    bundled.close()


def test_each_way_of_using_it_has_a_fingerprint_of_its_own(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy", bilingual_words())
    found: list[str] = []
    usual: dict[str, str | int] = {"pooling": "mean", "max_tokens": 128}
    ways: list[dict[str, str | int]] = [{}, {"max_tokens": 64}, {"query_prefix": "flour "}, {}]
    for changed in ways:
        added(folder, tmp_path / "models", name="toy", **(usual | changed))
        found.append(resolve("toy", tmp_path / "models").fingerprint)
        forget("toy", tmp_path / "models")
    assert found[0] == found[-1]
    assert len(set(found)) == len(ways) - 1


def two_onnx(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "a.onnx")
    shutil.copyfile(folder / "a.onnx", folder / "b.onnx")


def half_a_file(folder: Path) -> None:
    data = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(data[: len(data) // 2])


def no_embedding_model(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(lookup_model(np.ones((9, DIM), np.float32), ("input_ids", "past_key_values.0")))


def tells_nothing_apart(folder: Path) -> None:
    toy_folder(folder, {word: np.ones(DIM, np.float32) for word in bilingual_words()})


def random_words(folder: Path) -> None:
    rng = np.random.default_rng(8)
    toy_folder(folder, {word: rng.standard_normal(DIM).astype(np.float32) for word in ("nothing", "known")})


def nearly_alike(folder: Path) -> None:
    toy_folder(folder, {word: (vector + 60).astype(np.float32) for word, vector in bilingual_words().items()})


def lacking(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def saying(name: str, text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    return write


def untouched(_folder: Path) -> None:
    pass


MAX_POOLING = saying("1_Pooling/config.json", '{"pooling_mode_max_tokens": true}')
A_LAYER = saying("modules.json", '[{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]')


@pytest.mark.parametrize(
    ("breaks", "said", "sentence"),
    [
        (lacking("tokenizer.json"), {}, "has no tokenizer.json"),
        (lacking("model.onnx"), {}, "has no ONNX file"),
        (two_onnx, {}, "several ONNX files: a.onnx, b.onnx"),
        (half_a_file, {}, "can't be run"),
        (saying("tokenizer.json", "{"), {}, "can't be run"),
        (no_embedding_model, {}, "past_key_values"),
        (tells_nothing_apart, {}, "tells nothing apart"),
        (random_words, {}, "tells nothing apart"),
        (nearly_alike, {}, "nearly alike"),
        (A_LAYER, {}, "a layer of its own"),
        (MAX_POOLING, {}, "pooling other than"),
        (saying("sentence_bert_config.json", "max_seq_length: 12"), {}, "sentence_bert_config.json can't be read"),
        (untouched, {"query_prefix": "flour flour flour flour flour flour: "}, "With these prefixes"),
        (untouched, {"pooling": "last"}, "tells nothing apart"),
        (untouched, {"file": "other.onnx"}, "has no ONNX file other.onnx"),
        (untouched, {"pooling": "none"}, "does not fit"),
        (untouched, {"name": "bundled"}, "name of another model"),
        (untouched, {"name": "BAAI/bge-small-en-v1.5"}, "name of another model"),
    ],
)
def test_a_folder_that_can_not_be_used_is_refused_with_a_sentence(
    tmp_path: Path, breaks: Callable[[Path], None], said: dict[str, str], sentence: str
) -> None:
    folder = toy_folder(tmp_path / "toy", bilingual_words())
    breaks(folder)
    with pytest.raises(UsageError, match=sentence):
        added(folder, tmp_path / "models", **({"pooling": "mean"} | said if breaks is not MAX_POOLING else said))
    assert downloaded(tmp_path / "models") == ()
    assert list((tmp_path / "models").glob("*")) == []


def test_a_name_is_given_once_and_what_is_not_said_is_asked(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy", bilingual_words())
    with pytest.raises(UsageError, match="nobody to ask"):
        added(folder, tmp_path / "models")
    questions = Questions(lambda: "mean", lambda what: f"{what}: ")
    installed, _ = add_model(folder, tmp_path / "models", ModelOverrides(), questions)
    assert (installed.pooling, installed.query_prefix, installed.passage_prefix) == ("mean", "query: ", "passage: ")
    with pytest.raises(UsageError, match="There is a model toy already"):
        added(folder, tmp_path / "models", pooling="mean")


def test_a_file_that_was_changed_afterwards_is_noticed(tmp_path: Path) -> None:
    added(toy_folder(tmp_path / "toy", bilingual_words()), tmp_path / "models", pooling="mean")
    spec = resolve("toy", tmp_path / "models")
    assert spec.path is not None
    with (spec.path / "model.onnx").open("ab") as file:
        file.write(b"more")
    with pytest.raises(ModelNotAvailable, match="scrubjay model add FOLDER --name toy"):
        resolve("toy", tmp_path / "models")


@pytest.mark.parametrize(("pooling", "wanted"), [("mean", [3, 4]), ("first", [1, 2]), ("last", [5, 6])])
def test_a_texts_vector_comes_of_its_tokens_as_the_pooling_says(pooling: Pooling, wanted: list[float]) -> None:
    tokens = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    assert pooled(tokens, pooling).tolist() == wanted
    assert pooled(tokens[0], "none").tolist() == [1, 2]


def test_the_built_in_sentences_are_of_many_languages_and_each_is_there_once() -> None:
    assert len(PAIRS) == 31
    texts = [text for pairs in PAIRS.values() for pair in pairs for text in pair]
    assert len(set(texts)) == len(texts) == 31 * 8
