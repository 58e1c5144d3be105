"""`scrubjay scrub`: text and files without their credentials."""

import sys
from pathlib import Path

import click

from scrubjay.credential_filter import Rules, redact
from scrubjay.daemon.cli.output import echo, plural, say, warn
from scrubjay.daemon.home import Home
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.scrubbed_file import KEPT_DAYS, Scrubber, scrubbing
from scrubjay.daemon.user_rules import read_user_rules

_WAYS: tuple[set[str], ...] = (set(), {"write"}, {"write", "no_undo"}, {"undo"}, {"forget"})


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Replace the credentials in each file itself.")
@click.option("--no-undo", is_flag=True, help="With --write: keep nothing of what is taken out.")
@click.option("--undo", is_flag=True, help="Put back what the last --write took out of its files.")
@click.option("--forget", is_flag=True, help="Delete what is kept for --undo, now.")
def scrub(files: tuple[Path, ...], **options: bool) -> None:
    """Print standard input, or FILES, with every credential replaced by [REDACTED:rule].

    What --write takes out is kept for --undo for 7 days, in clear, in Scrubjay's data folder, readable by you alone. A
    file that can't be replaced, or that changes meanwhile, stays as it is, and the exit status is 1.
    """
    given = {name for name, is_given in options.items() if is_given}
    if given not in _WAYS:
        raise click.UsageError("--no-undo goes with --write; --write, --undo and --forget go each by itself.")
    if "write" in given and not files:
        raise click.UsageError("--write needs files.")
    if files and given & {"undo", "forget"}:
        raise click.UsageError("--undo and --forget are about all files of a --write; name none.")
    if not given:
        rules = _rules()
        for data in (file.read_bytes() for file in files) if files else (sys.stdin.buffer.read(),):
            _put_out(redact(data.decode("utf-8", "surrogateescape"), rules).text)
        return
    with scrubbing(Home.find()) as scrubber:
        _tell_what_was_broken_off(scrubber)
        if "undo" in given:
            _undo(scrubber)
        elif "forget" in given:
            count = scrubber.forget()
            say(f"What was taken out of {plural(count, 'file')} is deleted." if count else "Nothing was kept.")
        else:
            _write(scrubber, files, undoable="no_undo" not in given)


def _write(scrubber: Scrubber, files: tuple[Path, ...], *, undoable: bool) -> None:
    rules = _rules()
    written = refused = 0
    for file in files:
        try:
            count = scrubber.scrub(file, rules, undoable=undoable)
        except ChangeRefused as refusal:
            warn(f"{file}: {refusal}", style="yellow")
            refused += 1
            continue
        if count:
            say(f"{file}: {plural(count, 'credential')} replaced.")
            written += 1
    if written and undoable:
        say(
            f"`scrubjay scrub --undo` puts back what was taken out. For that it is kept in clear for {KEPT_DAYS} days,"
            f" readable by you alone, in {scrubber.folder}; `scrubjay scrub --forget` deletes it now."
        )
    if refused:
        raise click.exceptions.Exit(1)


def _undo(scrubber: Scrubber) -> None:
    done = scrubber.undo()
    for file in done.files:
        say(f"{file}: put back as it was.")
    for sentence in done.refused:
        warn(sentence, style="yellow")
    if not done.files and not done.refused:
        warn("Nothing was taken out that could be put back.")
    if done.refused:
        raise click.exceptions.Exit(1)


def _tell_what_was_broken_off(scrubber: Scrubber) -> None:
    for path in scrubber.put_back:
        warn(f"{path}: taking credentials out of it, or putting them back, was broken off; it is as it was before.")
    for name in scrubber.stuck:
        warn(f"{name} was edited after that; it stays as it is.", style="yellow")


def _put_out(text: str) -> None:
    """Byte for byte into a file or a pipe; a terminal gets what it can show."""
    if sys.stdout.isatty():
        echo(text, nl=False)
    else:
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)


def _rules() -> Rules:
    rules, refused = read_user_rules(Home.find().user_rules)
    for error in refused:
        warn(str(error), style="yellow")
    return rules
