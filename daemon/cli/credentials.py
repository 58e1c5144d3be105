"""`scrubjay credentials` and `scrubjay scrub`: where secrets sit, and text without them."""

import shutil
import sys
from pathlib import Path

import click

from credential_filter import BUILT_IN, Rules, load_rules, redact
from daemon.api.schemas import Credential
from daemon.cli.connect import open_engine, running
from daemon.cli.output import plural, print_json, say, warn
from daemon.client import ScrubjayClient
from daemon.home import Home


@click.command()
@click.option("--profile", "profiles", multiple=True, help="This profile only. Repeatable.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.option("--markdown", is_flag=True, help="A report with links that Obsidian opens.")
def credentials(profiles: tuple[str, ...], as_json: bool, markdown: bool) -> None:
    """List path, line and rule of every credential in your notes; never the credential. Exit status 1 if any."""
    found = [one for one in _all() if not profiles or one.profile in profiles]
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
    if not files:
        if write:
            raise click.UsageError("--write needs files.")
        click.echo(redact(sys.stdin.read(), rules).text, nl=False)
    for file in files:
        redacted = redact(file.read_text(encoding="utf-8"), rules)
        if not write:
            click.echo(redacted.text, nl=False)
        elif redacted.findings:
            backup = file.with_name(file.name + ".bak")
            if backup.exists():
                raise click.ClickException(f"{backup} exists already; move it away first. {file} was not changed.")
            shutil.copy2(file, backup)
            file.write_text(redacted.text, encoding="utf-8")
            say(f"{file}: {plural(len(redacted.findings), 'credential')} replaced.")


def _all() -> list[Credential]:
    home = Home.find()
    if running(home):
        with ScrubjayClient.discover(home) as client:
            return list(client.credentials())
    from daemon.api.reading import credentials_of

    with open_engine() as engine:
        return list(credentials_of(engine.stores(), [opened.profile for opened in engine.profiles()]))


def _report(found: list[Credential]) -> str:
    lines = ["# Credentials in your notes", "", "Rotate each one, then move it to a password manager.", ""]
    lines += [f"- [ ] [[{one.path.removesuffix('.md')}]] line {one.line}: {one.about} (`{one.rule}`)" for one in found]
    return "\n".join(lines)


def _rules() -> Rules:
    path = Home.find().user_rules
    if not path.is_file():
        return BUILT_IN
    rules, refused = load_rules(path.read_text(encoding="utf-8"))
    for error in refused:
        warn(str(error), style="yellow")
    return rules
