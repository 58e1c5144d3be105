import unicodedata

import pytest

from scrubjay.daemon.vault.language import language_of

PROSE = {
    "de": "Der Haubentaucher brütet am Ufer des Sees und baut sein Nest aus Schilf. Im Winter zieht er an eisfreie "
    "Gewässer, wo er nach kleinen Fischen taucht und oft lange unter Wasser bleibt, ehe er wieder erscheint.",
    "en": "The grebe breeds on the shore of the lake and builds its nest from reeds. In winter it moves to open water, "
    "where it dives for small fish and often stays below for a long time before it comes up again.",
    "fr": "Le grèbe niche au bord du lac et construit son nid avec des roseaux. En hiver, il gagne des eaux libres de "
    "glace, où il plonge pour attraper de petits poissons et reste souvent longtemps sous la surface.",
    "es": "El somormujo anida a la orilla del lago y construye su nido con juncos. En invierno se va a aguas sin "
    "hielo, donde se zambulle para pescar peces pequeños y a menudo permanece mucho tiempo bajo la superficie.",
    # by its spelling alone
    "cy": "Mae'r gwyach yn bridio ar lan y llyn ac yn adeiladu ei nyth o gyrs. Yn y gaeaf mae'n symud i ddŵr agored, "
    "lle mae'n plymio am bysgod bach ac yn aml yn aros o dan yr wyneb am amser hir.",
    "et": "Pütt pesitseb järve kaldal ja ehitab oma pesa pilliroost. Talvel liigub ta lahtisele veele, kus ta sukeldub "
    "väikeste kalade järele ja jääb sageli pikaks ajaks vee alla, enne kui ta jälle ilmub.",
    "ru": "Чомга гнездится на берегу озера.",
    "zh": "凤头䴙䴘在湖边繁殖，用芦苇筑巢。",
    "ja": "カンムリカイツブリは湖のほとりで繁殖します。",
}
CODE = "```python\n" + "for number in range(10):\n    print(number)\n" * 20 + "```\n"


@pytest.mark.parametrize(("language", "text"), PROSE.items())
def test_prose_is_known_by_its_language(language: str, text: str) -> None:
    assert language_of(text) == language
    assert language_of(f"# Heading\n\n{CODE}\n{text}\n\n{CODE}") in (language, "")


def test_code_does_not_hide_the_language_of_the_prose_around_it() -> None:
    assert language_of(f"{PROSE['de']}\n\n{CODE}") == "de"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Haubentaucher",
        "Der Haubentaucher brütet.",
        CODE,
        "https://example.org/eine/lange/adresse " * 20,
        "1 2 3 " * 99,
    ],
)
def test_what_is_too_little_to_tell_stays_unknown(text: str) -> None:
    assert language_of(text) == ""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Weizenmehl, Butter und Eier fehlen noch."),
        ("fi", "Tarvitaan maitoa, munia ja jauhoja."),
        ("fr", "La chaudière a coûté 18 400 euros."),
        ("nl", "De verhuurster laat de keukenkraan in de slaapkamer maken."),
        ("pl", "Trzeba kupić chleb i mąkę."),
        ("sv", "På lördagen gick vi i fjällen och sov vid sjön."),
        ("tr", "Süt, yumurta ve iki kilo elma alınacak."),
        ("vi", "Con mèo ngủ trên giá sách."),
        ("en", "We need milk, eggs and two kilos of apples."),
    ],
)
def test_a_few_words_tell_their_language(language: str, text: str) -> None:
    assert language_of(text) == language
    assert language_of(unicodedata.normalize("NFD", text)) == language


@pytest.mark.parametrize(
    "text", ["server backup nightly cron", "TODO: merge main, tag v1.2", "Lorem 42 ipsum / foo bar baz"]
)
def test_a_few_words_of_no_clear_language_are_in_none(text: str) -> None:
    assert language_of(text) == ""
