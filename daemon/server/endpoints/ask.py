"""`/v1/answer`, `/v1/ask`: the answer to a question, in sentences of the notes or of the user's own model."""

from typing import Annotated, Literal

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import ProfileNames
from scrubjay.profiles.search.types import Unanswered


class QuestionAsk(Ask, frozen=True):
    """A question. Without `profiles`: all that this client may see and that take part in searches over all."""

    question: Annotated[str, Meta(min_length=1, max_length=2_000, pattern=r"^[^\x00]*$")]
    profiles: ProfileNames | None = None


class AnswerQuote(Reply, frozen=True):
    """Words of a note, as they stand in the passage, and where."""

    text: str
    id: str  # of the passage
    profile: str
    vault: str
    path: str
    title: str
    headings: tuple[str, ...]
    line: int  # of the file, on which the words begin


class AnswerSentence(Reply, frozen=True):
    """One sentence of an answer.

    verified: it has quotations, and all that it quotes stands in the notes, word for word. Whether a sentence of a
    model follows from its quotations is for the reader to judge.
    """

    text: str
    verified: bool
    quotes: tuple[AnswerQuote, ...]  # those alone that stand in the notes
    own: bool = False  # a sentence of a note itself, as it reads there; its quotations are that sentence as written


class AnswerReply(Reply, frozen=True):
    """An answer. `nothing`: the notes don't say."""

    status: Literal["answered", "nothing"]
    sentences: tuple[AnswerSentence, ...]
    way: Literal["extract", "model"]  # sentences of the notes, or of a language model
    model: str = ""  # that wrote it
    sent_to: str = ""  # host and port that the question and passages were sent to; "": nothing was sent
    notice: str = ""  # a sentence for a person: why there is no answer of the model, or not all of it
    unanswered: tuple[Unanswered, ...] = ()


ANSWER = Endpoint(
    "POST",
    "/v1/answer",
    "search",
    QuestionAsk,
    AnswerReply,
    "The sentence of the notes that answers a question, with its place, if one does. No language model is asked.",
    example={"question": "Where do we keep the index?"},
    typed=True,
)
ASK = Endpoint(
    "POST",
    "/v1/ask",
    "search",
    QuestionAsk,
    AnswerReply,
    """The answer of the language model that the user has named, its quotations checked; without one, as `/v1/answer`.

To who accepts `text/event-stream` it is sent as it comes: `part` for each sentence, then `reply` or `problem`.""",
    example={"question": "Where do we keep the index?"},
    part=AnswerSentence,
)
