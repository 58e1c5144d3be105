"""`scrubjay excerpt`: the sentences of a passage that answer best."""

import click

from scrubjay.daemon.api.endpoints.graph import EXCERPT, ExcerptAsk
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import print_json, say
from scrubjay.daemon.printable import one_line


@click.command()
@click.argument("chunk_id", metavar="ID")
@click.argument("query", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def excerpt(chunk_id: str, query: tuple[str, ...], as_json: bool) -> None:
    """Print the two sentences of passage ID that answer QUERY best. Search with --json to see ids."""
    with reach() as client:
        found = client.ask(EXCERPT, ExcerptAsk(id=chunk_id.removeprefix("#"), query=" ".join(query)))
    if as_json:
        print_json(found)
        return
    for sentence in found.sentences:
        say(f"{one_line(found.path)}:{sentence.line}  {sentence.text}")
