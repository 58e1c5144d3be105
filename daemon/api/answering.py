"""Answers to a question from the passages that were found for it, every quotation of them looked up in the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrubjay.daemon.api.context import Source, estimated_tokens
from scrubjay.daemon.api.endpoints.ask import AnswerQuote, AnswerSentence
from scrubjay.daemon.api.quotable import passage_now
from scrubjay.daemon.ask.prompt import Passage
from scrubjay.daemon.ask.sentences import Said
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.quotes.altered import drops_negation
from scrubjay.daemon.quotes.answer_quotes import claims_of
from scrubjay.daemon.quotes.verify import verify_quote
from scrubjay.daemon.search.types import SearchResult
from scrubjay.profiles.store.store import Store

_MOST_NOTES = 3  # that are quoted
_MOST_PASSAGES = 8  # that a model is sent
_MOST_TOKENS = 2_000
"""Of these passages. Ollama cuts what is longer than 4,096 tokens, answer included, and says nothing of it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage that may be quoted, and where it was found."""

    result: SearchResult
    source: Source


def best_notes(cited: Sequence[Cited]) -> tuple[Cited, ...]:
    """The best passage of each of a few notes, of the best tier that there is."""
    by_note: dict[tuple[str, str, str], Cited] = {}
    for each in cited:
        if each.result.relevance == cited[0].result.relevance:
            by_note.setdefault((each.result.profile, each.result.vault, each.result.path), each)
    return tuple(by_note.values())[:_MOST_NOTES]


def for_model(cited: Sequence[Cited]) -> tuple[Cited, ...]:
    """The first passages, as many as a model has room for; one at least, where there is any."""
    left = _MOST_TOKENS
    chosen: list[Cited] = []
    for each in cited[:_MOST_PASSAGES]:
        left -= estimated_tokens(each.source.text)
        if chosen and left < 0:
            break
        chosen.append(each)
    return tuple(chosen)


def shown_to_model(cited: Cited) -> Passage:
    """A passage as a model is sent it: redacted text, as the store has it."""
    return Passage(" › ".join((cited.source.title, *cited.source.headings)), cited.source.text)


class Checker:
    """Looks quotations up in the passages that they are said to be of, as the stores have them by then."""

    def __init__(self, stores: Mapping[str, Store], cited: Sequence[Cited]) -> None:
        """cited: numbered from 1, as a model sees them."""
        self._stores = stores
        self._cited = {str(number): each for number, each in enumerate(cited, start=1)}

    def extracted(self, cited: Cited, sentence: str) -> AnswerSentence | None:
        """A sentence of a passage as one of the answer; None where the store does not say it any more."""
        quotes = self._found(cited, sentence)
        return AnswerSentence(text=sentence, verified=True, quotes=quotes) if quotes else None

    def written(self, said: Said) -> AnswerSentence:
        """A sentence of a model; it is verified if all that it quotes, also between marks, is where it should be."""
        cited = [(self._cited.get(each.passage.strip().removeprefix("#")), each.quote) for each in said.quotes]
        found = [() if passage is None else self._found(passage, quote) for passage, quote in cited]
        passages = [passage for passage, _ in cited if passage is not None]
        text = one_line(said.text)
        return AnswerSentence(
            text=text,
            verified=bool(found) and all(found) and self._holds_no_other_quotation(text, passages),
            quotes=tuple(dict.fromkeys(quote for quotes in found for quote in quotes)),
        )

    def _holds_no_other_quotation(self, text: str, passages: Sequence[Cited]) -> bool:
        claims = [claim.quote for claim in claims_of(text)]
        return all(any(self._found(passage, claim) for passage in passages) for claim in claims)

    def _found(self, cited: Cited, quote: str) -> tuple[AnswerQuote, ...]:
        """Where the parts of a quotation stand; nothing where one of them does not."""
        result = cited.result
        now = passage_now(self._stores.get(result.profile), result.id)
        found = None if now is None else verify_quote(quote, now.text)
        if now is None or found is None or found.verdict != "verified" or drops_negation(now.text, found.spans):
            return ()
        return tuple(
            AnswerQuote(
                text=now.text[start:end],
                id=result.id,
                profile=result.profile,
                vault=result.vault,
                path=result.path,
                title=result.title,
                headings=result.headings,
                line=now.line + now.text.count("\n", 0, start),
            )
            for start, end in found.spans
        )
