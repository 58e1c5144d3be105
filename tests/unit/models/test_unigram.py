"""Unigrams are cut as the `tokenizers` library cuts them, whatever the text."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from scrubjay.daemon.models.unigram import UnigramTokenizer

SPACE = "\u2581"
MARKS = ("<s>", "<pad>", "</s>", "<unk>")
LIKELY = ("er", -4.5), ("on", -4.5), ("heron", -13.5), ("ron", -8.0), ("面包", -7.0), ("s>", -9.0)
PIECES: list[tuple[str, float]] = [
    *((mark, 0.0) for mark in MARKS),
    (SPACE, -3.5),
    *((letter, -6.0 - number / 8) for number, letter in enumerate("abcdefghiklnorstuéхлеб面包をカか")),
    *((SPACE + word, -5.5) for word in ("the", "her", "a", "хлеб", "面", "can")),
    *LIKELY,
]
"""Some ways to cut a text are as likely as others."""
OFF = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
ONCE = {"Sequence": {"id": "A", "type_id": 0}}
STEPS = [
    {"type": "Replace", "pattern": {"Regex": "[\u200b\ufeff]"}, "content": ""},
    {"type": "NFKC"},
    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
]
ENDS = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, ONCE, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
    "pair": [ONCE, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {
        token: {"id": token, "ids": [MARKS.index(token)], "tokens": [token]} for token in ("<s>", "</s>")
    },
}
KNOWN: dict[str, Any] = {
    "version": "1.0",
    "added_tokens": [{"id": number, "content": mark, "special": True, **OFF} for number, mark in enumerate(MARKS)],
    "normalizer": {"type": "Sequence", "normalizers": STEPS},
    "pre_tokenizer": {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True},
    "post_processor": ENDS,
    "model": {"type": "Unigram", "unk_id": 3, "vocab": PIECES, "byte_fallback": False},
}
TEXTS = st.one_of(
    st.text(max_size=20),
    st.lists(
        st.sampled_from(["heron", "the", "her", " ", "  ", SPACE, "面包", "хлеб", "ka", "か\u3099", "</s>", "<s", "é"]),
        max_size=10,
    ).map("".join),
)


def library(described: dict[str, Any]) -> Tokenizer:
    found = Tokenizer.from_str(json.dumps(described))
    found.enable_truncation(12)  # pyright: ignore[reportUnknownMemberType]  # bare
    return found


LIBRARY = library(KNOWN)


def read(folder: Path, described: dict[str, Any]) -> UnigramTokenizer | None:
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(described), encoding="utf-8")
    return UnigramTokenizer.read(file)


@pytest.fixture(scope="module")
def unigrams(tmp_path_factory: pytest.TempPathFactory) -> UnigramTokenizer:
    found = read(tmp_path_factory.mktemp("model"), KNOWN)
    assert found is not None
    return found


@given(text=TEXTS)
def test_any_text_is_cut_as_the_library_cuts_it(text: str, unigrams: UnigramTokenizer) -> None:
    found, wanted = unigrams.encode(text, 12), LIBRARY.encode(text)
    assert list(found.ids) == wanted.ids
    assert (found.attention_mask, found.type_ids) == (wanted.attention_mask, wanted.type_ids)
    whole = Tokenizer.from_str(json.dumps(KNOWN)).encode(text, add_special_tokens=False)
    assert unigrams.count(text) == len(whole.ids)


@given(character=st.characters(codec="utf-8"))
def test_any_character_is_cut_as_the_library_cuts_it(character: str, unigrams: UnigramTokenizer) -> None:
    text = f"her{character}on {character} {character}{character}"
    assert list(unigrams.encode(text, 12).ids) == LIBRARY.encode(text).ids


def test_a_word_is_cut_alike_each_time(unigrams: UnigramTokenizer) -> None:
    found = [list(unigrams.encode("heron heron", 12).ids) for _ in range(2)]
    assert found == [LIBRARY.encode("heron heron").ids] * 2


OTHERS: dict[str, dict[str, Any]] = {
    "another kind": {"model": {"type": "WordPiece", "vocab": {"a": 0}}},
    "a step that is not known": {"normalizer": {"type": "Lowercase"}},
    "a step within others": {"normalizer": {"type": "Sequence", "normalizers": [{"type": "StripAccents"}]}},
    "other spaces": {"pre_tokenizer": {**KNOWN["pre_tokenizer"], "prepend_scheme": "first"}},
    "bytes for what is unknown": {"model": {**KNOWN["model"], "byte_fallback": True}},
    "no token for what is unknown": {"model": {**KNOWN["model"], "unk_id": None}},
    "words of the user's own": {"added_tokens": [{**KNOWN["added_tokens"][0], "normalized": True}]},
}


def test_what_it_would_cut_otherwise_is_left_to_the_library(tmp_path: Path) -> None:
    assert [name for name, other in OTHERS.items() if read(tmp_path, {**KNOWN, **other})] == []
