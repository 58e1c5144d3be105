"""Made-up answers over the sample vault: every altered quotation is flagged, and no true one."""

import random
import re
from collections.abc import Iterator, Sequence

import pytest

from scrubjay.daemon.answers.checked_answer import AnswerCheck
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.search.results.plain_text import plain, sentences
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import VAULT_ID

MARKS = ("“{}”", '"{}"', "«{}»", "„{}“", "\n\n> {}")
FOLDER = VaultFolder(id=VAULT_ID, root="/nowhere", name="sample")
PROFILE = Profile(id="0" * 12, name="sample", colour="#000000", vaults=(FOLDER,))


@pytest.fixture(scope="module")
def quotable(sample_store: Store) -> Sequence[tuple[ChunkView, str]]:
    """Sentences of eight words and more, each of which stands in one note alone, with a passage of that note."""
    return tuple(_quotable(sample_store))


def _quotable(store: Store) -> Iterator[tuple[ChunkView, str]]:
    for note in sorted(store.read(reads.recent), key=lambda note: note.path):
        for chunk in store.read(reads.note_chunks, note.note_id):
            for sentence in sentences(chunk.text):
                if len(sentence.text.split()) >= 8 and not set(sentence.text) & set('|"“”«»„`$[]{}<>'):
                    yield chunk, sentence.text


def altered(sentence: str, luck: random.Random) -> str:
    """One word, number or negation changed."""
    words = sentence.split()
    numbers = [at for at, word in enumerate(words) if re.fullmatch(r"\d+", word)]
    negations = [at for at, word in enumerate(words) if word in ("not", "no", "never") and at > 0]
    way = luck.choice(["word", *(["number"] if numbers else []), *(["negation"] if negations else ["negated"])])
    if way == "number":
        at = luck.choice(numbers)
        words[at] = str(int(words[at]) + 1)
    elif way == "negation":
        del words[luck.choice(negations)]
    else:
        at = luck.randrange(2, len(words) - 2)
        words[at : at + 1] = ["not", words[at]] if way == "negated" else ["quokka"]
    return " ".join(words)


def dressed(sentence: str, luck: random.Random) -> str:
    """As a program might repeat it: other case, blanks, marks, an ellipsis."""
    way = luck.randrange(4)
    if way == 0:
        return sentence.upper()
    if way == 1:
        return sentence.replace(" ", "  ")
    if way == 2:
        return plain(sentence, 0, len(sentence)).text
    words = sentence.split()
    can_do_without = words[3] not in ("not", "no", "never") and sum(map(str.isalpha, "".join(words[:3]))) > 4
    return " ".join((*words[:3], "…", *words[4:])) if can_do_without else sentence


@pytest.mark.parametrize("answers", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_every_alteration_is_flagged_and_no_true_quotation(
    sample_store: Store, quotable: Sequence[tuple[ChunkView, str]], answers: int
) -> None:
    luck = random.Random(7)
    missed: list[str] = []
    wrongly: list[str] = []
    for _ in range(answers):
        lines: list[str] = []
        true: list[bool] = []
        for chunk, sentence in luck.sample(quotable, luck.randint(1, 6)):
            is_true = luck.random() >= 1 / 3
            cited, text = chunk, dressed(sentence, luck)
            if not is_true:
                if luck.random() < 1 / 4:
                    cited = luck.choice([other for other, _ in quotable if other.note_id != chunk.note_id])
                else:
                    text = altered(sentence, luck)
            lines.append(f"The notes say {luck.choice(MARKS).format(text)} [#{cited.digest.hex()[:12]}].")
            true.append(is_true)
        reply = AnswerCheck({"sample": sample_store}, [PROFILE], "\n\n".join(lines)).reply()
        assert len(reply.quotes) == len(true), lines
        for quote, is_true in zip(reply.quotes, true, strict=True):
            if is_true and quote.verdict != "verified":
                wrongly.append(f"{quote.verdict}: {quote.quote}")
            if not is_true and quote.verdict not in ("altered", "not-found"):
                missed.append(f"{quote.verdict}: {quote.quote}")
        assert (reply.status == "verified") is all(true), [
            quote for quote in reply.quotes if quote.verdict != "verified"
        ]
    assert (missed, wrongly) == ([], [])
