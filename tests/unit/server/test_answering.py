"""Whatever a model writes: what is shown as verified stands in the store, word for word."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.context_block import estimated_tokens
from scrubjay.daemon.answers.extracted_answer import Checker, extracted, for_model
from scrubjay.daemon.answers.model_reply import Quoted, WrittenSentence
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import Cited, QuotablePassage
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.server.endpoints.ask import AnswerSentence
from scrubjay.profiles.search.types import Relevance, SearchResponse, SearchResult
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, NoteRow
from scrubjay.profiles.store.store import Store

TEXTS = (
    "The ferry to the island leaves at nine each morning.\nIt does not run on Sundays, nor in January.",
    "# Weir\n\nThe **budget** for the weir is 9,000; see [[Ledger|the ledger]].\n\n- eels come in *May*\n- herons wait",
    "| plan | price a year |\n| --- | --- |\n| small plan | £90 a year |\n| middle plan | £180 a year |",
    "渡し船は毎朝九時に島へ出発します。日曜日は運航しません。",
    "Die „alte“ Fähre fährt um neun Uhr morgens. Am 26. Juni fährt sie nicht.",
)


def cited(number: int, text: str, relevance: Relevance = "high", path: str = "") -> Cited:
    digest = f"{number:032x}"[::-1]
    path = path or f"N{number}.md"
    result = SearchResult(
        id=digest[:12],
        profile="work",
        vault="notes",
        path=path,
        title=f"Note {number}",
        headings=("Plan",),
        line=5,
        snippet=text[:40],
        highlights=(),
        score=1.0,
        relevance=relevance,
        tags=(),
        modified=datetime(2026, 1, 1, tzinfo=UTC),
        redactions=0,
    )
    return Cited(result, QuotablePassage(result.id, "work", path, result.title, ("Plan",), 5, text))


CITED = tuple(cited(number, text) for number, text in enumerate(TEXTS, start=1))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Store]]:
    store = FileStore.open(tmp_path_factory.mktemp("answering") / "index.sqlite3")
    with store.writing() as writer:
        for number, each in enumerate(CITED, start=1):
            digest = bytes.fromhex(f"{number:032x}"[::-1])
            row = NoteRow(
                vault="v",
                path=each.result.path,
                title=each.result.title,
                mtime_ns=1,
                size=1,
                digest=digest,
                fingerprint="test",
                tags=(),
                properties={},
            )
            chunk = ChunkRow(digest=digest, text=each.source.text, headings=("Plan",), line=5, end_line=9)
            writer.put_note(NoteBundle(note=row, chunks=(chunk,), links=(), redactions=()))
    yield {"work": store}
    store.close()


def stands_in_the_store(sentence: AnswerSentence) -> bool:
    """Whether every quotation is a stretch of the passage that it names, on the line that it names."""
    texts = {each.result.id: each.source.text for each in CITED}
    return all(
        quote.text in texts[quote.id] and quote.text.split("\n")[0] in texts[quote.id].split("\n")[quote.line - 5]
        for quote in sentence.quotes
    )


@st.composite
def quotations(draw: st.DrawFn) -> Quoted:
    """True ones, and true ones with something changed, left out, or put to another passage."""
    number = draw(st.integers(1, len(TEXTS)))
    words = TEXTS[number - 1].split(" ")
    start = draw(st.integers(0, len(words) - 1))
    chosen = words[start : start + draw(st.integers(1, 12))]
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, max(len(chosen) - 1, 0)))
        chosen[place : place + 1] = draw(st.sampled_from([[], ["…"], ["not"], ["seven"], ["the", "the"], ["NINE"]]))
    passage = draw(st.sampled_from([str(number), f"#{number}", f" {number} ", "1", "9", "", "one"]))
    return Quoted(passage, " ".join(chosen))


WRITTEN = st.builds(
    WrittenSentence,
    text=st.text(max_size=40)
    | st.sampled_from(["It says “nobody may cross the weir”.", "Nine, “does not run on Sundays”."]),
    quotes=st.lists(quotations() | st.builds(Quoted, st.text(max_size=3), st.text(max_size=60)), max_size=12).map(
        tuple
    ),
)


@given(said=WRITTEN)
def test_what_is_shown_as_verified_is_verbatim_in_the_store(stores: Mapping[str, Store], said: WrittenSentence) -> None:
    sentence = Checker(stores, CITED).written(said)
    assert stands_in_the_store(sentence)
    if sentence.verified:
        assert sentence.quotes
        assert len({quote.passage.strip(" #") for quote in said.quotes}) >= len({quote.id for quote in sentence.quotes})
        assert "nobody may cross" not in sentence.text


@given(number=st.integers(1, len(TEXTS)), data=st.data())
def test_words_of_the_passage_that_it_cites_verify_a_sentence(
    stores: Mapping[str, Store], number: int, data: st.DataObject
) -> None:
    line = data.draw(st.sampled_from([line for line in TEXTS[number - 1].split("\n") if len(line) > 20]))
    said = WrittenSentence("So it is.", (Quoted(str(number), line),))
    assert Checker(stores, CITED).written(said).verified


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("the ferry to the island leaves at ten each morning", id="another-number"),
        pytest.param("run on Sundays, nor in January", id="without-its-negation"),
        pytest.param("at nine", id="too-short"),
        pytest.param("It does not run on Sundays … The ferry to the island", id="the-wrong-way-round"),
    ],
)
def test_nearly_the_words_of_the_passage_verify_nothing(stores: Mapping[str, Store], quote: str) -> None:
    sentence = Checker(stores, CITED).written(WrittenSentence("So it is.", (Quoted("1", quote),)))
    assert (sentence.verified, sentence.quotes) == (False, ())


def test_with_more_quotations_than_are_looked_up_a_sentence_is_not_verified(stores: Mapping[str, Store]) -> None:
    said = WrittenSentence("So it is.", (Quoted("1", TEXTS[0].split("\n")[0]),) * 11)
    assert not Checker(stores, CITED).written(said).verified


def test_a_closed_profile_verifies_nothing() -> None:
    said = WrittenSentence("So it is.", (Quoted("1", TEXTS[0].split("\n")[0]),))
    sentence = Checker({}, CITED).written(said)
    assert (sentence.verified, sentence.quotes) == (False, ())


def answer(stores: Mapping[str, Store], question: str, results: tuple[Cited, ...] = CITED) -> AnswerSentence | None:
    found = SearchResponse(tuple(each.result for each in results), "high", 1.0, 0)
    asked = Question.of(question)
    return extracted(asked, AskedTerms.of(stores.values(), asked.subject), found, stores)


@given(question=st.sampled_from([*" ".join(TEXTS).split(), "when does the ferry leave", "how much is the middle plan"]))
def test_an_answer_is_one_sentence_that_the_store_has(stores: Mapping[str, Store], question: str) -> None:
    sentence = answer(stores, question)
    if sentence is not None:
        assert sentence.own
        assert sentence.verified
        assert stands_in_the_store(sentence)
        assert "\n" not in sentence.text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("when does the ferry to the island leave?", "The ferry to the island leaves at nine each morning."),
        ("what is the budget for the weir?", "The budget for the weir is 9,000; see the ledger."),
        ("how much is the middle plan?", "plan: middle plan · price a year: £180 a year"),
        ("wann fährt die Fähre?", "Die „alte“ Fähre fährt um neun Uhr morgens."),
        ("渡し船は何時に島へ出発しますか", "渡し船は毎朝九時に島へ出発します。"),
    ],
)
def test_an_answer_reads_as_the_note_does(stores: Mapping[str, Store], question: str, text: str) -> None:
    sentence = next(each for cited in CITED if (each := answer(stores, question, (cited,))))
    assert sentence is not None
    assert sentence.text == text


@pytest.mark.parametrize(
    "question",
    [
        "how many people are on the ferry to the island?",  # a number, but of nothing that is counted
        "who is the captain of the ferry?",
        "what is the capital of France?",
        "what is the price?",  # a word of the first row alone
    ],
)
def test_what_does_not_have_what_is_asked_for_is_no_answer(stores: Mapping[str, Store], question: str) -> None:
    assert answer(stores, question) is None


def test_a_row_of_a_table_is_quoted_with_its_first_row(stores: Mapping[str, Store]) -> None:
    sentence = answer(stores, "how much is the middle plan?", CITED[2:3])
    assert sentence is not None
    assert [quote.text for quote in sentence.quotes] == ["| plan | price a year |", "| middle plan | £180 a year |"]


def test_what_a_store_does_not_have_any_more_is_no_answer(stores: Mapping[str, Store]) -> None:
    gone = cited(9, "The ferry to the mainland leaves at noon.")
    assert answer(stores, "when does the ferry to the mainland leave?", (gone,)) is None


def test_a_model_is_sent_what_it_has_room_for_and_one_passage_at_least() -> None:
    long = tuple(cited(number, "word " * 2_000) for number in range(1, 9))
    assert for_model(long) == long[:1]
    short = tuple(cited(number, "word " * 300) for number in range(1, 20))
    chosen = for_model(short)
    assert len(chosen) > 1
    assert sum(estimated_tokens(each.source.text) for each in chosen) <= 2_000
    assert for_model(()) == ()
