"""A word is found by its other forms, in its own language, and by itself always."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.stems import LANGUAGES, SNOWBALL


def found(text: str, query: str, language: str) -> bool:
    """Whether every word of the query is one that a note in this language holds."""
    terms = set(analysis.terms(text, language))
    others = analysis.stems_of_words(query, [language])
    asked = analysis.query_words(query, (language,))
    return all(not terms.isdisjoint((term, *others.get(word, ()))) for term, word in asked.items())


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("de", "Die Häuser am See", "haus"),
        ("fr", "les chevaux normaux", "normal"),
        ("es", "las informaciones", "información"),
        ("es", "la información", "informacion"),
        ("it", "le stazioni ferroviarie", "stazione"),
        ("pt", "as configurações", "configuração"),
        ("nl", "de huizen", "huizen"),
        ("pl", "pakietów", "pakiety"),
        ("pl", "Łódź", "lodz"),
        ("cs", "městech", "města"),
        ("sv", "bilarna", "bilen"),
        ("da", "bøgerne", "bøger"),
        ("no", "husene", "huset"),
        ("fi", "taloissa", "talossa"),
        ("hu", "házakban", "házak"),
        ("ro", "pachetele", "pachetul"),
        ("ru", "управление пакетами", "пакет управления"),
        ("ru", "Ёлка", "елки"),
        ("tr", "kitapların", "kitap"),
        ("tr", "IŞIK", "ışık"),
        ("el", "άνθρωποι", "άνθρωπος"),
        ("ar", "الكتاب", "كتاب"),
        ("ar", "كِتَابٌ", "كتاب"),
        ("he", "והספר", "ספר"),
        ("he", "סֵפֶר", "ספר"),
        ("hi", "किताबें", "किताब"),
        ("id", "membaca", "bacaan"),
    ],
)
def test_another_form_of_a_word_is_found(language: str, text: str, query: str) -> None:
    assert found(text, query, language)


_ALPHABETS = {
    "de": "abcdefghijklmnopqrstuvwxyzäöüß", "fr": "abcdefgilmnopqrstuvéèêàçœ", "es": "abcdegilmnorstuvñáéíóú",
    "it": "abcdefgilmnopqrstuvzàèéìòù", "pt": "abcdefgilmnopqrstuvãõçáéíóúâêô", "nl": "abcdefghijklmnopqrstuvwxyzëï",
    "pl": "abcdefghijklmnoprstuwyząćęłńóśźż", "cs": "abcdefghijklmnoprstuvyzáčďéěíňóřšťúůýž",
    "sv": "abcdefghijklmnoprstuvyåäö", "da": "abcdefghijklmnoprstuvyæøå", "no": "abcdefghijklmnoprstuvyæøå",
    "fi": "adefghijklmnoprstuvyäö", "hu": "abcdefghijklmnoprstuvzáéíóöőúüű", "ro": "abcdefghijlmnoprstuvzăâîșț",
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё", "tr": "abcçdefgğhıijklmnoöprsştuüvyzIİ",
    "el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآ", "he": "אבגדהוזחטיכלמנסעפצקרשתםןףץך", "hi": "अआइईउकखगचजटडतदनपबमयरलवशसह",
    "id": "abcdefghijklmnoprstuwy",
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(_ALPHABETS))
@given(data=st.data())
def test_a_note_is_found_by_its_own_words(language: str, data: st.DataObject) -> None:
    word = st.text(_ALPHABETS[language], min_size=1, max_size=14)
    text = " ".join(data.draw(st.lists(word, min_size=1, max_size=6)))
    assert found(text, text, language)
    assert found(text.upper(), text.upper(), language)


@given(st.text(max_size=60), st.sampled_from(sorted(LANGUAGES)))
def test_any_text_has_its_english_terms_in_their_order_whatever_its_language(text: str, language: str) -> None:
    plain = analysis.terms(text)
    assert analysis.terms(text, language)[: len(plain)] == plain


@given(st.text(max_size=60), st.sampled_from(sorted(SNOWBALL)))
def test_the_same_text_has_the_same_stems(text: str, language: str) -> None:
    first = analysis.stems_text(text, language)
    analysis.stems_text("other words between", language)
    assert analysis.stems_text(text, language) == first


def test_the_word_itself_is_indexed_beside_its_stem() -> None:
    assert {"пакетами", "пакет"} <= set(analysis.terms("пакетами", "ru"))


@pytest.mark.parametrize(
    ("query", "languages", "expected"),
    [
        ("l'arbre qu’il a d'abord vu", ("fr",), ("arbr", "abord", "vu")),
        ("dell'acqua", ("it",), ("acqua",)),
        ("langage C", ("fr",), ("langag", "c")),
        ("don't", ("fr",), ("don", "t")),
        ("l'arbre", (), ("l", "arbr")),
        ("как создать пакет", ("ru",), ("создать", "пакет")),
        ("как и в", ("ru",), ("как", "и", "в")),
        ("для", (), ("для",)),
        ("od czego zacząć", ("pl",), ("czego", "zaczac")),
    ],
)
def test_small_words_go_where_notes_are_in_their_language(
    query: str, languages: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert analysis.query_terms(query, languages) == expected
