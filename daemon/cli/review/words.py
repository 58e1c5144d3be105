"""Proposals in words for a terminal."""

from collections.abc import Collection, Iterator

from scrubjay.daemon.printable import one_line
from scrubjay.daemon.review.proposal import Kind, Proposal

KEY_LENGTH = 8  # hex digits of a key that are shown; fewer may be given back

HEADINGS: dict[Kind, str] = {
    "near-copy": "Nearly the same text",
    "replaced": "A newer note says otherwise",
    "missing-link": "A note is named and not linked",
    "broken-link": "A link leads nowhere",
    "untagged": "No tags",
    "tag-forms": "One tag in several forms",
    "orphan": "Not linked at all",
    "dead-end": "Links to nothing",
    "stale": "Long untouched",
    "empty": "Empty",
    "stub": "Hardly begun",
    "long": "Very long",
    "intake": "New in the inbox",
    "suggested": "Suggested by a program",
}


CHANGES_NONE = "changes no note: `review apply` puts it away as seen to, and the rest is yours to do."
CHANGE_NONE = "change no note: `review apply` puts them away as seen to, and the rest is yours to do."
"""What a yes means of proposals without options, of one and of several; after what names them."""

_COUNTED: dict[Kind, str] = {
    "dead-end": "notes that link to it: {}",
    "empty": "bytes: {}",
    "long": "words: {}",
    "stale": "days without a change: {}",
    "stub": "words: {}",
}


def _detail(proposal: Proposal) -> str:
    """The detail; where it is a number, what it counts."""
    return _COUNTED.get(proposal.kind, "{}").format(proposal.detail)


def place(proposal: Proposal) -> str:
    """The note, with its line where there is one."""
    return one_line(f"{proposal.path}:{proposal.line}" if proposal.line else proposal.path)


def summary(proposal: Proposal) -> str:
    """What it is about, in a line."""
    said = [_detail(proposal)] if proposal.detail else []
    if proposal.options:
        said.append("→ " + ", ".join(option.label for option in proposal.options if option.chosen))
    elif proposal.others:
        said.append("→ " + ", ".join(other.path for other in proposal.others))
    return one_line(" ".join(said) or proposal.quote)


def lines(proposal: Proposal, chosen: Collection[str] | None = None) -> Iterator[str]:
    """All there is to say of it. chosen: the ids of the options with a cross; None: as proposed."""
    yield f"{HEADINGS[proposal.kind]}: {place(proposal)}"
    if proposal.detail:
        yield f"  {one_line(_detail(proposal))}"
    if proposal.quote:
        yield f"  “{one_line(proposal.quote)}”"
    for score in proposal.scores:
        yield f"  {score.ground} {score.value:.0%}: {one_line(score.why)}"
    for other in proposal.others:
        yield one_line(f"{other.path}:{other.line}" if other.line else other.path).join(("  → ", ""))
    for number, option in enumerate(proposal.options, start=1):
        taken = option.chosen if chosen is None else option.id in chosen
        yield f"  [{'x' if taken else ' '}] {number} {one_line(option.label)}"
