"""Answers to a question from the passages that were found for it, every quotation of them looked up in the store."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.daemon.answers.answer_quotes import claims_of
from scrubjay.daemon.answers.citation import passage_now
from scrubjay.daemon.answers.context_block import QuotablePassage, estimated_tokens, named_terms
from scrubjay.daemon.answers.model_reply import WrittenSentence
from scrubjay.daemon.answers.passage_parts import PassagePart, parts_of, worth_quoting
from scrubjay.daemon.answers.prompt import PromptPassage
from scrubjay.daemon.answers.quotation import verify_quote
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.ask import AnswerQuote, AnswerSentence
from scrubjay.profiles.search.results.note_dates import dates_in_words
from scrubjay.profiles.search.results.places import path_with_place
from scrubjay.profiles.search.types import SearchResult
from scrubjay.profiles.store.store import Store

_MOST_NOTES = 3  # that are quoted
_BEST = 2  # sentences of each
_MOST_PASSAGES = 8  # that a model is sent
_MOST_QUOTES = 10  # of one sentence that are looked up
_MOST_TOKENS = 2_000
"""Of these passages. Ollama cuts what is longer than 4,096 tokens, answer included, and says nothing of it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage that may be quoted, and where it was found."""

    result: SearchResult
    source: QuotablePassage


def best_notes(cited: Sequence[Cited]) -> tuple[Cited, ...]:
    """The best passage of each of a few notes; of those with a low tier only where there is nothing better."""
    by_note: dict[tuple[str, str, str], Cited] = {}
    for each in [each for each in cited if each.result.relevance != "low"] or cited:
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


def shown_to_model(cited: Sequence[Cited]) -> list[PromptPassage]:
    """Passages as a model is sent them: redacted text, as the store has it."""
    numbers = {each.source.id: number for number, each in enumerate(cited, start=1)}
    return [
        PromptPassage(
            trail=" › ".join((source.title, *source.headings)),
            text=source.text,
            place=path_with_place(source.path, source.kind, source.place, source.line),
            dates=dates_in_words(source.modified, source.dated) if source.modified else "",
            about=source.about,
            older_than=numbers.get(source.newer, 0),
        )
        for source in (each.source for each in cited)
    ]


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
    cited: Sequence[Cited], stores: Mapping[str, Store], weights: Mapping[str, float]
) -> Iterator[AnswerSentence]:
    """The sentences of the best notes that say most of the question, each once, as far as the stores say them still.

    weights: of the question's words. A row of a table stands below the first row of it.
    """
    told: set[str] = set()
    for each in best_notes(cited):
        text = each.source.text
        parts = _without_heads(parts_of(text))
        best = worth_quoting(text, parts, weights, named_terms(each.source))[:_BEST]
        for part in (parts[number] for number in sorted(best)):
            sentence = text[part.start : part.end]
            quotes = () if sentence in told else found_in(stores, each, sentence)
            if quotes:
                told.add(sentence)
                head = found_in(stores, each, text[slice(*part.heads)]) if part.heads else ()
                shown = "\n".join(quote.text for quote in (*head, *quotes))
                yield AnswerSentence(text=shown, verified=True, quotes=(*head, *quotes))


def _without_heads(parts: Sequence[PassagePart]) -> list[PassagePart]:
    """The parts but for first rows of tables, which stand above each other row of theirs."""
    heads = {part.heads for part in parts}
    return [part for part in parts if (part.start, part.end) not in heads]


def found_in(stores: Mapping[str, Store], cited: Cited, quote: str) -> tuple[AnswerQuote, ...]:
    """Where the parts of a quotation stand in a passage by now; nothing where one of them does not."""
    result = cited.result
    now = passage_now(stores.get(result.profile), result.id)
    found = None if now is None else verify_quote(quote, now.text)
    if now is None or found is None or found.verdict != "verified":
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
            modified=now.modified,
            dated=now.dated,
        )
        for start, end in found.spans
    )
