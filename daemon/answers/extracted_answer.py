"""Answers to a question from the passages that were found for it, every quotation of them looked up in the store."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scrubjay.daemon.answers.answer_quotes import claims_of
from scrubjay.daemon.answers.answering_sentence import MOST_PASSAGES, answering
from scrubjay.daemon.answers.context_block import estimated_tokens
from scrubjay.daemon.answers.model_reply import WrittenSentence
from scrubjay.daemon.answers.prompt import PromptPassage
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import Cited, passage_now
from scrubjay.daemon.answers.quotation import drops_negation, verify_quote
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.ask import AnswerQuote, AnswerSentence
from scrubjay.profiles.search.types import SearchResponse
from scrubjay.profiles.store.store import Store

_MOST_SENT = 8  # passages, to a model
_MOST_QUOTES = 10  # of one sentence that are looked up
_MOST_TOKENS = 2_000
"""Of these passages. Ollama cuts what is longer than 4,096 tokens, answer included, and says nothing of it."""


def for_model(cited: Sequence[Cited]) -> tuple[Cited, ...]:
    """The first passages, as many as a model has room for; one at least, where there is any."""
    left = _MOST_TOKENS
    chosen: list[Cited] = []
    for each in cited[:_MOST_SENT]:
        left -= estimated_tokens(each.source.text)
        if chosen and left < 0:
            break
        chosen.append(each)
    return tuple(chosen)


def shown_to_model(cited: Cited) -> PromptPassage:
    """A passage as a model is sent it: redacted text, as the store has it."""
    return PromptPassage(" › ".join((cited.source.title, *cited.source.headings)), cited.source.text)


class Checker:
    """Checks the sentences that a model writes about some passages."""

    def __init__(self, stores: Mapping[str, Store], cited: Sequence[Cited]) -> None:
        """cited: numbered from 1, as a model sees them."""
        self._stores = stores
        self._cited = {str(number): each for number, each in enumerate(cited, start=1)}

    def written(self, said: WrittenSentence) -> AnswerSentence:
        """A sentence of a model; it is verified if all that it quotes, also between marks, is where it should be."""
        quotes = said.quotes[:_MOST_QUOTES]
        cited = [(self._cited.get(each.passage.strip().removeprefix("#")), each.quote) for each in quotes]
        found = [() if passage is None else found_in(self._stores, passage, quote) for passage, quote in cited]
        passages = [passage for passage, _ in cited if passage is not None]
        text = one_line(said.text)
        return AnswerSentence(
            text=text,
            verified=bool(found)
            and all(found)
            and quotes == said.quotes
            and self._holds_no_other_quotation(text, passages),
            quotes=tuple(dict.fromkeys(quote for quotes in found for quote in quotes)),
        )

    def _holds_no_other_quotation(self, text: str, passages: Sequence[Cited]) -> bool:
        claims = [claim.quote for claim in claims_of(text)]
        return len(claims) <= _MOST_QUOTES and all(
            any(found_in(self._stores, passage, claim) for passage in passages) for claim in claims
        )


def extracted(
    question: Question, asked: AskedTerms, found: SearchResponse, stores: Mapping[str, Store]
) -> AnswerSentence | None:
    """The one sentence of the notes that answers a question, as it reads; None where none is likely to, or none asks.

    A row of a table is told with the first row of it.
    """
    best = answering(question, asked, tuple(Cited.found(found, stores, MOST_PASSAGES)))
    if best is None:
        return None
    spans = [best.part.heads] if best.part.heads else []
    quotes = tuple(_quoted(best.cited, *span) for span in (*spans, (best.part.start, best.part.end)))
    return AnswerSentence(text=one_line(best.shown), verified=True, quotes=quotes, own=True)


def found_in(stores: Mapping[str, Store], cited: Cited, quote: str) -> tuple[AnswerQuote, ...]:
    """Where the parts of a quotation stand in a passage by now; nothing where one of them does not."""
    result = cited.result
    now = passage_now(stores.get(result.profile), result.id)
    found = None if now is None else verify_quote(quote, now.text)
    if now is None or found is None or found.verdict != "verified" or drops_negation(now.text, found.spans):
        return ()
    current = replace(cited, source=replace(cited.source, text=now.text, line=now.line))
    return tuple(_quoted(current, start, end) for start, end in found.spans)


def _quoted(cited: Cited, start: int, end: int) -> AnswerQuote:
    """A stretch of a passage, with its place."""
    result, source = cited.result, cited.source
    return AnswerQuote(
        text=source.text[start:end],
        id=result.id,
        profile=result.profile,
        vault=result.vault,
        path=result.path,
        title=result.title,
        headings=result.headings,
        line=source.line + source.text.count("\n", 0, start),
    )
