"""The terminal for what is more than a sentence: tables, styled texts, bars. Nothing of a note makes it do anything."""

from typing import NoReturn

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from scrubjay.daemon.cli.output import leave_quietly
from scrubjay.daemon.printable import printable


class _Shown:
    """What another renderable shows, made printable."""

    def __init__(self, inner: ConsoleRenderable) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._inner, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


class _Printable(RenderHook):
    """Has everything that a console prints made printable: sentences, tables and styled texts alike."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Called by rich with what is to be printed."""
        return [_Shown(renderable) for renderable in renderables]


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        leave_quietly()


def _console(*, stderr: bool) -> Console:
    made = _Console(stderr=stderr, highlight=False)
    made.push_render_hook(_Printable())
    return made


console = _console(stderr=False)
errors = _console(stderr=True)
