"""Proposals asked one by one on a terminal, as `git add -p` does."""

import click

from scrubjay.daemon.cli.connect import warn_of_missing
from scrubjay.daemon.cli.output import echo, plural, say
from scrubjay.daemon.cli.profile.common import Passphrases
from scrubjay.daemon.cli.review import requests, words
from scrubjay.daemon.cli.review.apply import apply_all
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.proposal import Answer, Proposal
from scrubjay.daemon.server.endpoints.review import ReviewAsk

_HELP = """\
y  yes: it is accepted, and written when you are through
n  no: it is not asked again for this text
l  later
u  back to the one before, its answer taken back
d  the diff of what yes would change
1  take option 1, or leave it out; so for each number
q  stop here"""

_ANSWERS: dict[str, Answer] = {"y": "yes", "n": "no", "l": "later"}


def walk(client: ScrubjayClient, ask: ReviewAsk) -> None:
    """Ask what waits until there is no more, or the person stops; then offer to write what was accepted."""
    proposals = requests.all_of(client, ask)
    if not proposals:
        if not warn_of_missing(client, [ask.profile] if ask.profile else ()):
            say("Nothing waits to be decided.")
        return
    accepted: dict[str, Proposal] = {}
    at = 0
    while at < len(proposals):
        proposal = proposals[at]
        chosen = [option.id for option in proposal.options if option.chosen]
        say(f"\n({at + 1}/{len(proposals)})", style="dim")
        _show(proposal, chosen)
        said = _asked(client, proposal, chosen)
        if said == "q":
            break
        if said == "u":
            at = max(at - 1, 0)
            requests.answer(client, proposals[at], "open")
            accepted.pop(proposals[at].key, None)
            continue
        requests.answer(client, proposal, _ANSWERS[said], tuple(chosen) if said == "y" and proposal.options else None)
        if said == "y" and proposal.options:
            accepted[proposal.key] = proposal
        at += 1
    if not accepted:
        return
    question = f"{plural(len(accepted), 'proposal')} accepted. Write them into your notes now?"
    if not click.confirm(question, default=False):
        say("`scrubjay review apply` writes them whenever you like.")
        return
    keys = accepted.keys()
    found = [each for each in requests.all_of(client, ReviewAsk(profile=ask.profile, answer="yes")) if each.key in keys]
    report = apply_all(
        client,
        found,
        ask.profile,
        consents=lambda loss: click.confirm(f"{loss} Write all the same?", default=False),
        passphrases=Passphrases(from_stdin=False),
    )
    for each in report.refused:
        say(each.said, style="yellow")
    say(f"{plural(len(report.notes), 'note')} changed. `scrubjay review undo` takes it back.")


def _show(proposal: Proposal, chosen: list[str]) -> None:
    for line in words.lines(proposal, chosen):
        echo(line)


def _asked(client: ScrubjayClient, proposal: Proposal, chosen: list[str]) -> str:
    """y, n, l, u or q; `chosen` is changed as the person takes options or leaves them out."""
    while True:
        said = click.prompt("[y,n,l,u,d,q,?]", prompt_suffix=" ", show_default=False).strip().lower()
        if said == "y" and proposal.options and not chosen:
            echo("Take an option first, by its number; or n, if none of them was meant.")
        elif said in {"y", "n", "l", "u", "q"}:
            return said
        elif said == "d":
            for line in requests.print_preview(requests.preview(client, proposal, tuple(chosen))):
                echo(line)
        elif said.isdigit() and 1 <= int(said) <= len(proposal.options):
            option = proposal.options[int(said) - 1].id
            chosen.remove(option) if option in chosen else chosen.append(option)
            _show(proposal, chosen)
        else:
            echo(_HELP)
