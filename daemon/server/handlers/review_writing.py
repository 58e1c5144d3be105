"""Writing accepted changes from the search page: by the user's own command, in a process of its own."""

import subprocess
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from scrubjay.daemon.program import scrubjay_command
from scrubjay.daemon.review.changes.write_report import ApplyReport, RunShown
from scrubjay.daemon.server.access.caller import Forbidden
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.review import (
    REVIEW_RUNS,
    REVIEW_UNDO,
    REVIEW_WRITE,
    RunsReply,
    UndoAsk,
    WriteAsk,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.errors import Unavailable

HANDLERS = Handlers()
T = TypeVar("T")

_SECONDS = 300  # as long as writing into the notes of a large vault may take


class NotWrittenHere(Unavailable):
    """The command could not do it; its own words say why."""

    code = "not-written"


@HANDLERS.answers(REVIEW_WRITE)
def write(context: Context, request: WriteAsk) -> ApplyReport:
    keys = [part for key in request.keys for part in ("--key", key)]
    return written_by_command(context, ["review", "apply", "--yes", "--keys-stdin", *keys], ApplyReport)


@HANDLERS.answers(REVIEW_RUNS)
def runs(context: Context, _: Nothing) -> RunsReply:
    return RunsReply(
        runs=written_by_command(context, ["review", "undo", "--list", "--keys-stdin"], tuple[RunShown, ...])
    )


@HANDLERS.answers(REVIEW_UNDO)
def undo(context: Context, request: UndoAsk) -> ApplyReport:
    return written_by_command(context, ["review", "undo", "--run", request.run, "--keys-stdin"], ApplyReport)


def written_by_command(
    context: Context, arguments: list[str], kind: type[T], more: Mapping[str, object] | None = None
) -> T:
    """What a command of the user's says that it did to notes. more: what it is told beside the keys of open profiles.

    Raises Forbidden for all but the page of the user who owns this installation, so that no program has a note written;
    and NotWrittenHere.
    """
    if context.caller.session is None or not context.client.own:  # a client's page is opened by whoever has its token
        raise Forbidden(
            "Notes are written from the search page as `scrubjay open` or the tray opens it, by the panel in Obsidian,"
            " or by `scrubjay review apply`."
        )
    keys = context.engine.custody.passphrase_keys()
    told = msgspec.json.encode(keys if more is None else {"keys": keys, **more})
    command = scrubjay_command(*arguments, "--json")
    try:
        done = subprocess.run(command, input=told, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise NotWrittenHere(
            "Writing takes too long. See `scrubjay review undo --list` for what was written."
        ) from None
    try:
        return msgspec.json.decode(done.stdout, type=kind)
    except msgspec.DecodeError:
        said = done.stderr.decode(errors="replace").strip().removeprefix("Error: ")
        raise NotWrittenHere(said or "The command ended without an answer.") from None
