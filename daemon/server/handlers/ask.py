"""`/v1/answer`, `/v1/ask`."""

from collections.abc import Mapping
from typing import Literal

from scrubjay.daemon.answers.citation import MOST_SOURCES, quotable
from scrubjay.daemon.answers.extracted_answer import Checker, extracted, for_model, shown_to_model
from scrubjay.daemon.answers.model_reply import CUT_OFF, NOT_UNDERSTOOD, SentenceReader
from scrubjay.daemon.answers.model_server import ModelTrouble, Server, key_for, server_of
from scrubjay.daemon.answers.newest import newest_first
from scrubjay.daemon.answers.prompt import MOST_SENTENCES, request_body
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import Cited
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.server.access.caller import in_scope, named_for_search
from scrubjay.daemon.server.endpoints.ask import ANSWER, ASK, AnswerReply, AnswerSentence, QuestionAsk
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.settings import Llm
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.local_time import local_now
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()


@HANDLERS.answers(ANSWER, lane="search")
def answer(context: Context, request: QuestionAsk) -> AnswerReply:
    if Question.of(request.question).kind == "none":  # the page asks whatever is searched for
        return AnswerReply(status="nothing", sentences=(), way="extract")
    return _Question(context, request).extract()


@HANDLERS.answers(ASK, lane="model")
def ask(context: Context, request: QuestionAsk) -> AnswerReply:
    asked = _Question(context, request)
    llm = context.engine.settings.llm
    if not llm.url or not asked.cited:
        return asked.extract()
    try:
        server = _server(llm)
    except (UsageError, ModelTrouble) as error:
        return asked.extract(str(error))
    return asked.put_to(server)


def _server(llm: Llm) -> Server:
    """The server in the settings, with its key where it has one. Raises UsageError or ModelTrouble."""
    server = server_of(llm)
    return server_of(llm, key_for(server.address)) if llm.key else server


class _Question:
    """A question, with the passages that may answer it."""

    def __init__(self, context: Context, request: QuestionAsk) -> None:
        services = context.services
        profiles = in_scope(services, context.caller, request.profiles)
        names, ids = named_for_search(profiles)
        limit = min(MOST_SOURCES, services.limits.results)
        question, _ = services.sendable(request.question[: services.limits.query_characters], profiles)
        self._question = Question.of(question)
        wanted = SearchRequest(query=self._question.text, profiles=names, ids=ids, limit=limit, group="chunk")
        self._context = context
        self._found: SearchResponse = services.search(wanted)
        self._stores: Mapping[str, Store] = context.stores(profiles)
        self._asked = AskedTerms.of(self._stores.values(), self._question.subject)
        found = tuple(quotable(self._found, self._stores, self._asked, self._question))
        newest = newest_first([each.source for each in found], self._asked)
        self.cited = tuple(Cited(found[number].result, source) for number, source in newest)

    def extract(self, notice: str = "", sent_to: str = "") -> AnswerReply:
        """The sentence of the notes that answers, if one does."""
        sentence = extracted(self._question, self._asked, self._found, self._stores)
        if sentence:
            self._context.listener.tell(sentence)
        return self._reply((sentence,) if sentence else (), "extract", notice=notice, sent_to=sent_to)

    def put_to(self, server: Server) -> AnswerReply:
        """What the model says; where it does not answer, the best sentences of the notes and the reason."""
        from scrubjay.daemon.answers.model_connection import NotReached, have_written  # noqa: PLC0415 - an HTTP client, 6 MB

        passages = for_model(self.cited)
        checker, reader, written = Checker(self._stores, passages), SentenceReader(), list[AnswerSentence]()

        def take(piece: str) -> bool:
            for said in reader.feed(piece):
                if said.text.strip():
                    written.append(checker.written(said))
                    self._context.listener.tell(written[-1])
            return reader.complete or len(written) >= MOST_SENTENCES

        notice, sent_to = "", server.address
        try:
            body = request_body(server.model, self._question.text, shown_to_model(passages), local_now().date())
            have_written(server, body, take, self._context.listener.gone.is_set)
            if not written and (reader.odd or not reader.complete):
                notice = NOT_UNDERSTOOD
            elif not take(""):
                notice = CUT_OFF
        except ModelTrouble as trouble:
            notice, sent_to = str(trouble), "" if isinstance(trouble, NotReached) else sent_to
        if notice and not written:
            return self.extract(notice, sent_to)
        return self._reply(tuple(written), "model", model=server.model, sent_to=sent_to, notice=notice)

    def _reply(
        self,
        sentences: tuple[AnswerSentence, ...],
        way: Literal["extract", "model"],
        *,
        model: str = "",
        sent_to: str = "",
        notice: str = "",
    ) -> AnswerReply:
        return AnswerReply(
            status="answered" if sentences else "nothing",
            sentences=sentences,
            way=way,
            model=model,
            sent_to=sent_to,
            notice=notice,
            unanswered=self._found.unanswered,
        )
