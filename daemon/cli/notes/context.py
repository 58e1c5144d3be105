"""`scrubjay context`: what the notes say about a prompt, for an agent's context."""

import contextlib
import os
import sys

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect, reach, warn_of_missing
from scrubjay.daemon.cli.output import echo, print_json
from scrubjay.daemon.server.endpoints.search import CONTEXT, ContextAsk
from scrubjay.daemon.setup.prompt_hooks import HOOK_CLIENTS, answer_of, prompt_of

_MOST_SENT = 4_000_000  # bytes that a hook reads of what it is sent
_LONGEST_PROMPT = 10_000


@click.command()
@click.argument("prompt", nargs=-1)
@click.option("--max-tokens", default=500, show_default=True, type=click.IntRange(50, 20_000), help="At most so much.")
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="From this profile only. Repeatable."
)
@click.option("--hook", type=click.Choice(list(HOOK_CLIENTS)), help="As a hook of this program; see `scrubjay hooks`.")
@click.option("--home", type=click.Path(), hidden=True, help="$SCRUBJAY_HOME, for a hook, which can't set it.")
@click.option("--explain", is_flag=True, help="With --hook: print what it would add to PROMPT, or why nothing.")
@click.option("--json", "as_json", is_flag=True, help="With the number of tokens and the sources, for scripts.")
def context(
    prompt: tuple[str, ...],
    max_tokens: int,
    profiles: tuple[str, ...],
    hook: str | None,
    home: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Print what your notes say about PROMPT (or standard input), as one block of Markdown with its sources.

    The same index and prompt give the same bytes, so that what a model has cached stays good. With --hook it reads what
    the program sends, ends within a second with status 0 whatever comes, and prints nothing where nothing answers.
    """
    if home is not None:
        os.environ["SCRUBJAY_HOME"] = home
    if explain and hook is None:
        raise click.UsageError("--explain is of a hook: name its program with --hook.")
    if hook is not None and not explain:
        _as_hook(hook, max_tokens, profiles)
        return
    prompt_text = " ".join(prompt) or sys.stdin.read()
    if not prompt_text.strip():
        raise click.UsageError("Give a prompt, as arguments or on standard input.")
    with reach() as client:
        reply = client.ask(CONTEXT, _ask(prompt_text, profiles, max_tokens, unasked=explain))
        is_partial = not reply.sources and warn_of_missing(client, profiles)
    if as_json:
        print_json(reply)
    elif explain or not is_partial:
        echo(f"Nothing is added. {reply.silent}\n" if reply.silent else reply.markdown, nl=False)


def _ask(prompt: str, profiles: tuple[str, ...], max_tokens: int, *, unasked: bool) -> ContextAsk:
    text = prompt.replace("\0", " ")[:_LONGEST_PROMPT]
    return ContextAsk(prompt=text, profiles=profiles or None, max_tokens=max_tokens, unasked=unasked)


def _as_hook(hook: str, max_tokens: int, profiles: tuple[str, ...]) -> None:
    """Whatever fails here, the prompt goes on without the notes; `scrubjay context` says what is wrong."""
    with contextlib.suppress(Exception):
        prompt = prompt_of(sys.stdin.buffer.read(_MOST_SENT))
        if prompt.strip():
            with connect() as client:
                reply = client.ask(CONTEXT, _ask(prompt, profiles, max_tokens, unasked=True))
            if reply.sources:
                click.echo(answer_of(HOOK_CLIENTS[hook], reply.markdown))
