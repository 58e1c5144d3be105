"""The commands."""

import sys

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach, warn_of_unread
from scrubjay.daemon.cli.output import echo, plural, print_json, print_table, say, warn, warn_of_unanswered
from scrubjay.daemon.cli.profile.common import Passphrases
from scrubjay.daemon.cli.review import requests, words
from scrubjay.daemon.cli.review.apply import apply_all, whole_patch
from scrubjay.daemon.cli.review.undo import runs, undo_run
from scrubjay.daemon.cli.review.walk import walk
from scrubjay.daemon.review.changes.write_report import ApplyReport, RunShown
from scrubjay.daemon.review.proposal import Answer, Proposal
from scrubjay.daemon.server.endpoints import review as review_module
from scrubjay.daemon.server.endpoints.review import REVIEW_CLEAR, ClearAsk, ReviewAsk

_KINDS = tuple(words.HEADINGS)
_as_json = click.option("--json", "as_json", is_flag=True, help="For scripts.")
_profile = click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
_keys = click.argument("keys", nargs=-1, required=True, metavar="KEY...")
# As the daemon writes for its page: the keys of the profiles that are open in it, by id, as JSON.
_keys_stdin = click.option("--keys-stdin", is_flag=True, hidden=True)
_stdin = click.option("--passphrase-stdin", is_flag=True, help="Read the passphrase of a profile from standard input.")


@click.group(invoke_without_command=True)
@_profile
@click.option("--kind", type=click.Choice(_KINDS), help="Of this kind only.")
@click.option("--folder", help="About notes in this folder only.")
@click.option(
    "--answer",
    type=click.Choice(("open", "yes", "no", "later", "done")),
    default="open",
    show_default=True,
    help="Those that wait, or those that were answered so.",
)
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="At most so many.")
@click.option("--list", "lists", is_flag=True, help="List them, also on a terminal.")
@_as_json
@click.pass_context
def review(ctx: click.Context, limit: int, lists: bool, as_json: bool, **filters: str | None) -> None:
    """Go through small decisions that would tidy your notes: yes, no, or later.

    On a terminal they are asked one by one; otherwise they are listed. No note is changed before `review apply`, and
    `review undo` takes that back.
    """
    if ctx.invoked_subcommand is not None:
        return
    ask = msgspec.convert({**filters, "limit": limit}, ReviewAsk)
    is_open = ask.answer == "open"
    with reach() as client:
        if is_open and not (lists or as_json) and on_terminal():
            walk(client, ask)
            return
        reply = requests.first_page(client, ask)
        is_unread = warn_of_unread(client, [ask.profile] if ask.profile else ())
    warn_of_unanswered(reply.unanswered)
    if as_json:
        print_json(reply)
        return
    rows = [
        (each.key[: words.KEY_LENGTH], each.kind, words.place(each), words.summary(each)) for each in reply.proposals
    ]
    if rows:
        print_table(("key", "kind", "note", ""), rows)
    if reply.total > len(rows):
        counts = ", ".join(f"{each.kind} {each.count:,}" for each in reply.counts)
        warn(f"{len(rows)} of {reply.total:,} ({counts}).")
    elif not (rows or reply.waiting or reply.unanswered or is_unread):
        warn("Nothing waits to be decided." if is_open else "Nothing was answered so.")
    if reply.waiting:
        warn(f"{plural(reply.waiting, 'note')} not looked at yet; more may come.")


def on_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@review.command()
@_keys
@_profile
@click.option("--only", multiple=True, type=click.IntRange(1), metavar="NUMBER", help="This option alone. Repeatable.")
def yes(keys: tuple[str, ...], profile: str | None, only: tuple[int, ...]) -> None:
    """Accept proposals. `scrubjay review apply` writes them."""
    with reach() as client:
        found = requests.by_key(client, keys, profile)
        if only and (len(found) != 1 or max(only) > len(found[0].options)):
            raise click.UsageError("--only is for one proposal, and names its options by number: see `review show`.")
        chosen = tuple(found[0].options[number - 1].id for number in only) if only else None
        for each in found:
            requests.answer(client, each, "yes", chosen)
    if count := sum(bool(each.options) for each in found):
        say(f"{plural(count, 'proposal')} accepted. `scrubjay review apply` writes them into your notes.")
    if count := sum(not each.options for each in found):
        say(f"{plural(count, 'proposal')} accepted that {words.CHANGES_NONE if count == 1 else words.CHANGE_NONE}")


def _answering(name: str, said: Answer, about: str) -> None:
    @review.command(name, help=about)
    @_keys
    @_profile
    def command(keys: tuple[str, ...], profile: str | None) -> None:
        with reach() as client:
            found = requests.by_key(client, keys, profile)
            for each in found:
                requests.answer(client, each, said)
        say(f"{plural(len(found), 'proposal')}: {said}.")

    del command


_answering("no", "no", "Refuse proposals. They are not made again for the same text.")
_answering("later", "later", "Put proposals off.")
_answering("reopen", "open", "Take an answer back.")


@review.command()
@click.argument("name", required=False)
@_profile
def clear(name: str | None, profile: str | None) -> None:
    """Refuse all that the program NAME put forward and that waits; without NAME, all that programs put forward.

    Exit status 1 where nothing of it waits. `scrubjay review --answer no` still lists them.
    """
    with reach() as client:
        count = client.ask(REVIEW_CLEAR, ClearAsk(by=name, profile=profile)).count
    whose = name or "programs"
    if not count:
        warn(f"No proposal of {whose} waits.")
        raise click.exceptions.Exit(1)
    say(f"{plural(count, 'proposal')} of {whose} refused. `scrubjay clients scope` keeps a program from making more.")


@review.command()
@click.argument("key")
@_profile
@_as_json
def show(key: str, profile: str | None, as_json: bool) -> None:
    """Show one proposal, and what yes would change, as a diff. Exit status 1 where it can't be applied."""
    with reach() as client:
        (found,) = requests.by_key(client, (key,), profile)
        reply = requests.preview(client, found)
    if as_json:
        print_json({"proposal": found, "preview": reply})
    else:
        for line in (*words.lines(found), *requests.print_preview(reply)):
            echo(line)
        if not found.options:
            say(f"This {words.CHANGES_NONE}")
    if reply.refused:
        raise click.exceptions.Exit(1)


@review.command()
@_profile
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--key", "keys", multiple=True, help="Write this one alone. Repeatable.")
@_stdin
@_keys_stdin
@_as_json
def apply(
    profile: str | None,
    dry_run: bool,
    yes: bool,
    keys: tuple[str, ...],
    passphrase_stdin: bool,
    keys_stdin: bool,
    as_json: bool,
) -> None:
    """Write what you said yes to into your notes. Exit status 1 where something could not be written.

    Each change is made as a whole or not at all, and only where the note still is what was proposed from. `scrubjay
    review undo` takes back all that one call wrote.
    """

    def consents(loss: str) -> bool:
        warn(loss, style="yellow")
        return yes or not on_terminal() or click.confirm("Write all the same?", default=False, err=True)

    given = given_passphrases(from_stdin=passphrase_stdin, keys_stdin=keys_stdin)
    with reach() as client:
        accepted = requests.all_of(client, ReviewAsk(profile=profile, answer="yes"))
        if keys:
            accepted = [each for each in accepted if each.key.startswith(keys)]
        if dry_run:
            _show_all([(each, requests.preview(client, each)) for each in accepted], as_json=as_json)
            return
        report = apply_all(client, accepted, profile, consents=consents, passphrases=given)
    for each in accepted:
        if not (each.options or as_json):
            say(f"{words.HEADINGS[each.kind]}: {words.place(each)} {words.CHANGES_NONE}")
    tell(report, "written", "`scrubjay review undo` takes it back.", as_json=as_json)


@review.command()
@_profile
@click.option("--list", "lists", is_flag=True, help="List what can be taken back, and take back nothing.")
@click.option("--run", metavar="RUN", help="Take back this one, named as --list does.")
@_stdin
@_keys_stdin
@_as_json
def undo(
    profile: str | None, lists: bool, run: str | None, passphrase_stdin: bool, keys_stdin: bool, as_json: bool
) -> None:
    """Take back what the last `review apply` wrote. Exit status 1 where a note has changed since, or nothing is left.

    Of an apply, what can be taken back is, and what can't is named with the note that blocks it and can be tried
    again. Where nothing of the last can be, it goes on to the one before, up to 30 days; so does calling it again.
    """
    given = given_passphrases(from_stdin=passphrase_stdin, keys_stdin=keys_stdin)
    if lists:
        _list_runs(runs(profile, given), as_json=as_json)
        return
    with reach() as client:
        report = undo_run(client, profile, run, given)
    if report is None:
        warn("Nothing was applied that could be undone.")
        raise click.exceptions.Exit(1)
    tell(report, "taken back", "", as_json=as_json)


@review.command()
@_profile
@click.option("--vault", help="Of this vault, where the changes are in several.")
def patch(profile: str | None, vault: str | None) -> None:
    """Print what you said yes to as a patch, for `git apply` in the vault's folder. Nothing is written or marked."""
    with reach() as client:
        made = whole_patch(client, requests.all_of(client, ReviewAsk(profile=profile, answer="yes")), vault)
    click.echo(made.text.encode(), nl=False)
    for reason in made.refused:
        warn(reason, style="yellow")
    if made.refused:
        raise click.exceptions.Exit(1)


def _show_all(shown: list[tuple[Proposal, review_module.PreviewReply]], *, as_json: bool) -> None:
    if as_json:
        print_json([{"proposal": proposal, "preview": reply} for proposal, reply in shown])
        return
    for proposal, reply in shown:
        named = f"{proposal.key[: words.KEY_LENGTH]} {words.HEADINGS[proposal.kind]}: {words.place(proposal)}"
        if not proposal.options:
            echo(f"{named} {words.CHANGES_NONE}")
            continue
        echo(named)
        for line in requests.print_preview(reply):
            echo(line)
    if not shown:
        warn("Nothing was accepted yet: `scrubjay review` asks.")


def given_passphrases(*, from_stdin: bool, keys_stdin: bool) -> Passphrases:
    """How a command of this group comes to the keys of profiles that are encrypted."""
    keys = msgspec.json.decode(sys.stdin.buffer.read(), type=dict[str, bytes]) if keys_stdin else None
    return Passphrases(from_stdin=from_stdin, keys=keys)


def _list_runs(runs: list[RunShown], *, as_json: bool) -> None:
    if as_json:
        print_json(runs)
        return
    rows = [
        (each.run, f"{each.applied:%Y-%m-%d %H:%M}", each.profile, f"{each.proposals:,}", f"{each.notes:,}")
        for each in runs
    ]
    if rows:
        print_table(("run", "applied", "profile", "proposals", "notes"), rows)
    else:
        warn("Nothing was applied that could be undone.")
    for each in runs:
        for one in each.blocked:
            warn(f"{each.run}: {one.said}", style="yellow")


def tell(report: ApplyReport, done: str, then: str, *, as_json: bool) -> None:
    """Print what was written, or taken back, and what could not be; exit status 1 where something could not."""
    if as_json:
        print_json(report)
    else:
        for path in report.notes:
            echo(path)
        for each in report.refused:
            warn(each.said, style="yellow")
        proposals = f"{plural(len(report.keys), 'proposal')} {done}, " if report.keys else ""
        what = f"{proposals}{plural(len(report.notes), 'note')} changed."
        warn(f"{what} {then}".rstrip() if report.notes else what)
    if report.refused:
        raise click.exceptions.Exit(1)
