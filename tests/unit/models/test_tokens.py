"""Counting by the word must give what the tokenizer gives, whatever the text."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter

LIBRARY = Tokenizer.from_file(str((BUNDLED.path or Path()) / "tokenizer.json"))
LIBRARY.no_truncation()
LIBRARY.no_padding()
COUNTER = TokenCounter(BUNDLED)

ODD = {
    "nothing": "",
    "spaces": " \t\r\n ",
    "other-spaces": "a\u00a0b\u3000c\u2028d\u1680e\u200be\ufefff",
    "controls-join-words": "pay\x00ment pay\x0bment pay\x0cment pay\x1cment pay\x7fment pay\x85ment",
    "punctuation": "don't (stop): a_b-c/d\\e `f` ~g^ $5 <h> |i| {j} = + @k #l",
    "case": "NASA Straße ΟΔΥΣΣΕΥΣ İstanbul ǅ",
    "accents": "Café cafe\u0301 naïve ﬁ Å ≠ \u037e x\u0301y",
    "lone-accents": "\u0301 a \u0301",
    "ideographs": "水田边的白鹭、静静地等待。abc白鹭def",
    "late-ideographs": "\u9fa6\u9fff\u4db6\u4dbf\U0002b820\U0002ceb0\uf900\U0002f800",
    "kana-and-hangul": "ひらがなカタカナ 한국어 문장",
    "emoji": "🙂🌧️👩‍👩‍👧‍👦 ok 🇩🇪",
    "special-tokens": "[CLS] a [SEP]b[MASK] [PAD] [UNK] [cls] [Foo] [[MASK]]",
    "special-token-cut-by-a-control": "[C\x00LS] [MA\x0bSK]",
    "endless-word": "a" * 101 + " " + "b" * 100 + " " + "9" * 5000,
    "unknown": "\u2e80 \U000e0001 \ue000 \ufffd",
    "lone-surrogate": "half \ud83d an emoji",
    "right-to-left": "שלום עולם مرحبا بالعالم",
    "mathematics": "E = mc², ∑ᵢ xᵢ² ≤ ε, 𝔸𝕓𝕔 ½",
}
PIECES = st.sampled_from([*ODD.values(), "heron", " ", "，", "\u0301", "é", "[", "]", "MASK", "\x1f", "\u2009", "𝒳"])
TEXTS = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=8).map("".join))


def library_count(text: str) -> int:
    return len(LIBRARY.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids)


def test_odd_text_is_counted_as_the_tokenizer_counts_it() -> None:
    counts = dict(zip(ODD, COUNTER.count_many(list(ODD.values())), strict=True))
    assert counts == {name: library_count(text) for name, text in ODD.items()}


@given(st.lists(TEXTS, max_size=5))
def test_any_text_is_counted_as_the_tokenizer_counts_it(texts: list[str]) -> None:
    assert COUNTER.count_many(texts) == [library_count(text) for text in texts]


@given(st.characters())
def test_any_character_within_a_word_is_counted_as_the_tokenizer_counts_it(character: str) -> None:
    text = f"ab{character}cd {character} {character}{character}"
    assert COUNTER.count_many([text]) == [library_count(text)]


def test_counts_stay_right_when_words_are_forgotten() -> None:
    counter = TokenCounter(BUNDLED)
    texts = [" ".join(f"w{number}x{batch}" for number in range(10_000)) for batch in range(8)]
    once = [counter.count_many([text])[0] for text in texts]
    again = [counter.count_many([text])[0] for text in texts]
    assert once == again
    assert once[0] == library_count(texts[0])


def test_another_make_of_tokenizer_is_asked_itself(tmp_path: Path) -> None:
    plain = Tokenizer(models.WordLevel({"heron": 0, "Heron": 1, "?": 2}, unk_token="?"))
    plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    cased = Tokenizer(models.WordPiece({"He": 0, "##ron": 1, "heron": 2, "[UNK]": 3}, unk_token="[UNK]"))
    cased.normalizer, cased.pre_tokenizer = (
        normalizers.BertNormalizer(lowercase=False),
        pre_tokenizers.BertPreTokenizer(),
    )
    counts: list[list[int]] = []
    for name, tokenizer in (("plain", plain), ("cased", cased)):
        (tmp_path / name).mkdir()
        tokenizer.save(str(tmp_path / name / "tokenizer.json"))
        counts.append(TokenCounter(replace(BUNDLED, path=tmp_path / name)).count_many(["Heron heron", "水田边"]))
    assert counts == [[2, 1], [3, 3]]  # the bundled model's makes it [2, 3]


def test_a_model_without_a_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"tokenizer\.json"):
        TokenCounter(replace(BUNDLED, path=tmp_path))
