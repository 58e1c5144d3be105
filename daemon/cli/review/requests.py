"""Getting proposals and giving answers, by the API."""

import time
from collections.abc import Iterator

import msgspec

from scrubjay.daemon.cli.output import console, warn_unanswered
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
_ANSWERS: tuple[Answer, ...] = ("open", "yes", "later", "no", "done")


class ProposalNotFound(NotFound):
    """No proposal has this key."""

    code = "proposal-not-found"


def first_page(client: ScrubjayClient, ask: ReviewAsk) -> ReviewReply:
    """The proposals that are wanted, when all notes have been looked at, or after a minute with no end in sight."""
    end = time.monotonic() + _PATIENCE
    with console.status("Looking through your notes…"):
        while (reply := client.ask(REVIEW, ask)).waiting and time.monotonic() < end:
            time.sleep(_PAUSE)
    return reply


def pages(client: ScrubjayClient, ask: ReviewAsk) -> Iterator[ReviewReply]:
    """All that pass the filters, a hundred at a time. Names the profiles that do not answer."""
    first_page(client, msgspec.structs.replace(ask, limit=1))
    offset = 0
    while True:
        reply = client.ask(REVIEW, msgspec.structs.replace(ask, limit=_PAGE, offset=offset))
        if offset == 0:
            for each in reply.unanswered:
                warn_unanswered(each.profile, each.reason)
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
    known: dict[tuple[str, str], Proposal] = {}
    for answer in _ANSWERS:
        known |= {(each.profile, each.key): each for each in all_of(client, ReviewAsk(profile=profile, answer=answer))}
    return [_named(key.lower(), list(known.values())) for key in keys]


def _named(beginning: str, known: list[Proposal]) -> Proposal:
    found = [each for each in known if each.key.startswith(beginning)]
    if not found:
        raise ProposalNotFound(
            f"No proposal has the key {beginning}; it may be about a text that has changed. Nothing was done."
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
