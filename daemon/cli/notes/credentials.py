"""`scrubjay credentials` and `scrubjay scrub`: where secrets sit, and text without them."""

import shutil
import sys
from itertools import groupby
from pathlib import Path

import click

from scrubjay.credential_filter import Rules, redact
from scrubjay.daemon.api.endpoints.status import CREDENTIALS, Credential
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import plural, print_json, say, warn
from scrubjay.daemon.home import Home
from scrubjay.daemon.user_rules import read_user_rules
from scrubjay.profiles.registry.registry import Registry


@click.command()
@click.option("--profile", "profiles", multiple=True, help="This profile only. Repeatable.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.option("--markdown", is_flag=True, help="A report with links that Obsidian opens.")
def credentials(profiles: tuple[str, ...], as_json: bool, markdown: bool) -> None:
    """List path, line and rule of every credential in your notes; never the credential. Exit status 1 if any."""
    wanted = {Registry(Home.find().profiles).get(name).name for name in profiles}
    with reach() as client:
        everywhere = client.ask(CREDENTIALS).credentials
    found = [one for one in everywhere if not wanted or one.profile in wanted]
    if as_json:
        print_json(found)
    elif markdown:
        click.echo(_report(found))
    else:
        for one in found:
            click.echo(f"{one.profile}: {one.path}:{one.line}: {one.rule}")
        if found:
            warn(f"{plural(len(found), 'credential')}. Rotate them, and move them to a password manager.")
        else:
            warn("No credentials found.")
    if found:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Replace each file; the original is kept beside it as FILE.bak.")
def scrub(files: tuple[Path, ...], write: bool) -> None:
    """Print standard input, or FILES, with every credential replaced by [REDACTED:rule]."""
    rules = _rules()
    if write and not files:
        raise click.UsageError("--write needs files.")
    if write:
        _write(files, rules)
        return
    for data in (file.read_bytes() for file in files) if files else (sys.stdin.buffer.read(),):
        click.echo(_text_bytes(redact(_bytes_text(data), rules).text), nl=False)


def _write(files: tuple[Path, ...], rules: Rules) -> None:
    """Replace the files that hold credentials, each beside a copy of itself. Nothing is changed unless all can be."""
    redacted = {file: redact(_bytes_text(file.read_bytes()), rules) for file in files}
    found = {file: result for file, result in redacted.items() if result.findings}
    for file in found:
        if (backup := _backup(file)).exists():
            raise click.ClickException(f"{backup} exists already; move it away first. Nothing was changed.")
    for file, result in found.items():
        shutil.copy2(file, _backup(file))
        file.write_bytes(_text_bytes(result.text))
        say(f"{file}: {plural(len(result.findings), 'credential')} replaced.")


def _backup(file: Path) -> Path:
    return file.with_name(file.name + ".bak")


def _bytes_text(data: bytes) -> str:
    """The text, whatever the bytes: line ends stay as they are, and what is not UTF-8 can be written back."""
    return data.decode("utf-8", "surrogateescape")


def _text_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _report(found: list[Credential]) -> str:
    lines = ["# Credentials in your notes", "", "Rotate each one, then move it to a password manager."]
    for profile, of_profile in groupby(found, key=lambda one: one.profile):
        lines += ["", f"## {profile}", ""]
        lines += [f"- [ ] {_link(one.path)} line {one.line}: {one.about} (`{one.rule}`)" for one in of_profile]
    return "\n".join(lines)


def _link(path: str) -> str:
    """A link that Obsidian opens, or the path as code where no link can hold it."""
    return f"`{path}`" if set(path) & set("[]#^|") else f"[[{path.removesuffix('.md')}]]"


def _rules() -> Rules:
    rules, refused = read_user_rules(Home.find().user_rules)
    for error in refused:
        warn(str(error), style="yellow")
    return rules
