"""`scrubjay llm`: which language model of the user's own may write answers."""

import click

from scrubjay.daemon.answers.model_server import Server, server_of, taken_by_another
from scrubjay.daemon.cli.output import say, warn
from scrubjay.daemon.home import Home
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.settings import Llm, load_settings, save_llm
from scrubjay.profiles.errors import UsageError

_MOST_NAMED = 20


@click.group()
def llm() -> None:
    """Name the language model that may write answers (`scrubjay ask`). None is asked until you do."""


@llm.command()
@click.argument("url")
@click.option("--model", default="", help="The model's name there. Left out: the only one that the server has.")
@click.option(
    "--allow-host", default="", metavar="HOST", help="Needed where URL is on another computer: name it again."
)
@click.option(
    "--key", "with_key", is_flag=True, help="The server wants an API key: ask me for it, and keep it in the keyring."
)
@click.option(
    "--seconds", default=120, show_default=True, type=click.IntRange(5, 600), help="Longest time for an answer."
)
def use(url: str, model: str, allow_host: str, with_key: bool, seconds: int) -> None:
    """Have the OpenAI-compatible server at URL write answers, such as http://127.0.0.1:11434/v1.

    Ollama has that address, LM Studio http://127.0.0.1:1234/v1, llama.cpp's server http://127.0.0.1:8080/v1. With each
    question it is sent the passages that were found for it, credentials taken out.
    """
    from scrubjay.daemon.answers.model_server import forget_key, keep_key

    home = Home.find().make()
    before = load_settings(home.settings).llm
    wanted = Llm(url=url.strip(), model=model, allow_host=allow_host.strip().lower(), key=with_key, seconds=seconds)
    server = server_of(wanted)
    key = click.prompt("API key", hide_input=True).strip() if with_key else ""
    chosen = Llm(
        url=server.url,
        model=model or _only_model(server_of(wanted, key)),
        allow_host="" if server.is_here else wanted.allow_host,
        key=with_key,
        seconds=seconds,
    )
    forget_key(before)
    if with_key:
        keep_key(server.address, key)
    save_llm(home.settings, chosen)
    say(f'{chosen.model} at {server.address} writes answers from now on: scrubjay ask "…"')
    say("A running daemon takes it over within three seconds; `scrubjay llm off` takes it back.", style="dim")
    if not server.is_here:
        _warn_of_what_leaves(server)


@llm.command()
def off() -> None:
    """Ask no language model any more, and forget its API key."""
    from scrubjay.daemon.answers.model_server import forget_key

    home = Home.find().make()
    forget_key(load_settings(home.settings).llm)
    save_llm(home.settings, Llm())
    say("No language model is asked any more.")


@llm.command()
def show() -> None:
    """Say which language model writes answers, and what it is sent."""
    named = load_settings(Home.find().settings).llm
    if not named.url:
        say("None is named, so nothing is sent to any. `scrubjay llm use --help` says how.")
        return
    server = server_of(named)
    say(f"{server.model} at {server.url}" + (", with an API key in the keyring" if named.key else ""))
    if not server.is_here:
        _warn_of_what_leaves(server)
    elif said := taken_by_another(server):
        warn(said)


def _only_model(server: Server) -> str:
    """The model of a server that has one. Raises UsageError, which lists them, or ModelTrouble."""
    from scrubjay.daemon.answers.model_connection import models_at

    names = models_at(server)
    if len(names) == 1:
        return names[0]
    listed = "".join(f"\n  {one_line(name)}" for name in names[:_MOST_NAMED])
    raise UsageError(
        f"Name a model with --model. The server at {server.address} has:{listed}"
        if names
        else f"The server at {server.address} has no model. Load one there, or name it with --model."
    )


def _warn_of_what_leaves(server: Server) -> None:
    warn(
        f"{server.address} is another computer. It is sent each question of `scrubjay ask`, and the passages of your"
        " notes that were found for it, with their titles; credentials are taken out, all else is as you wrote it."
    )
    if server.url.startswith("http://"):
        warn("The connection is not encrypted: whoever is on the way can read along. https:// would hide it.")
