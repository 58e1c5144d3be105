"""`scrubjay context`: what the notes say about a prompt, for an agent's context."""

import sys

import click

from scrubjay.daemon.api.endpoints.search import CONTEXT, ContextAsk
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import echo, print_json


@click.command()
@click.argument("prompt", nargs=-1)
@click.option("--max-tokens", default=500, show_default=True, type=click.IntRange(50, 20_000), help="At most so much.")
@click.option("--profile", "profiles", multiple=True, help="From this profile only. Repeatable.")
@click.option("--json", "as_json", is_flag=True, help="With the number of tokens and the sources, for scripts.")
def context(prompt: tuple[str, ...], max_tokens: int, profiles: tuple[str, ...], as_json: bool) -> None:
    """Print what your notes say about PROMPT (or standard input), as one block of Markdown with its sources.

    The same index and prompt give the same bytes, so that what a model has cached stays good.
    """
    prompt_text = " ".join(prompt) or sys.stdin.read()
    if not prompt_text.strip():
        raise click.UsageError("Give a prompt, as arguments or on standard input.")
    ask = ContextAsk(prompt=prompt_text.replace("\0", " ")[:10_000], profiles=profiles or None, max_tokens=max_tokens)
    with reach() as client:
        reply = client.ask(CONTEXT, ask)
    if as_json:
        print_json(reply)
    else:
        echo(reply.markdown, nl=False)
