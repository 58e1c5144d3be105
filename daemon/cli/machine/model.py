"""`scrubjay model list | download | add | suggest | remove`: the embedding models on this machine."""

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect
from scrubjay.daemon.cli.output import megabytes, plural, print_json, print_table, say
from scrubjay.daemon.cli.profile.common import notify_daemon, registry
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import BUNDLED, BUNDLED_NAME, forget, here, is_only_packaged
from scrubjay.daemon.server.endpoints.status import STATUS, ModelSuggestion
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel, Pooling


@click.command()
@click.argument("profile", required=False, shell_complete=profile_names)
@click.option(
    "--take",
    is_flag=True,
    help="Have the profile read by it, in the background; a model that is not here is downloaded.",
)
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.pass_context
def suggest(ctx: click.Context, profile: str | None, take: bool, as_json: bool) -> None:
    """Name a model that reads the languages of the notes, where a profile's own reads them badly.

    Of PROFILE, or of all that are open.
    """
    with connect() as client:
        profiles = client.ask(STATUS).profiles
    found = {each.name: each.suggestion for each in profiles if profile in (None, each.name) and each.suggestion}
    if profile is not None and profile not in {each.name for each in profiles}:
        raise UsageError(f"There is no profile named {profile}. `scrubjay profile list` names them all.")
    if take:
        _take(ctx, found)
    elif as_json:
        print_json(found)
    elif found:
        for each in found.values():
            say(each.text)
    else:
        say("The model reads the languages of the notes, as far as these are known.")


def _take(ctx: click.Context, found: dict[str, ModelSuggestion]) -> None:
    from scrubjay.daemon.cli.profile.options import model

    pass

    if not found:
        raise UsageError("There is nothing to take: the model reads the languages of the notes.")
    for name, suggestion in found.items():
        if not suggestion.is_here:
            ctx.invoke(download, name=suggestion.model, as_json=False)
        ctx.invoke(model, name=name, model=suggestion.model, as_json=False)


_POOLINGS: tuple[Pooling, ...] = ("mean", "first", "last", "none")
_json_option = click.option("--json", "as_json", is_flag=True, help="For scripts.")


class _Shown(msgspec.Struct, frozen=True):
    """A model as `--json` prints it."""

    name: str  # as a profile names it
    dim: int
    max_tokens: int
    bytes: int
    profiles: tuple[str, ...]  # that use it


@click.group()
def model() -> None:
    """See, download, add and remove embedding models. The bundled one is always there and needs no download."""


model.add_command(suggest)


@model.command(name="list")
@click.option("--available", is_flag=True, help="Those that can be downloaded, the smallest first.")
@_json_option
def list_(available: bool, as_json: bool) -> None:
    """List the models on this machine and who uses them."""
    if available:
        _list_available(as_json=as_json)
        return
    home = Home.find()
    found = [_shown(BUNDLED_NAME, BUNDLED.dim, BUNDLED.max_tokens, BUNDLED.path or Path())]
    found += [_shown(each.name, each.dim, each.max_tokens, folder) for each, folder in here(home.models)]
    if as_json:
        print_json(found)
        return
    print_table(
        ("model", "dimensions", "tokens", "size", "profiles"),
        ((m.name, m.dim, m.max_tokens, megabytes(m.bytes), ", ".join(m.profiles) or "none") for m in found),
    )


@model.command()
@click.argument("name")
@_json_option
def download(name: str, as_json: bool) -> None:
    """Download the model NAME from Hugging Face, once. This is the only command that reaches the network."""
    if name == BUNDLED_NAME:
        raise UsageError("The bundled model came with Scrubjay; there is nothing to download.")
    # Imported when needed: it brings fastembed and the model's runtime.
    from scrubjay.daemon.models.download import fetch

    home = Home.find().make()
    found = fetch(name, home.models)
    notify_daemon()
    if as_json:
        print_json(_shown(found.name, found.dim, found.max_tokens, found.path or home.models))
    else:
        say(_downloaded(found))


@model.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--name", help="What to call it; otherwise as its folder is called.")
@click.option("--file", help="Which ONNX file, by its path in FOLDER, where there are several.")
@click.option(
    "--pooling", type=click.Choice(_POOLINGS), help="From a text's tokens to its vector, if FOLDER does not say."
)
@click.option("--max-tokens", type=click.IntRange(16, 512), help="Its window, if FOLDER does not say.")
@click.option("--query-prefix", help='What it wants before a query; "" for nothing.')
@click.option("--passage-prefix", help='What it wants before a passage; "" for nothing.')
@_json_option
def add(folder: Path, as_json: bool, **said: Any) -> None:
    """Add the model in FOLDER: an ONNX file with its tokenizer.json, as Optimum or sentence-transformers export it.

    It is tried on built-in sentences in 31 languages, and copied. Nothing is downloaded.
    """
    from scrubjay.daemon.models.added_model import ModelOverrides, Questions, add_model

    home = Home.find().make()
    installed, checked = add_model(folder, home.models, ModelOverrides(**said), Questions(_ask_pooling, _ask_prefix))
    notify_daemon()
    if as_json:
        print_json(_shown(installed.name, installed.dim, installed.max_tokens, home.models / installed.folder))
        return
    say(f"{installed.name} is here: {installed.dim} dimensions, reads {installed.max_tokens} tokens.")
    told_apart, tried = ", ".join(checked.languages), len(installed.tried)
    say(f"Of the {tried} languages it was tried on it tells texts apart in: {told_apart}.")
    say(f"Have a profile read by it: scrubjay profile model NAME {installed.name}")


def _ask_pooling() -> Pooling:
    if not sys.stdin.isatty():
        raise UsageError("The folder does not say how the model pools its tokens: give --pooling mean, first or last.")
    return click.prompt("How does the model pool its tokens", type=click.Choice(_POOLINGS), default="mean", err=True)


def _ask_prefix(what: str) -> str:
    if not sys.stdin.isatty():
        return ""
    return click.prompt(
        f"What does the model want before a {what} (Enter: nothing)", default="", show_default=False, err=True
    )


@model.command()
@click.argument("name")
@_json_option
def remove(name: str, as_json: bool) -> None:
    """Delete the downloaded or added model NAME. Profiles that use it have to be given another first."""
    if name == BUNDLED_NAME:
        raise UsageError("The bundled model belongs to Scrubjay and stays.")
    if using := _used_by(name):
        raise UsageError(
            f"{plural(len(using), 'profile')} use it: {', '.join(using)}. "
            f"Give them another model first: scrubjay profile model {using[0]!r} {BUNDLED_NAME}"
        )
    home = Home.find()
    if is_only_packaged(name, home.models):
        raise UsageError(f"The model {name} came with a package and goes with it: pip uninstall takes both away.")
    forget(name, home.models)
    if as_json:
        print_json({"removed": name})
    else:
        say(f"Removed the model {name}.")


def _list_available(*, as_json: bool) -> None:
    from scrubjay.daemon.models.download import available as all_available

    with console.status("Looking…"):
        found = all_available()
    if as_json:
        print_json(found)
        return
    print_table(
        ("model", "dimensions", "size", "about"),
        ((each.name, each.dim, f"{each.gigabytes:.2f} GB", each.about) for each in found),
    )


def _shown(name: str, dim: int, max_tokens: int, folder: Path) -> _Shown:
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return _Shown(name, dim, max_tokens, size, _used_by(name))


def _used_by(name: str) -> tuple[str, ...]:
    return tuple(profile.name for profile in registry().list() if profile.model.lower() == name.lower())


def _downloaded(found: EmbeddingModel) -> str:
    using = _used_by(found.name)
    if using:
        return f"{found.name} is here. Read by it from now on: {', '.join(using)}."
    return f"{found.name} is here. Have a profile read by it: scrubjay profile model NAME {found.name}"
