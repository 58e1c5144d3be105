"""`scrubjay get`, `excerpt`, `recent`, `stats`: notes in parts, the newest ones, and how much there is."""

import re

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach, warn_of_missing
from scrubjay.daemon.cli.output import print_json, print_table, say, warn
from scrubjay.daemon.printable import one_line, printable
from scrubjay.daemon.server.endpoints.common import NoteRef
from scrubjay.daemon.server.endpoints.links import EXCERPT, ExcerptAsk
from scrubjay.daemon.server.endpoints.notes import RECENT, SUGGEST, RecentAsk, SuggestAsk
from scrubjay.daemon.server.endpoints.read import MOST_TOKENS, NO_RANGE, READ, PartOfNote, ReadAsk, is_range
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.errors import UsageError

_LINES = re.compile(r"(?P<first>\d{1,9})?(?P<to>:)?(?P<last>\d{1,9})?")
_as_json = click.option("--json", "as_json", is_flag=True, help="For scripts.")
_profile = click.option("--profile", shell_complete=profile_names, help="Of this profile only.")


@click.command()
@click.argument("notes", nargs=-1, required=True)
@click.option("--lines", metavar="FROM:TO", help="Only these lines, such as 40:80, 40: or :80; 40 alone is that line.")
@click.option("--around", type=click.IntRange(0), help="The lines around this one; 0: around the passage of an id.")
@click.option("--numbers", is_flag=True, help="Put each line's number before it.")
@click.option(
    "--max-tokens", default=MOST_TOKENS, show_default=True, type=click.IntRange(50, 1_000_000), help="At most so much."
)
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="Of this profile only. Repeatable."
)
@_as_json
def get(
    notes: tuple[str, ...],
    lines: str | None,
    around: int | None,
    numbers: bool,
    max_tokens: int,
    profiles: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print NOTES as they are indexed, credentials taken out: whole, or some lines of one.

    A note is named by the #id of a passage, its path, the end of its path, or a pattern such as 'Projects/*.md'. Exit
    status 1 when one is not found.
    """
    first, last = _range(lines)
    ask = ReadAsk(
        notes=notes, profiles=profiles or None, from_line=first, to_line=last, around=around, max_tokens=max_tokens
    )
    with reach() as client:
        found = client.ask(READ, ask)
        if found.missing:
            warn_of_missing(client, profiles)
    if as_json:
        print_json(found)
    else:
        for note in found.notes:
            _print(note, numbers=numbers, headed=len(found.notes) > 1)
        for each in found.missing:
            warn(f"{one_line(each.name)}: {one_line(each.reason)}")
        if found.unread:
            warn(f"No room for {len(found.unread):,} more; --max-tokens makes room.")
    if found.missing:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("chunk_id", metavar="ID")
@click.argument("query", nargs=-1, required=True)
@_as_json
def excerpt(chunk_id: str, query: tuple[str, ...], as_json: bool) -> None:
    """Print the two sentences of passage ID that answer QUERY best. Search with --json to see ids."""
    with reach() as client:
        found = client.ask(EXCERPT, ExcerptAsk(id=chunk_id.removeprefix("#"), query=" ".join(query)))
    if as_json:
        print_json(found)
        return
    for sentence in found.sentences:
        say(f"{one_line(found.path)}:{sentence.line}  {sentence.text}")


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100), help="At most so many.")
@_profile
@_as_json
def recent(limit: int, profile: str | None, as_json: bool) -> None:
    """List the notes that were modified last."""
    with reach() as client:
        found = client.ask(RECENT, RecentAsk(limit=limit, profile=profile)).notes
        warn_of_missing(client, [profile] if profile else ())
    if as_json:
        print_json(found)
        return
    print_table(("modified", "note", "profile", "id"), map(_row, found))


@click.command()
@_profile
@_as_json
def stats(profile: str | None, as_json: bool) -> None:
    """Say how much is indexed, and which tags and folders are the commonest."""
    with reach() as client:
        found = [each for each in client.ask(STATUS).profiles if profile in (None, each.name)]
        warn_of_missing(client, [profile] if profile else ())
        used = {
            kind: client.ask(SUGGEST, SuggestAsk(kind=kind, profile=profile)).suggestions for kind in ("tag", "folder")
        }
    if not found and profile is not None:
        raise UsageError("There is no such profile.")
    if as_json:
        counted = [
            {name: getattr(each, name) for name in ("name", "notes", "chunks", "redactions", "bytes_on_disk")}
            for each in found
        ]
        print_json({"profiles": counted, "tags": used["tag"], "folders": used["folder"]})
        return
    print_table(
        ("profile", "notes", "passages", "credentials", "on disk"),
        (
            (
                each.name,
                f"{each.notes:,}",
                f"{each.chunks:,}",
                f"{each.redactions:,}",
                f"{each.bytes_on_disk / 1e6:.1f} MB",
            )
            for each in found
        ),
    )
    for kind, suggestions in used.items():
        if suggestions:
            say(f"{kind}s: {', '.join(f'{one_line(each.value)} ({each.notes:,})' for each in suggestions)}")


def _range(lines: str | None) -> tuple[int | None, int | None]:
    """First and last line, both included. Raises UsageError."""
    if lines is None:
        return None, None
    match = _LINES.fullmatch(lines)
    if match is None or not (match["first"] or match["last"]):
        raise click.UsageError("Lines are given as 40:80, 40:, :80 or 40.")
    first = int(match["first"]) if match["first"] else None
    last = int(match["last"]) if match["last"] else None if match["to"] else first
    if 0 in (first, last) or not is_range(first, last):
        raise click.UsageError(NO_RANGE)
    return first, last


def _print(note: PartOfNote, *, numbers: bool, headed: bool) -> None:
    if headed:
        say(f"==> {one_line(note.path)} <==")
    before: tuple[str, ...] | None = None
    for passage in note.passages:
        if passage.headings != before and passage.headings:
            say(one_line("## " + " › ".join(passage.headings)))
        before = passage.headings
        for number, line in enumerate(passage.text.split("\n"), passage.line):
            say(f"{number:>6}  {printable(line)}" if numbers else printable(line))
    if note.next_line is not None:
        warn(f"{note.lines_left:,} lines more; go on with --lines {note.next_line}:")


def _row(note: NoteRef) -> tuple[str, ...]:
    return f"{note.modified:%Y-%m-%d %H:%M}", one_line(note.path), note.profile, f"#{note.id}"
