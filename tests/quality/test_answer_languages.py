"""Quotations in many languages, as programs write them down: in every dress the true are told from the altered."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from scrubjay.daemon.answers.checked_answer import AnswerCheck
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.integration.server.house import note

FOLDER = VaultFolder(id="a" * 8, root="/nowhere", name="notes")
PROFILE = Profile(id="0" * 12, name="p", colour="#000000", vaults=(FOLDER,))
ANSWERS = 200


@dataclass(frozen=True)
class Sentence:
    """What a note says, and the same with a word, a number and a negation changed."""

    true: str
    altered: tuple[str, ...]
    is_unspaced: bool = False


SENTENCES: Mapping[str, Sentence] = {
    "en": Sentence(
        "The lease of the boathouse ends on 14 March 2031 and is not renewed by itself.",
        (
            "The lease of the boathouse ends on 15 March 2031 and is not renewed by itself.",
            "The lease of the boathouse ends on 14 March 2031 and is renewed by itself.",
            "The lease of the bathhouse ends on 14 March 2031 and is not renewed by itself.",
        ),
    ),
    "de": Sentence(
        "Die Pumpe läuft höchstens 45 Minuten, danach darf sie nicht sofort wieder starten.",
        (
            "Die Pumpe läuft höchstens 54 Minuten, danach darf sie nicht sofort wieder starten.",
            "Die Pumpe läuft höchstens 45 Minuten, danach darf sie sofort wieder starten.",
            "Die Pumpe läuft mindestens 45 Minuten, danach darf sie nicht sofort wieder starten.",
        ),
    ),
    "fr": Sentence(
        "Le moulin n’ouvre pas avant 9 heures, même en été, sauf pour les écoles du village.",
        (
            "Le moulin n’ouvre pas avant 8 heures, même en été, sauf pour les écoles du village.",
            "Le moulin ouvre avant 9 heures, même en été, sauf pour les écoles du village.",
            "Le moulin n’ouvre pas avant 9 heures, même en été, sauf pour les écoles de la ville.",
        ),
    ),
    "es": Sentence(
        "La cerca mide 128 metros y nunca se pinta antes de la lluvia de octubre.",
        (
            "La cerca mide 182 metros y nunca se pinta antes de la lluvia de octubre.",
            "La cerca mide 128 metros y se pinta antes de la lluvia de octubre.",
            "La cerca mide 128 metros y nunca se pinta antes de la lluvia de agosto.",
        ),
    ),
    "ru": Sentence(
        "Мост закрывают 17 ноября и не открывают до самого конца апреля.",
        (
            "Мост закрывают 18 ноября и не открывают до самого конца апреля.",
            "Мост закрывают 17 ноября и открывают до самого конца апреля.",
            "Порт закрывают 17 ноября и не открывают до самого конца апреля.",
        ),
    ),
    "el": Sentence(
        "Η γέφυρα κλείνει στις 17 Νοεμβρίου και δεν ανοίγει πριν από τον Απρίλιο.",
        (
            "Η γέφυρα κλείνει στις 19 Νοεμβρίου και δεν ανοίγει πριν από τον Απρίλιο.",
            "Η γέφυρα κλείνει στις 17 Νοεμβρίου και ανοίγει πριν από τον Απρίλιο.",
            "Η γέφυρα κλείνει στις 17 Νοεμβρίου και δεν ανοίγει πριν από τον Μάιο.",
        ),
    ),
    "ko": Sentence(
        "다리는 11월 17일에 닫히고 이듬해 4월까지 열리지 않습니다.",
        (
            "다리는 11월 18일에 닫히고 이듬해 4월까지 열리지 않습니다.",
            "다리는 11월 17일에 닫히고 이듬해 4월까지 열립니다.",
            "항구는 11월 17일에 닫히고 이듬해 4월까지 열리지 않습니다.",
        ),
    ),
    "zh": Sentence(
        "水泵最多运行四十五分钟，之后不能立即重新启动，要等它冷却。",
        (
            "水泵最多运行五十五分钟，之后不能立即重新启动，要等它冷却。",
            "水泵最多运行四十五分钟，之后能立即重新启动，要等它冷却。",
            "风扇最多运行四十五分钟，之后不能立即重新启动，要等它冷却。",
        ),
        is_unspaced=True,
    ),
    "ja": Sentence(
        "この橋は毎年11月17日に閉まり、翌年の四月まで開きません。",
        (
            "この橋は毎年11月18日に閉まり、翌年の四月まで開きません。",
            "この橋は毎年11月17日に閉まり、翌年の四月まで開きます。",
            "この港は毎年11月17日に閉まり、翌年の四月まで開きません。",
        ),
        is_unspaced=True,
    ),
}

MARKS = (
    "“{}”", "”{}”", '"{}"', "„{}“", "„{}”", "«{}»", "« {} »", "»{}«", "‹{}›", "‘{}’", "「{}」", "『{}』", "＂{}＂",
    "\n\n> {}\n\n", "\n\n- “{}”", "\n\n1. «{}»", "\n\n> - {}\n\n", "\n\n* [ ] “{}”", "**“{}”**", "*«{}»*",
)  # fmt: skip


def wrapped(text: str, by: str) -> str:
    """Broken into short lines, at blanks where there are any."""
    if " " not in text:
        return by.join(text[at : at + 9] for at in range(0, len(text), 9))
    words = text.split(" ")
    return by.join(" ".join(words[at : at + 3]) for at in range(0, len(words), 3))


DRESSES: Mapping[str, Callable[[Sentence, str, str], str]] = {
    "plain": lambda _, text, __: text,
    "upper case": lambda _, text, __: text.upper(),
    "blanks": lambda _, text, __: text.replace(" ", " \u00a0 "),
    "wrapped": lambda _, text, mark: wrapped(text, "\n> " if ">" in mark else "\n"),
    "bold": lambda _, text, __: f"**{text[:8]}**{text[8:]}" if " " not in text else text.replace(" ", " **", 1) + "**",
    "a link": lambda _, text, __: text.replace(head := text.split(" ")[0], f"[{head}](https://example.org/a_b)", 1),
    "code": lambda _, text, __: text.replace(text.split(" ")[-1], f"`{text.split(' ')[-1]}`"),
    "wide digits": lambda _, text, __: text.translate({ord("0") + n: 0xFF10 + n for n in range(10)}),
    "ellipses around": lambda _, text, __: f"… {text} [...]",
    "soft hyphens": lambda _, text, __: f"{text[:6]}\u00ad{text[6:]}",
    "without the full stop": lambda _, text, __: text.rstrip(".。"),
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = FileStore.open(tmp_path_factory.mktemp("languages") / "index.sqlite3")
    with made.writing() as writer:
        for language, sentence in SENTENCES.items():
            writer.put_note(note(FOLDER, f"{language}.md", f"# {language}\n\nA beginning. {sentence.true} An end.\n"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def ids(store: Store) -> Mapping[str, str]:
    return {
        each.path.removesuffix(".md"): next(iter(store.note_digests(each.note_id))).hex()[:12]
        for each in store.read(reads.recent)
    }


def verdict(store: Store, answer: str) -> list[str]:
    return [each.verdict for each in AnswerCheck({"p": store}, [PROFILE], answer).reply().quotes]


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("dress", DRESSES)
def test_in_every_dress_and_between_any_marks_the_true_is_true_and_the_altered_is_not(
    store: Store, ids: Mapping[str, str], language: str, dress: str
) -> None:
    sentence, id = SENTENCES[language], ids[language]
    other = next(each for name, each in ids.items() if name != language)
    wrong: list[str] = []
    dressed = DRESSES[dress]
    for mark in MARKS if dress == "plain" else MARKS[list(DRESSES).index(dress) % 5 :: 5]:
        said = mark.format(dressed(sentence, sentence.true, mark))
        if (found := verdict(store, f"The note says {said} [#{id}].")) != ["verified"]:
            wrong.append(f"true, but {found}: {said}")
        if verdict(store, f"The note says {said} [#{other}].") == ["verified"]:
            wrong.append(f"of another note: {said}")
        for altered in sentence.altered:
            said = mark.format(dressed(sentence, altered, mark))
            if len(found := verdict(store, f"The note says {said} [#{id}].")) != 1 or found == ["verified"]:
                wrong.append(f"altered, but {found}: {said}")
    assert wrong == []


def test_what_an_ellipsis_leaves_out_is_no_difference_but_a_negation_is(store: Store, ids: Mapping[str, str]) -> None:
    for language, true, false in (
        ("en", "The lease of the boathouse … is not renewed by itself.", "on 14 March 2031 and is … renewed by itself"),
        ("de", "Die Pumpe läuft höchstens 45 Minuten [...] sofort wieder starten", "danach darf sie … sofort wieder"),
        ("ru", "Мост закрывают (…) до самого конца апреля", "Мост закрывают 17 ноября и … открывают до самого"),
        ("zh", "水泵最多运行四十五分钟……要等它冷却", "之后……能立即重新启动，要等它冷却"),
    ):
        assert verdict(store, f"“{true}” [#{ids[language]}]") == ["verified"], true
        assert verdict(store, f"“{false}” [#{ids[language]}]") != ["verified"], false


def test_of_two_hundred_answers_in_several_languages_exactly_the_altered_quotations_are_flagged(
    store: Store, ids: Mapping[str, str]
) -> None:
    luck = random.Random(11)
    for _ in range(ANSWERS):
        lines: list[str] = []
        expected: list[bool] = []
        for language in luck.sample(list(SENTENCES), luck.randint(1, 6)):
            sentence, id = SENTENCES[language], ids[language]
            text, mark, is_true = sentence.true, luck.choice(MARKS), luck.random() >= 1 / 3
            if not is_true and luck.random() < 1 / 4:
                id = luck.choice([each for name, each in ids.items() if name != language])
            elif not is_true:
                text = luck.choice(sentence.altered)
            lines.append(mark.format(luck.choice(list(DRESSES.values()))(sentence, text, mark)) + f" [#{id}]")
            expected.append(is_true)
        found = verdict(store, "\n\n".join(lines))
        assert [each == "verified" for each in found] == expected, "\n\n".join(lines)
