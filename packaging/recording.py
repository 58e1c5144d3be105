"""Records the terminal picture of the README: `python packaging/recording.py docs/images/terminal.svg`.

Every line is what the commands really print, on the sample vault in a home of its own; only the pace is made up. The
picture is one SVG that moves by CSS, fetches nothing, and stands still for whoever asked their system for less motion.
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import sample_vault

COLUMNS = 96
LINES_AN_ANSWER = 9
COMMANDS = (
    ("setup", "--yes", "--vault", "Notes", "--allow", ".", "--exclude", "Private", "--no-open", "--no-service"),
    ("search", "mend a hole in rubber boots", "--limit", "2"),
    ("ask", "who signed on the bonnet of the car?"),
    ("credentials",),
)
_ROW, _LETTER, _EDGE = 19, 8.0, 16  # pixels
_TYPING, _READING, _BETWEEN = 1.2, 2.6, 0.05  # seconds: before an answer, after it, from line to line


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the terminal and when it appears, in seconds."""

    text: str
    at: float
    is_typed: bool


def main() -> None:
    """Run the commands and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        picture = drawn(tuple(timed(answers(Path(folder)))))
    Path(sys.argv[1]).write_text(picture, encoding="utf-8")


def answers(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Each command as it is typed, and the lines that it prints."""
    sample_vault.materialise(root / "Notes")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SCRUBJAY_", "XDG_"))} | {
        "COLUMNS": str(COLUMNS),
        "HOME": str(root),
        "LANG": "C.UTF-8",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",  # so that the program is called by its name
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "scrubjay.daemon", *arguments]
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        if done.returncode > 1:  # 1: something was found, as `credentials` does here
            sys.exit(done.stderr)
        return done.stdout.replace(str(root.resolve()), "~").replace(str(root), "~")

    try:
        for command in COMMANDS:
            typed = " ".join(f'"{word}"' if " " in word else word for word in command)
            yield f"scrubjay {typed}", run(*command).rstrip().splitlines()
            run("index", "--wait")
    finally:
        run("stop")


def timed(session: Iterator[tuple[str, list[str]]]) -> Iterator[Line]:
    """The lines with their times; a long answer is cut, and says so."""
    at = 0.4
    for typed, answer in session:
        yield Line(f"$ {typed}", at, is_typed=True)
        at += _TYPING
        cut = [*answer[:LINES_AN_ANSWER], f"… and {len(answer) - LINES_AN_ANSWER} more lines"]
        for line in answer if len(answer) <= LINES_AN_ANSWER + 1 else cut:
            for part in textwrap.wrap(line, COLUMNS, subsequent_indent="  ") or [""]:
                yield Line(part, at, is_typed=False)
            at += _BETWEEN
        yield Line("", at, is_typed=False)
        at += _READING


def drawn(lines: tuple[Line, ...]) -> str:
    """The SVG."""
    width, height = round(COLUMNS * _LETTER) + 2 * _EDGE, len(lines) * _ROW + 2 * _EDGE
    rows = "\n".join(_row(number, line) for number, line in enumerate(lines) if line.text)
    said = escape("; ".join(line.text[2:] for line in lines if line.is_typed))
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
<title>A terminal: {said}</title>
<style>
  text {{ font: 13.3px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #c9d1d9; white-space: pre }}
  .typed {{ fill: #7ee0a6; font-weight: bold }}
  @media (prefers-reduced-motion: no-preference) {{
    text {{ opacity: 0; animation: appear .01s forwards }}
    @keyframes appear {{ to {{ opacity: 1 }} }}
  }}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
{rows}
</svg>
"""


def _row(number: int, line: Line) -> str:
    kind = ' class="typed"' if line.is_typed else ""
    text = escape(re.sub(r"\x1b\[[0-9;]*m", "", line.text))
    return (
        f'<text{kind} x="{_EDGE}" y="{_EDGE + (number + 0.8) * _ROW:.0f}" xml:space="preserve"'
        f' style="animation-delay: {line.at:.2f}s">{text}</text>'
    )


if __name__ == "__main__":
    main()
