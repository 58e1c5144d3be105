"""What questions ask for, in the languages of the interface, and which sentences have that."""

import pytest

from scrubjay.daemon.answers.question import Kind, Question

KINDS: dict[Kind, str] = {
    "person": "who signed it?|wer hat unterschrieben|qui a signé le bail ?|¿quién firmó?|谁签的字？|誰が署名しましたか",
    "place": "where is the key|Wo liegt der Schlüssel?|où est la clé|¿dónde está la llave?|钥匙在哪里|鍵はどこですか",
    "time": "when is it|in which year|Wann beginnt es|à quelle heure|¿cuándo empieza?|什么时候开始|いつ始まりますか",
    "duration": "how long is it|wie lange ist es|combien de temps|¿cuánto tiempo tarda?|要多久|何時間かかりますか",
    "amount": "how many eggs|how deep is it|wie viele Eier|combien d'œufs|¿cuántos huevos?|有多少鸡蛋|卵はいくつですか",
    "path": "which file has it|welche Datei|quel fichier|¿qué archivo?|哪个文件|どのファイルですか",
    "key": "which key saves|welche Taste speichert|quelle touche|¿qué tecla guarda?|哪个键保存|どのキーですか",
    "reason": "why is it shut|warum ist zu|pourquoi est-il là|¿por qué está cerrado?|为什么关门|なぜ閉まっていますか",
    "manner": "how do I save|wie speichere ich|comment enregistrer|¿cómo se guarda?|怎么保存|どうやって保存しますか",
    "yes-no": "is it open?|ist es offen?|est-ce que c'est ouvert|¿está abierto?|开着吗？|開いていますか",
    "thing": "what is it|was ist das|qu'est-ce|¿qué es?|这是什么|これは何ですか|Χωρίς λόγο;",
    "name": "what is the dog called|wie heißt er|quel est le nom|comment s'appelle-t-il|¿cómo se llama?|叫什么",
    "none": "sour dough|notes from last week about sleep|Brot und Salz|红嘴鸥 昆明|渡し船 時刻",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_asks_for_its_kind(kind: Kind) -> None:
    asked = KINDS[kind].split("|")
    assert {text: Question.of(text).kind for text in asked} == dict.fromkeys(asked, kind)


@pytest.mark.parametrize(
    ("question", "has", "has_not"),
    [
        ("who signed on the bonnet?", "It was Mr Rees.", "it was signed in the rain."),
        ("who signed it?", "It was Mr Rees.", "Signed on 14 March."),
        ("what is the dog called?", "Our dog is called Biscuit.", "The dog eats at six."),
        ("Wie heißt die Katze?", "Die Katze heißt Minka.", "die katze schläft viel."),
        ("when does the market begin?", "It begins at 9:00.", "It begins with bread."),
        ("how long may it rest?", "Let it rest for forty minutes.", "Let it rest well."),
        ("how many newts were marked?", "We marked 48 newts.", "We marked 48 toads."),
        ("how much does the plan cost?", "It is £180 a year.", "It is for 10 phones."),
        ("how deep is the lake?", "It is 4.3 m deep.", "It has 3 ducks."),
        ("how much does the corer weigh?", "It is 2.5 kg without the rod.", "Dry it at 105 °C and weigh it twice."),
        ("wie schwer ist ein Kormoran", "Er hat zwei Kilo.", "Er frisst zwei Fische."),
        ("which file has the rows?", "They are in `rejected.csv`.", "They are thrown out."),
        ("why is it closed?", "It is closed because of the frost.", "It is closed today."),
        ("what is Ethereum?", "Ethereum is a virtual machine.", "The Ethereum client."),
        ("wie viele Eier?", "Drei Eier lagen im Nest.", "Drei Federn lagen im Nest."),
        ("何年ですか", "1985年です。", "昔です。"),
    ],
)
def test_a_sentence_fits_that_has_what_is_asked_for(question: str, has: str, has_not: str) -> None:
    asked = Question.of(question)
    assert asked.fit(has, has) > asked.fit(has_not, has_not)


def test_what_was_asked_with_is_no_answer() -> None:
    asked = Question.of("what happened in 2026 and when?")
    assert Question.of("when was the flood of 2026?").fit("", "The flood of 2026.") == 0
    assert asked.kind == "thing"


def test_words_that_only_ask_are_not_looked_for() -> None:
    assert "much" not in Question.of("how much salt is in it?").subject
    assert Question.of("红嘴鸥什么时候飞进昆明").subject.split() == ["红嘴鸥", "飞进昆明"]
    assert Question.of("how many").subject == "how many"
