"""`scrubjay traverse`: outward from a note along links, and what became of every note on the way."""

import click

from scrubjay.daemon.cli.connect import reach_note
from scrubjay.daemon.cli.output import print_json, print_table, say, warn
from scrubjay.daemon.links.answer_words import ENDINGS, FATES
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.links import TRAVERSE, TraverseAsk


@click.command()
@click.argument("path", required=False)
@click.option("--query", help="Begin with the best results of this search instead: three, or with --deep eight.")
@click.option("--vault", help="Which vault, where several have such a note.")
@click.option("--about", help="Stay on this subject; on that of the note, if left out.")
@click.option("--depth", default=2, show_default=True, type=click.IntRange(1, 4), help="Most links in a row.")
@click.option("--deep", is_flag=True, help="Drop nothing within reach.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def traverse(
    path: str | None, query: str | None, vault: str | None, about: str | None, depth: int, deep: bool, as_json: bool
) -> None:
    """Walk along links from the note at PATH, keeping what stays on the subject; say what was dropped, and why."""
    if (path is None) == (query is None):
        raise click.UsageError("Say where to begin: PATH, or --query.")
    ask = TraverseAsk(path=path, search=query, vault=vault, about=about, depth=depth, deep=deep)
    with reach_note() as client:
        walk = client.ask(TRAVERSE, ask)
    if as_json:
        print_json(walk)
        return
    print_table(
        ("hop", "likeness", "note", "by way of", "what became of it"),
        (
            (
                step.hop,
                "" if step.likeness is None else f"{step.likeness:.2f}",
                one_line(step.note.path),
                one_line(step.via or ""),
                FATES[step.fate],
            )
            for step in walk.steps
        ),
    )
    if walk.omitted:
        warn(f"{walk.omitted:,} more notes were looked at.")
    say(f"It ended there: {ENDINGS[walk.ending]}.")
