"""What is marked in the text that is shown, in every script: the words that the index found, from end to end."""

import unicodedata
from collections.abc import Mapping, Sequence

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.profiles.notes import bundle


def _decomposed(*cases: str) -> tuple[str, ...]:
    """The texts as macOS and PDF files write them; what is asked stays composed."""
    return tuple(f"{query}|{unicodedata.normalize('NFD', text)}" for query, text in (case.split("|") for case in cases))


CASES: Mapping[str, Sequence[str]] = {
    "hi": (
        "किताब|यह [किताब] मेज़ पर है",
        "हिन्दी|[हिन्दी] में लिखा है",
        "हिन्दी|[हिंदी] में लिखा है",
        "बिल्ली|काली [बिल्ली] सो गई",
        "डॉक्टर|[डॉक्टर] ने दवा दी",
        "तस्वीर|पुरानी [तस्वीर] मिली",
        "लड़कियाँ|[लड़कियाँ] गा रही थीं",
        "लड़की|[लड़कियाँ] गा रही थीं",
        "नमक|थोड़ा [नमक] डालो",
        "कागज|एक [काग़ज़] और कलम",
        "क्षमा|मुझे [क्‍षमा] करें",
        "माँ|[मां] घर पर है",
        "२४०|कुल [240] रुपये",
        "संबंध|अच्छा [सम्बन्ध] रहा",
    ),
    "mr": ("पुस्तक|माझे [पुस्तक] हरवले", "झाडाला|त्या [झाडाला] फळे आली"),
    "ne": ("नेपाली|[नेपाली] भाषा सिक्दै", "घरमा|म [घरमा] बस्छु"),
    "bn": ("বই|এই [বই] টেবিলে", "বিড়াল|কালো [বিড়াল] ঘুমায়", "ডাক্তার|[ডাক্তার] আজ আসবেন", "২৪০|মোট [240] টাকা"),
    "pa": ("ਕਿਤਾਬ|ਇਹ [ਕਿਤਾਬ] ਮੇਰੀ ਹੈ", "ਪਾਣੀ|ਠੰਡਾ [ਪਾਣੀ] ਪੀਓ"),
    "gu": ("પુસ્તક|આ [પુસ્તક] સારું છે", "પાણી|ઠંડું [પાણી] પીઓ"),
    "ta": ("புத்தகம்|இந்த [புத்தகம்] நல்லது", "பூனை|கருப்பு [பூனை] தூங்குகிறது", "மருத்துவர்|[மருத்துவர்] வந்தார்"),
    "te": ("పుస్తకం|ఈ [పుస్తకం] బాగుంది", "పిల్లి|నల్ల [పిల్లి] నిద్రపోయింది"),
    "kn": ("ಪುಸ್ತಕ|ಈ [ಪುಸ್ತಕ] ಚೆನ್ನಾಗಿದೆ", "ಬೆಕ್ಕು|ಕಪ್ಪು [ಬೆಕ್ಕು] ಮಲಗಿದೆ"),
    "ml": ("പുസ്തകം|ഈ [പുസ്തകം] നല്ലതാണ്", "പൂച്ച|കറുത്ത [പൂച്ച] ഉറങ്ങി"),
    "si": ("පොත|මේ [පොත] හොඳයි", "ගෙදර|මම [ගෙදර] යමි"),
    "he": (
        "שלום|אמרתי [שָׁלוֹם] לכולם",
        "שָׁלוֹם|אמרתי [שלום] לכולם",
        "ספר|זה [הספר] החדש",
        "תמונה|תליתי [תְּמוּנָה] בסלון",
        'מע"מ|כולל [מע"מ] וגם משלוח',
        'מע״מ|כולל [מע"מ] וגם משלוח',
        "צה״ל|שירת [בצה״ל] שנתיים",
        "בית|חזרנו [לבית] מאוחר",
    ),
    "yi": ("בוך|דאָס [בוך] איז נייַ",),
    "ar": (
        "خفضت|لقد [خُفِّضت] الميزانية",
        "قطة|نامت [القطة] على الكرسي",
        "قطة|الكلب [والقطة] في البيت",
        "كتاب|قرأت [الكِتَاب] كله",
        "كتاب|هذا [كتـــاب] قديم",
        "شقة|بحثنا عن [الشقة] الجديدة",
        "240|الوزن [٢٤٠] غراما",
        "٢٤٠|الوزن [240] غراما",
        "احمد|وصل [أحمد] أمس",
        "مدرسة|هذه [مدرسه] قديمة",
    ),
    "fa": ("کتاب|این [کتاب] خوب است", "کتاب|این [كتاب] خوب است", "کتاب‌ها|[کتاب‌ها] کجاست", "خانه|در [خانه] هستم"),
    "ur": ("کتاب|یہ [کتاب] اچھی ہے", "پانی|ٹھنڈا [پانی] پیو"),
    "th": ("แมว|เลี้ยง[แมว]สองตัว", "ค่าเช่า|จ่าย[ค่าเช่า]แล้ว", "น้ำ|ดื่ม[น้ำ]เย็น", "2569|ปี [๒๕๖๙] นี้"),
    "lo": ("ປຶ້ມ|ອ່ານ[ປຶ້ມ]ໃໝ່", "ນ້ຳ|ດື່ມ[ນ້ຳ]ເຢັນ"),
    "my": ("စာအုပ်|ဒီ[စာအုပ်]ကောင်းတယ်",),
    "km": ("សៀវភៅ|អាន[សៀវភៅ]ថ្មី", "ខ្មែរ|ភាសា[ខ្មែរ]ពិរោះ"),
    "ko": (
        "고양이|검은 [고양이]가 잔다",
        "병원|[병원]에서 검사했다",
        *_decomposed("고양이|검은 [고양이]가 잔다", "비밀|[비밀]의 정원"),
    ),
    "ja": (
        "会議|来週の[会議]は中止",
        "トマト|[トマト]を植えた",
        "とまと|[トマト]を植えた",
        "渡辺|[渡邊]さんに電話",
        "斎藤|[齋藤]さんに電話",
        "ﾊﾟﾝ|[パン]を焼く",
        "パン|[ﾊﾟﾝ]を焼く",
        *_decomposed("かぎ|[かぎ]をなくした", "ガラス|[ガラス]の花瓶", "パンダ|[パンダ]を見た"),
    ),
    "zh": (
        "猫|黑色的[猫]睡着了",
        "猫粮|买了[貓糧]和水",
        "数据|这个[數據]很慢",
        "红楼梦|读完[紅樓夢]了",
        "臺灣|去[台湾]旅行",
        "体检|去年的[體檢]报告",
    ),
    "el": (
        "χερι|το [χέρι] μου πονάει",
        "ΧΕΡΙ|το [χέρι] μου πονάει",
        "λόγος|ένας [ΛΟΓΟΣ] ακόμη",
        "δρόμους|ο [δρόμος] είναι κλειστός",
        *_decomposed("γιατρός|ο [γιατρός] είπε ναι", "άλογο|το [άλογο] τρέχει", "ταΐζω|[ταΐζω] τη γάτα"),
    ),
    "ru": (
        "елка|нарядили [ёлку] вчера",
        "ёлка|нарядили [елку] вчера",
        "музей|ходили в [музеи] города",
        *_decomposed("чай|горячий [чай] остыл", "йод|купить [йод] завтра", "ёжик|увидели [ёжика] ночью"),
    ),
    "uk": ("їжак|бачили [їжак] вночі", *_decomposed("їжак|цей [їжак] малий", "йод|купити [йод] завтра")),
    "bg": _decomposed("чай|горещ [чай] изстина"),
    "sr": ("knjiga|ova [knjiga] je nova", *_decomposed("kuća|naša [kuća] je mala")),
    "hy": ("գիրք|այս [գիրք] նոր է", "ԳԻՐՔ|այս [գիրք] նոր է"),
    "ka": ("წიგნი|ეს [წიგნი] ახალია",),
    "am": ("መጽሐፍ|ይህ [መጽሐፍ] አዲስ ነው",),
    "de": (
        "Haus|vor den [Häusern] am See",
        "strasse|in der [Straße] nebenan",
        "Käsekuchen|ein [Käse\u00adkuchen] für alle",
        *_decomposed(
            "Käsekuchen|ein [Käsekuchen] für alle",
            "Kaesekuchen|ein [Käsekuchen] für alle",
            "Übung|die [Übung] war kurz",
        ),
    ),
    "fr": (
        "œuf|deux [œufs] durs",
        "oeufs|deux [œufs] durs",
        *_decomposed(
            "étude|une [étude] récente",
            "garçon|le [garçon] rit",
            "hôpital|cet [hôpital] ferme",
            "noël|à [Noël] prochain",
        ),
    ),
    "es": _decomposed("niño|el [niño] duerme", "pingüino|un [pingüino] blanco", "canción|esta [canción] suena"),
    "pt": _decomposed("coração|o [coração] bate", "maçã|uma [maçã] verde"),
    "it": _decomposed("città|la [città] vecchia", "caffè|un [caffè] no"),
    "pl": ("lodz|pociąg do [Łódź] rano", *_decomposed("książka|nowa [książka] leży", "źródło|czyste [źródło] wody")),
    "cs": _decomposed("příběh|nový [příběh] začal", "kůň|bílý [kůň] běží"),
    "tr": (
        "ırmak|uzun bir [IRMAK] gördük",
        "istanbul|yarın [İSTANBUL] yolu",
        *_decomposed("çiçek|sarı [çiçek] soldu", "göğüs|kırık [göğüs] kemiği"),
    ),
    "vi": _decomposed(
        "nhẹ hơn|tay trái [nhẹ] [hơn]", "phở|quán [phở] ngon", "điện thoại|mất [điện] [thoại]", "hoà|bản [hòa] bình"
    ),
    "fi": ("talo|vanhassa [talossa] asui", *_decomposed("pyörä|uusi [pyörä] katosi", "hääkuva|vanha [hääkuva] löytyi")),
    "sv": _decomposed("smörgås|en [smörgås] till", "ränta|hög [ränta] nu"),
    "da": ("smørrebrød|et [smørrebrød] til", "ål|en [ål] i åen"),
    "hu": _decomposed("könyv|az új [könyv] jó", "őszi|egy [őszi] nap"),
    "ro": _decomposed("mâine|vin [mâine] acasă", "țară|o [țară] mică"),
    "is": ("þorskur|ferskur [þorskur] í dag",),
    "": ("C++|in [C++] geschrieben", "18400|für [18 400] Euro", "ﬁnal|the [final] text"),
}


def marked(result: SearchResult) -> str:
    """The snippet with its marks in brackets."""
    text = result.snippet
    for start, end in sorted(result.highlights, reverse=True):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


@pytest.mark.parametrize("language", CASES)
def test_marked_are_the_words_that_were_found(store: Store, language: str) -> None:
    with store.writing() as writer:
        for number, case in enumerate(CASES[language]):
            text = case.partition("|")[2].replace("[", "").replace("]", "")
            writer.put_note(bundle(f"{number}.md", f"{text}, {number}.", title="", lang=language))
    searcher = Searcher(lambda: {"notes": store}, HashEncoder())
    wrong = [said for number, case in enumerate(CASES[language]) if (said := _wrong(searcher, number, case))]
    searcher.close()
    assert wrong == []


def _wrong(searcher: Searcher, number: int, case: str) -> str:
    query, _, expected = case.partition("|")
    answer = searcher.search(SearchRequest(query, mode="lexical", explain=True))
    result = next((each for each in answer.results if each.path == f"{number}.md"), None)
    if result is None:
        return f"{query}: not found in {expected}"
    if marked(result) != f"{expected}, {number}.":
        return f"{query}: {marked(result)!r}, not {expected!r}"
    if result.words is None or result.words.lacks or not (result.words.has or result.words.forms):
        return f"{query}: said to be lacking: {result.words}"
    return ""
