"""What notes and file names hold is shown, and obeyed by no terminal."""

import io
import json
import os
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.cli import output
from scrubjay.daemon.printable import escaped_json, one_line, printable
from scrubjay.daemon.program import Platform

CLIPBOARD = "\x1b]52;c;Y3VybCBldmlsLnRlc3R8c2g=\x1b\\"  # OSC 52: fills the clipboard
STEERING = (CLIPBOARD, "\x9b2J", "\x07", "\x08\x08", "\r", "\u202egpj.exe", "\u2066", "\u2028", "\U000e0041", "\ud800")
ANY_TEXT = st.text(st.characters() | st.sampled_from("\x1b\x9b\x07\r\u202e\u2066\u2028\U000e0041\ud800"))


def steers(text: str) -> set[str]:
    """What of a text a terminal would obey, or could not print."""
    return {
        character
        for character in text
        if (unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} and character not in "\n\t")
        or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    }


@given(ANY_TEXT)
def test_nothing_printable_steers_a_terminal(text: str) -> None:
    assert steers(printable(text)) == set()
    assert "\n" not in one_line(text)


@given(ANY_TEXT.filter(lambda text: "\r" not in text))
def test_highlights_stay_where_they_are(text: str) -> None:
    assert len(printable(text)) == len(text)


@pytest.mark.parametrize("text", ["Käse, 算法, عربي, \u200fעברית\u200e, 👩‍👩‍👧, a\tb\nc", "ﷺ"])
def test_ordinary_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@given(ANY_TEXT, st.booleans())
def test_json_says_the_same_with_escapes(text: str, in_ascii: bool) -> None:
    document = escaped_json(json.dumps({"text": text}, ensure_ascii=False), in_ascii=in_ascii)
    assert json.loads(document) == {"text": text}
    assert steers(document) == set()
    assert document.isascii() or not in_ascii


@pytest.mark.parametrize(
    ("platform", "encoding", "holds"),
    [("linux", "cp1252", "é \\u65e5\\U0001f989"), ("win32", "utf-8", "é 日🦉")],
    ids=["Linux", "Windows"],
)
def test_what_an_encoding_has_no_place_for_ends_no_command(
    platform: Platform, encoding: str, holds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="cp1252")
    output.speak_utf8(stream, platform)
    monkeypatch.setattr(sys, "stdout", stream)
    output.say("é 日🦉")
    output.print_json({"text": "é 日🦉"})
    said, document = written.getvalue().decode(encoding).split("\n", 1)
    assert said == holds
    assert json.loads(document) == {"text": "é 日🦉"}


def test_where_nobody_reads_what_is_warned_of_a_command_ends_quietly() -> None:
    program = """
from scrubjay.daemon.cli.output import say, until_nobody_reads, warn
with until_nobody_reads():
    warn("a")
    say("b")
"""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=write, timeout=60, check=False
    )
    os.close(write)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("steering", STEERING)
def test_nothing_that_commands_print_steers_a_terminal(steering: str, capsys: pytest.CaptureFixture[str]) -> None:
    output.say(f"a {steering} b")
    output.print_table(("name",), [(f"a {steering} b",)])
    shown = capsys.readouterr().out
    assert steers(shown) == set()
    assert shown.count("a ") == 2
    output.print_json({"text": steering.replace("\ud800", "")})
    said = capsys.readouterr().out
    assert steers(said) == set()
    assert json.loads(said) == {"text": steering.replace("\ud800", "")}
