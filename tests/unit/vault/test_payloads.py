"""What only programs read stays out of the index; what people read stays in it, on its line."""

import base64
import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.vault.markdown.payloads import LONGEST_RUN, without_payloads


def encoded(size: int, line: int | None = None) -> str:
    """Base64 of random bytes, in lines of so many characters."""
    text = base64.b64encode(random.Random(size).randbytes(size)).decode()
    return text if line is None else "\n".join(text[at : at + line] for at in range(0, len(text), line))


SCENE = json.dumps({"type": "excalidraw", "elements": [{"id": str(number), "x": number} for number in range(90)]})
MINIFIED = '!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):t(e.Lib={})}(this,t);' * 30


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param(f"```compressed-json\n{encoded(9000, 256)}\n```\nafter", "…\nafter", id="compressed-drawing"),
        pytest.param(f"```json\n{SCENE}\n```\nafter", "…\nafter", id="drawing"),
        pytest.param(f"~~~~ json\n{SCENE}", "…", id="drawing-without-an-end"),
        pytest.param(
            f"![a plan](data:image/png;base64,{encoded(900)}) of it",
            "![a plan](data:image/png;base64,…) of it",
            id="picture",
        ),
        pytest.param(
            f'<img src="data:image/svg+xml;utf8,%3Csvg{"%20a" * 50}">',
            '<img src="data:image/svg+xml;utf8,…">',
            id="svg",
        ),
        pytest.param(
            f"src: url(data:font/woff2;charset=utf-8;base64,{encoded(300)});",
            "src: url(data:font/woff2;charset=utf-8;base64,…);",
            id="font",
        ),
        pytest.param(f'<path d="M0 0{" L10.5,-3e4" * 40} Z"/>', '<path d="…"/>', id="path"),
        pytest.param(f"key\n{encoded(300, 64)}\nafter", "key\n…\nafter", id="base64-in-lines"),
        pytest.param(
            f"> key\n>{encoded(300, 64).replace(chr(10), chr(10) + '>')}\nafter", "> key\n…\nafter", id="base64-quoted"
        ),
        pytest.param(f"one {encoded(300)} two", "one … two", id="base64"),
        pytest.param(f"`{'0a1b' * 60}`", "…", id="hex"),
        pytest.param(f"```js\n{MINIFIED}\n```", "```js\n…\n```", id="minified"),
        pytest.param(f"before it {MINIFIED} and behind", "before it … and behind", id="minified-in-a-line"),
        pytest.param(
            f"before $${chr(92)}frac{{a}}{{b}}{(chr(92) + 'frac{a}{b}+') * 900}x$$ behind",
            "before … behind",
            id="formula-without-end",
        ),
        pytest.param(
            f"[x](https://example.org/#{'Ab3' * 900})", f"[x](https://example.org/#{'Ab3' * 9}…)", id="address"
        ),
        pytest.param(f"|{'-' * 150}|{'-' * 150}|\n| a | b |", "|---|---|\n| a | b |", id="rule"),
    ],
)
def test_what_only_programs_read_is_left_out(text: str, kept: str) -> None:
    found = without_payloads(text).text
    assert squeezed(found) == squeezed(kept)
    assert found.count("\n") == text.count("\n")


def squeezed(text: str) -> str:
    """Without the blank lines in the place of what is gone; and of an address that is cut, its first part alone."""
    return re.sub(r"\n+", "\n", re.sub(r"(#(?:Ab3){9})[Ab3]*", r"\1", text)).strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A line.\n\n- an item\n\n```python\nprint('hello')\n```",
        "字" * 900 + "。",
        "ภาษาไทยไม่มีช่องว่าง" * 40,
        f"[a page](https://example.org/{'part/' * 60})",
        f"see https://example.org/?q={'a+b' * 90} and [[A note]]",
        f"![]({'folder%20name/' * 30}picture.png)",
        ",".join(f"[[Note {number}|alias]]".replace(" ", "-") for number in range(60)),
        "|".join(f"cell{number}" for number in range(90)),
        f"| Colours | <ul>{'<li>Red</li><li>Green</li>' * 60}</ul> |",
        f"| Filters | {'<li><a href=/api/nn-i><strong>IFilter</strong></a></li>' * 40} |",
        "| Filters | " + '<a href="/api/nn-i"><strong>IFilter</strong></a>, <br/>' * 40 + " |",
        ":".join(["ECDHE-RSA-AES128-GCM-SHA256"] * 12),
        "$" + r"\frac{\alpha_1}{\beta_2}=\sqrt{\gamma}+" * 12 + "$",
        'fn main() { println!("hello"); } // code with spaces\n' * 40,
        "AAAAAAAAAA" * 7 + "\nshort",
        "heading\n" + "=" * 70 + "\n" + "-" * 70 + "\n" + "_" * 70,
        json.dumps({"type": "article", "words": ["one", "two"]}, indent=2),
    ],
    ids=lambda text: repr(text[:16]),
)
def test_what_people_read_stays_as_it_is(text: str) -> None:
    found = without_payloads(text)
    assert (found.text, found.left_out) == (text, 0)


def test_what_is_left_out_is_counted() -> None:
    assert without_payloads(f"one {'0a' * 200} two").left_out == 399
    assert without_payloads(f"| {'-' * 300} |").left_out == 0  # a rule says nothing


@given(st.lists(st.sampled_from([*"aB3/=+,;|{}\"'()[] \n`.-", "data:x/y;base64,", "://", "字", "\\frac", "x" * 90])))
def test_lines_stay_where_they_are_and_twice_is_once(parts: list[str]) -> None:
    text = "".join(parts)
    once = without_payloads(text)
    assert once.text.count("\n") == text.count("\n")
    assert len(once.text) <= len(text)
    assert without_payloads(once.text).text == once.text


@given(st.text(st.sampled_from("aB3/=+{}\"';._-"), min_size=LONGEST_RUN + 1, max_size=900))
def test_no_long_run_of_code_stays(run: str) -> None:
    left = without_payloads(f"before {run} after").text
    assert max(map(len, left.split())) <= LONGEST_RUN or max(map(len, re.split(r"[;:,|]", left))) <= 90


@pytest.mark.parametrize(
    "text",
    [
        "data:" * 60_000,
        "data:a;" + "b=" * 100_000,
        "```json\n{" * 40_000,
        'd="' * 90_000,
        ("A" * 61 + "\n") * 5_000,
        "a://" * 70_000,
        "x" * 300_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_ends(text: str) -> None:
    """Quadratic time would take minutes here."""
    assert len(without_payloads(text).text) <= len(text)
