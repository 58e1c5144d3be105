"""`scrubjay certify`: is a secret of any kind in anything that Scrubjay stores or says?"""

from pathlib import Path

import click

from scrubjay.daemon.cli.output import megabytes, plural, print_json, say, warn
from scrubjay.daemon.cli.terminal import console


@click.command()
@click.argument("vault", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def certify(vault: Path | None, as_json: bool) -> None:
    """Look whether any secret comes through: with made-up ones, in a trial. Exit status 1 when one does.

    Secrets of each kind that Scrubjay knows are planted beside a copy of the notes in VAULT; they are indexed,
    searched, asked for, read over MCP, exported and backed up, and looked for in every output and every byte that was
    stored. It takes minutes, and leaves nothing behind.
    """
    from scrubjay.daemon.doctor.certificate import certify as issue

    with console.status("Planting, indexing, asking and looking…"):
        found = issue(vault)
    if as_json:
        print_json(found)
    else:
        say(
            f"Scrubjay {found.version}: {found.secrets:,} secrets of {found.kinds} kinds beside"
            f" {plural(found.notes, 'note')}, looked for in {found.outputs:,} outputs"
            f" and {found.files:,} files ({megabytes(found.bytes)})."
        )
        for leak in found.leaks:
            warn(f"Found: a secret of the kind {leak.kind} in {leak.where}.")
        for kind in found.missing:
            warn(f"Not tried: this build has no rule {kind}.")
        say("None was found." if found.is_clean else "This build does not keep secrets out.")
    if not found.is_clean:
        raise click.exceptions.Exit(1)
