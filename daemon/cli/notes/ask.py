"""`scrubjay ask`: what the notes answer to a question."""

from collections.abc import Iterable

import click

from scrubjay.daemon.cli.connect import reach, warn_of_unread
from scrubjay.daemon.cli.output import print_json, say, warn
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoint import Reply
from scrubjay.daemon.server.endpoints.ask import ANSWER, ASK, AnswerQuote, AnswerReply, AnswerSentence, QuestionAsk
from scrubjay.profiles.errors import UsageError

_LONGEST = 2_000
_NOTHING = "No sentence in your notes surely answers this."
_HINT = (
    "This is word for word in your note. To have a language model of your own write the answer, name it:"
    " scrubjay llm use http://127.0.0.1:11434/v1"
)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--profile", "profiles", multiple=True, help="From this profile only. Repeatable.")
@click.option("--extract", is_flag=True, help="Quote the notes alone, even where a language model is named.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def ask(question: tuple[str, ...], profiles: tuple[str, ...], extract: bool, as_json: bool) -> None:
    """Answer QUESTION from your notes, with the sources. Exit status 1 where they don't say.

    Nothing leaves Scrubjay unless you have named a language model (`scrubjay llm use`). What such a model quotes is
    looked up: a quotation stands under a sentence only if the note says it, word for word.
    """
    text = " ".join(question).replace("\0", " ")
    if not text.strip() or len(text) > _LONGEST:
        raise UsageError(f"A question has 1 to {_LONGEST:,} characters.")
    wanted = QuestionAsk(question=_asking(text), profiles=profiles or None)
    reply: AnswerReply | None = None
    is_partial = False
    with reach() as client:
        for part in _parts(client, wanted, extract=extract):
            if isinstance(part, AnswerReply):
                reply = part
            elif isinstance(part, AnswerSentence) and not as_json:
                _say_sentence(part)
        if reply is not None and reply.status == "nothing":
            is_partial = warn_of_unread(client, profiles) or bool(reply.unanswered)
    if reply is None:
        raise NotRunning("Scrubjay broke off, as it does when it is stopped. `scrubjay logs` may say more.")
    if as_json:
        print_json(reply)
    else:
        _say_rest(reply, hint=not extract, is_partial=is_partial)
    if reply.status == "nothing":
        raise click.exceptions.Exit(1)


def _asking(text: str) -> str:
    """What is put to `scrubjay ask` is a question, whether it begins like one or not."""
    return text if text.rstrip().endswith(("?", "？", "؟")) or len(text) == _LONGEST else f"{text}?"


def _parts(client: ScrubjayClient, wanted: QuestionAsk, *, extract: bool) -> Iterable[Reply]:
    """The sentences as they come, then the whole."""
    if not extract:
        return client.parts(ASK, wanted)
    reply = client.ask(ANSWER, wanted)
    return (*reply.sentences, reply)


def _say_sentence(sentence: AnswerSentence) -> None:
    """A sentence with what the notes say; one of a note's own with its place alone."""
    if sentence.own:
        say(one_line(sentence.text))
        say(f"    {_place(sentence.quotes[-1])}", style="dim")
        return
    say(one_line(sentence.text) + ("" if sentence.verified else "  (unverified)"))
    for quote in sentence.quotes:
        say(f"    ✓ “{one_line(quote.text)}”  {_place(quote)}", style="dim")


def _place(quote: AnswerQuote) -> str:
    return f"{one_line(quote.path)}:{quote.line}  {quote.profile}  #{quote.id}"


def _say_rest(reply: AnswerReply, *, hint: bool, is_partial: bool) -> None:
    if reply.status == "nothing" and not is_partial:
        say(_NOTHING)
    for profile in reply.unanswered:
        warn(f"{profile.profile} was not asked: {profile.reason}")
    if reply.notice:
        warn(one_line(reply.notice))
    elif hint and reply.way == "extract" and reply.sentences:
        warn(_HINT, style="dim")
    if reply.sent_to:
        warn(f"The question and what was found for it were sent to {reply.sent_to}.", style="dim")
