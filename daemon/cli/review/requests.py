"""Getting proposals and giving answers, by the API."""

import time
from collections.abc import Iterator

import msgspec

from scrubjay.daemon.cli.output import warn_of_unanswered
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.proposal import Answer, Proposal
from scrubjay.daemon.server.endpoints.review import (
    REVIEW,
    REVIEW_DECIDE,
    REVIEW_PREVIEW,
    PreviewAsk,
    PreviewReply,
    ReviewAsk,
    ReviewDecideAsk,
    ReviewReply,
)
from scrubjay.profiles.errors import NotFound, UsageError

_PAGE = 100
_PATIENCE, _PAUSE = 60.0, 0.5  # seconds
_KEY_PATIENCE = 5.0  # for a proposal that may yet be found; most that have a key were found before
_ANSWERS: tuple[Answer, ...] = ("open", "yes", "later", "no", "done")


class ProposalNotFound(NotFound):
    """No proposal has this key."""

    code = "proposal-not-found"


def first_page(client: ScrubjayClient, ask: ReviewAsk, seconds: float = _PATIENCE) -> ReviewReply:
    """The proposals that are wanted, once all notes have been looked at, or after so many seconds."""
    end = time.monotonic() + seconds
    with console.status("Looking through your notes…"):
        while (reply := client.ask(REVIEW, ask)).waiting and time.monotonic() < end:
            time.sleep(_PAUSE)
    return reply


def pages(client: ScrubjayClient, ask: ReviewAsk) -> Iterator[ReviewReply]:
    """All that pass the filters, a hundred at a time, once all notes have been looked at, or after a minute.

    Names the profiles that do not answer.
    """
    warn_of_unanswered(first_page(client, msgspec.structs.replace(ask, limit=1)).unanswered)
    yield from _kept_pages(client, ask)


def _kept_pages(client: ScrubjayClient, ask: ReviewAsk) -> Iterator[ReviewReply]:
    """What was found of them so far."""
    offset = 0
    while True:
        reply = client.ask(REVIEW, msgspec.structs.replace(ask, limit=_PAGE, offset=offset))
        yield reply
        offset += len(reply.proposals)
        if not reply.proposals or offset >= reply.total:
            return


def all_of(client: ScrubjayClient, ask: ReviewAsk) -> list[Proposal]:
    """All that pass the filters."""
    return [proposal for page in pages(client, ask) for proposal in page.proposals]


def by_key(client: ScrubjayClient, keys: tuple[str, ...], profile: str | None) -> list[Proposal]:
    """The proposals that these keys, or the beginnings of keys, name. Raises UsageError, ProposalNotFound."""
    if wrong := next((key for key in keys if not key or set(key.lower()) - set("0123456789abcdef")), None):
        raise UsageError(f"{wrong!r} is no key. `scrubjay review --list` shows the keys.")
    one = ReviewAsk(profile=profile, limit=1)
    warn_of_unanswered(client.ask(REVIEW, one).unanswered)
    known, waiting = _kept(client, profile), 0
    if not all(any(each.key.startswith(key.lower()) for each in known) for key in keys):
        waiting = first_page(client, one, _KEY_PATIENCE).waiting
        known = _kept(client, profile)
    return [_named(key.lower(), known, is_whole=not waiting) for key in keys]


def _kept(client: ScrubjayClient, profile: str | None) -> list[Proposal]:
    """All that was found so far, whatever was said of it."""
    asks = (ReviewAsk(profile=profile, answer=each) for each in _ANSWERS)
    found = (proposal for ask in asks for page in _kept_pages(client, ask) for proposal in page.proposals)
    return list({(each.profile, each.key): each for each in found}.values())


def _named(beginning: str, known: list[Proposal], *, is_whole: bool) -> Proposal:
    """is_whole: whether all notes have been looked at."""
    found = [each for each in known if each.key.startswith(beginning)]
    if not found:
        raise ProposalNotFound(
            f"No proposal has the key {beginning}; it may be about a text that has changed. Nothing was done."
            if is_whole
            else f"No proposal found so far has the key {beginning}, and not all notes have been looked through yet."
            " Nothing was done; try again in a moment."
        )
    if len(found) > 1:
        raise UsageError(f"Several proposals begin with {beginning}. Give more of the key.")
    return found[0]


def answer(client: ScrubjayClient, proposal: Proposal, said: Answer, chosen: tuple[str, ...] | None = None) -> None:
    """Say this of a proposal. Raises ApiError."""
    client.ask(REVIEW_DECIDE, ReviewDecideAsk(profile=proposal.profile, key=proposal.key, answer=said, chosen=chosen))


def preview(client: ScrubjayClient, proposal: Proposal, chosen: tuple[str, ...] | None = None) -> PreviewReply:
    """What yes would change. chosen: ids of options; None: those that were said yes to, or those proposed."""
    if chosen is None and proposal.chosen:
        chosen = proposal.chosen
    return client.ask(REVIEW_PREVIEW, PreviewAsk(profile=proposal.profile, key=proposal.key, chosen=chosen))


def print_preview(reply: PreviewReply) -> Iterator[str]:
    """The lines of a preview."""
    if reply.refused:
        yield f"Can't be applied: {reply.refused}"
    for file in reply.files:
        if file.to != file.path:
            yield f"{file.path} → {file.to}"
        yield from file.diff.splitlines()
