"""What shells complete besides commands and options: names of profiles, and the filters of a query."""

import re
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from scrubjay.daemon.server.endpoints.notes import SuggestKind

_FILTER = re.compile(r"(?P<before>-?(?P<kind>tag|path|profile):)(?P<prefix>.*)", re.DOTALL)
_KINDS: "dict[str, SuggestKind]" = {"tag": "tag", "path": "folder"}
_MOST = 50
_PLAIN = re.compile(r"[\w./\-]+")  # others would need quotation marks, of the query and of the shell


def profile_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of profiles that begin like this."""
    del ctx, param
    return [CompletionItem(name) for name in _profiles(incomplete)]


def query_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Tags, folders and profiles behind `tag:`, `path:` and `profile:`; what filters there are where nothing is typed.

    Of a word with a colon bash tells the part behind the colon, and wants that alone.
    """
    written: tuple[str, ...] = ctx.params.get(param.name or "") or ()
    is_split = False
    if incomplete == ":" and written:
        written, incomplete, is_split = written[:-1], f"{written[-1]}:", True
    elif written[-1:] == (":",) and len(written) > 1:
        incomplete, is_split = f"{written[-2]}:{incomplete}", True
    found = _FILTER.fullmatch(incomplete)
    if found is None:
        return [
            CompletionItem(f"{kind}:")
            for kind in (*_KINDS, "profile")
            if incomplete and f"{kind}:".startswith(incomplete)
        ]
    before = "" if is_split else found["before"]
    values = _values(found["kind"], found["prefix"])
    return [CompletionItem(before + value) for value in values if _PLAIN.fullmatch(value)]


def _values(kind: str, prefix: str) -> list[str]:
    """Empty where no daemon runs: a key that is pressed must not open every index."""
    if kind == "profile":
        return _profiles(prefix)
    from scrubjay.daemon.cli.connect import connect
    from scrubjay.daemon.errors import NotRunning
    from scrubjay.daemon.server.endpoints.notes import SUGGEST, SuggestAsk
    from scrubjay.profiles.errors import ScrubjayError

    try:
        with connect() as client:
            asked = SuggestAsk(kind=_KINDS[kind], prefix=prefix, limit=_MOST)
            return [each.value for each in client.ask(SUGGEST, asked).suggestions]
    except (NotRunning, ScrubjayError):
        return []


def _profiles(prefix: str) -> list[str]:
    from scrubjay.daemon.home import Home
    from scrubjay.profiles.registry.registry import Registry

    names = (profile.name for profile in Registry(Home.find().profiles).list())
    return sorted(name for name in names if name.casefold().startswith(prefix.casefold()))
