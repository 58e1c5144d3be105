"""Whether a model tells sentences apart: the check that every model passes before it may be used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.profiles.database.rows import Vectors

Embed = Callable[[Sequence[str], str], Vectors]
"""Texts and the prefix before each to L2-normalised vectors, a row a text."""

PAIRS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (
            "How do I bake bread at home?",
            "Knead flour, water and yeast, let the dough rise and bake it in an oven.",
        ),
        ("The dog is ill, who can help?", "A vet treats animals: she examined our puppy and gave it medicine."),
        ("When does the next train leave?", "The timetable at the station shows the departures of the railway."),
        ("What is on my bank account?", "The money was transferred, and the balance of the account is positive."),
    ),
    "de": (
        (
            "Wie backe ich zu Hause Brot?",
            "Mehl, Wasser und Hefe kneten, den Teig gehen lassen und im Ofen backen.",
        ),
        ("Der Hund ist krank, wer kann helfen?", "Eine Tierärztin behandelt Tiere: Sie gab unserem Welpen Medizin."),
        ("Wann fährt der nächste Zug?", "Der Fahrplan am Bahnhof zeigt die Abfahrten der Eisenbahn."),
        ("Was ist auf meinem Konto?", "Das Geld wurde überwiesen, der Kontostand bei der Bank ist positiv."),
    ),
    "fr": (
        (
            "Comment faire du pain à la maison ?",
            "Pétrir farine, eau et levure, laisser lever la pâte, cuire au four.",
        ),
        (
            "Le chien est malade, qui peut aider ?",
            "La vétérinaire soigne les animaux : elle a soigné notre chiot.",
        ),
        ("Quand part le prochain train ?", "L'horaire à la gare montre les départs du chemin de fer."),
        ("Qu'y a-t-il sur mon compte bancaire ?", "L'argent a été viré à la banque, le solde du compte est positif."),
    ),
    "es": (
        ("¿Cómo hago pan en casa?", "Amasar harina, agua y levadura, dejar crecer la masa y meterla en el horno."),
        ("El perro está enfermo, ¿quién puede ayudar?", "La veterinaria cura animales: dio medicina al cachorro."),
        ("¿Cuándo sale el próximo tren?", "El horario de la estación muestra las salidas del ferrocarril."),
        ("¿Qué hay en mi cuenta bancaria?", "El dinero fue transferido al banco y el saldo de la cuenta es positivo."),
    ),
    "ru": (
        ("Как испечь хлеб дома?", "Замесить муку, воду и дрожжи, дать тесту подняться и поставить в горячую печь."),
        ("Собака больна, кто поможет?", "Ветеринар лечит животных: она дала нашему щенку лекарство."),
        ("Когда отправляется следующий поезд?", "Расписание на вокзале показывает отправления железной дороги."),
        ("Что у меня на банковском счёте?", "Деньги переведены в банк, остаток на счёте положительный."),
    ),
    "zh": (
        ("怎样在家里烤面包？", "把面粉、水和酵母揉成面团，发酵以后放进热烤箱。"),
        ("狗生病了，谁能帮忙？", "兽医给动物看病，她给我们的小狗开了药。"),
        ("下一班火车什么时候开？", "车站的时刻表显示铁路列车的出发时间。"),
        ("我的银行账户里有多少钱？", "钱已经转账到银行，账户余额是正数。"),
    ),
    "ja": (
        (
            "家でパンを焼くにはどうすればいいですか。",
            "小麦粉と水とイーストをこね、生地を発酵させて焼きます。",
        ),
        ("犬が病気です。誰が助けてくれますか。", "獣医は動物を診て、うちの子犬に薬をくれました。"),
        ("次の電車は何時に出ますか。", "駅の時刻表には鉄道の列車の出発が載っています。"),
        ("銀行口座にいくらありますか。", "お金は銀行に振り込まれ、口座の残高はプラスです。"),
    ),
}
"""By language, ISO 639-1: what somebody asks, and what answers it alone of its language."""

_LEAST_RIGHT = 3  # of the four of a language: by chance, one
_LEAST_MARGIN = 0.02  # by which an answer is nearer than the others, in the mean
_PREFIX_COST = 0.75  # share of the margin that the right prefixes leave at least


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check found. problem: why the model can't be used, as a sentence; "" where it can."""

    languages: tuple[str, ...]  # those whose questions find their answers
    margin: float  # by how much an answer is nearer than the others, over those languages
    problem: str = ""


def check(embed: Embed, query_prefix: str, passage_prefix: str) -> Checked:
    """Ask every question among the answers of its language. Raises what `embed` raises."""
    found = _asked(embed, query_prefix, passage_prefix)
    if not found.languages:
        said = "The model tells nothing apart: of the built-in questions hardly one finds its answer."
        return Checked((), found.margin, f"{said} Is the pooling right, and are these the right prefixes?")
    if found.margin < _LEAST_MARGIN:
        said = "To this model all texts are nearly alike: an answer is hardly nearer than any other text."
        return Checked(found.languages, found.margin, f"{said} Is the pooling right?")
    if query_prefix or passage_prefix:
        without = _asked(embed, "", "")
        worse = len(found.languages) < len(without.languages) or found.margin < _PREFIX_COST * without.margin
        if worse:
            said = "With these prefixes the model tells texts apart less well than without any"
            return Checked(found.languages, found.margin, f"{said}. Look up what its makers say of them.")
    return found


def _asked(embed: Embed, query_prefix: str, passage_prefix: str) -> Checked:
    languages: list[str] = []
    margins: list[float] = []
    every: list[float] = []
    for language, pairs in PAIRS.items():
        likeness = (
            embed([asked for asked, _ in pairs], query_prefix) @ embed([said for _, said in pairs], passage_prefix).T
        )
        right = int((likeness.argmax(axis=1) == np.arange(len(pairs))).sum())
        own = float(likeness.diagonal().mean())
        margin = own - float((likeness.sum() - likeness.trace()) / (likeness.size - len(pairs)))
        every.append(margin)
        if right >= _LEAST_RIGHT and margin > 0:
            languages.append(language)
            margins.append(margin)
    return Checked(tuple(languages), float(np.mean(margins or every)))
