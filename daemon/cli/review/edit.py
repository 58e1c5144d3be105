"""`scrubjay edit`: one edit of every note that a search finds, shown, then written, then taken back as one."""

import sys
from collections import deque
from collections.abc import Mapping
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from scrubjay.daemon.cli.completions import profile_names, query_words
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.machine.index_progress import states
from scrubjay.daemon.cli.notes.query_command import QueryCommand
from scrubjay.daemon.cli.output import echo, plural, print_json, warn, warn_of_unanswered
from scrubjay.daemon.cli.profile.common import Passphrases
from scrubjay.daemon.cli.review.apply import put_back_unfinished, write_edit
from scrubjay.daemon.cli.review.commands import given_passphrases, on_terminal, tell
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.review.changes.result_edit import Action, ResultEdit
from scrubjay.daemon.review.changes.write_report import NotWritten
from scrubjay.daemon.server.endpoints.edit import EDIT, EditAsk, EditReply
from scrubjay.daemon.server.endpoints.status import INDEX, IndexAsk

_ACTIONS: Mapping[str, Action] = {  # option -> what it does
    "find": "replace",
    "add_tag": "add-tag",
    "remove_tag": "remove-tag",
    "set_property": "set-property",
    "remove_property": "remove-property",
}


class _Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the search page's user was shown and wants written, with the keys of the profiles that are open."""

    asked: EditAsk
    shown: frozenset[str]
    keys: dict[str, bytes]


class _Once(click.Option):
    """An option that can be given once: click keeps the last of several, and the others would be dropped in silence."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, multiple=True, callback=_only, **named)


def _only(_: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str | None:
    if len(given) > 1:
        raise click.UsageError(
            f"{option.opts[0]} is given {len(given)} times, and one call makes one change; call it once for each."
        )
    return given[0] if given else None


@click.command(cls=QueryCommand)
@click.argument("query", nargs=-1, shell_complete=query_words)
@click.option("--replace", "find", cls=_Once, metavar="TEXT", help="Replace this text, in upper or lower case.")
@click.option("--with", "after", cls=_Once, metavar="TEXT", help="With this one; without it, with nothing.")
@click.option("--whole-word", is_flag=True, help="Not within longer words.")
@click.option("--match-case", is_flag=True, help="Only where it is written in the same case.")
@click.option("--frontmatter", is_flag=True, help="Replace it in the notes' properties, too.")
@click.option("--add-tag", cls=_Once, metavar="TAG", help="Add a tag to the properties.")
@click.option("--remove-tag", cls=_Once, metavar="TAG", help="Remove a tag from the properties.")
@click.option("--set-property", cls=_Once, metavar="NAME=VALUE", help="Set a property, whatever it was.")
@click.option("--remove-property", cls=_Once, metavar="NAME", help="Remove a property with all that it says.")
@click.option("--profile", "profiles", multiple=True, shell_complete=profile_names, help="Of this profile. Repeatable.")
@click.option("--write", "writes", is_flag=True, help="Write what was shown into your notes; else nothing is written.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--passphrase-stdin", is_flag=True, help="Read the passphrase of a profile from standard input.")
@click.option("--shown-stdin", is_flag=True, hidden=True)  # as the daemon writes for its page: a `_Shown`
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def edit(
    query: tuple[str, ...],
    profiles: tuple[str, ...],
    writes: bool,
    yes: bool,
    passphrase_stdin: bool,
    shown_stdin: bool,
    as_json: bool,
    **wanted: str | bool | None,
) -> None:
    """Make one edit in every note that a search finds by its words and filters. Without --write it is only shown.

    Text is replaced as it is written, no pattern; in the properties only with --frontmatter. A line on which a
    credential is hidden is never touched. A note that changes after it was shown is left out, and named. `scrubjay
    review undo` takes back all that one call wrote. Exit status 1 where something could not be written.
    """
    if shown_stdin:
        told = msgspec.json.decode(sys.stdin.buffer.read(), type=_Shown)
        asked, given = told.asked, Passphrases(from_stdin=False, keys=told.keys)
        writes = yes = True
    else:
        told = None
        asked = EditAsk(query=" ".join(query), edit=_edit(wanted), profiles=profiles or None)
        given = given_passphrases(from_stdin=passphrase_stdin, keys_stdin=False)
    if wrong := asked.edit.wrong or ("" if asked.query.strip() else "Say which notes: give a query."):
        raise click.UsageError(wrong)
    with reach() as client, console.status("Looking through your notes…"):
        for name in put_back_unfinished(asked.profiles or (), given) if writes else ():
            if not client.is_in_process:  # it finds the notes by what they say again
                client.ask(INDEX, IndexAsk(profile=name))
                deque(states(client, name), maxlen=0)
        reply = client.ask(EDIT, asked)
    edited, refused = reply.edited, reply.refused
    if told is not None:
        others = [each.file.path for each in edited if each.key not in told.shown]
        refused += tuple(NotWritten(path, (), "It is not as it was shown; look again.") for path in others)
        edited = tuple(each for each in edited if each.key in told.shown)
    elif not as_json:
        _show(reply)
    if not writes or (told is None and not edited):
        _end_dry(reply, as_json=as_json)
        return
    if not yes and not _consents(f"Write into {plural(len(edited), 'note')}?"):
        warn("Nothing was written.")
        return
    report = write_edit(
        edited, consents=lambda loss: yes or _consents(f"{loss} Write all the same?"), passphrases=given
    )
    report.refused[:0] = refused
    tell(report, "written", "`scrubjay review undo` takes it back.", as_json=as_json)


def _edit(wanted: Mapping[str, str | bool | None]) -> ResultEdit:
    """The one edit that the options name. Raises click.UsageError."""
    named = [option for option in _ACTIONS if wanted[option] is not None]
    if len(named) != 1:
        asks = "One call makes one change:" if named else "Say what is to be done: one of"
        raise click.UsageError(
            f"{asks} --replace, --add-tag, --remove-tag, --set-property {'or' if named else 'and'} --remove-property."
        )
    (option,) = named
    text = str(wanted[option])
    action = _ACTIONS[option]
    how = ResultEdit(
        action=action,
        after=str(wanted["after"] or ""),
        whole_word=bool(wanted["whole_word"]),
        match_case=bool(wanted["match_case"]),
        frontmatter=bool(wanted["frontmatter"]),
    )
    if action == "replace":
        return replace(how, find=text)
    name, is_set, value = text.partition("=") if action == "set-property" else (text, "=", "")
    if not is_set:
        raise click.UsageError("--set-property takes NAME=VALUE.")
    return replace(how, name=name.strip().lstrip("#" if "tag" in action else ""), value=value.strip())


def _consents(question: str) -> bool:
    """Whether a person says yes. Raises click.UsageError where nobody can be asked."""
    if not on_terminal():
        raise click.UsageError(f"{question} Nobody can be asked here; --yes says so.")
    return click.confirm(question, default=False, err=True)


def _show(reply: EditReply) -> None:
    for each in reply.edited:
        for line in each.file.diff.splitlines():
            echo(line)
    warn_of_unanswered(reply.unanswered)
    if reply.in_links:
        places = plural(reply.in_links, "of these places is", "of these places are")
        warn(f"{places} in the target of a link, which leads elsewhere then.", style="yellow")
    if reply.left_lines:
        lines = plural(reply.left_lines, "line that holds it stays", "lines that hold it stay")
        warn(f"{lines} as written: a credential is hidden there.", style="yellow")


def _end_dry(reply: EditReply, *, as_json: bool) -> None:
    """What there is to say where nothing is written. Exit status 1 where nothing would be."""
    if as_json:
        print_json(reply)
    else:
        for each in reply.refused:
            warn(each.said, style="yellow")
        would = plural(len(reply.edited), "note")
        warn(
            f"{would} would change, {reply.unchanged:,} stay as they are. --write writes it."
            if reply.edited
            else "Nothing changes."
        )
    if not reply.edited:
        raise click.exceptions.Exit(1)
