"""A note's text put together of its passages: each line where it stands in the file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.review.review_notes import body_of
from scrubjay.daemon.vault.markdown.payloads import NOT_PROSE, only_prose
from scrubjay.profiles.store.note_texts import StoredPassage
from tests.helpers.review_notes import stored, view_of

PIECES = (
    *("word ", "two words. ", "Heron Weir ", "\n", "\n\n", "# Head\n", "## See also\n", "- item ", "\n  - inner "),
    *(
        "\n\t\tdeep ",
        "| a | b |\n|---|---|\n",
        "| 1 | 2 |\n",
        "```\ncode()\n```\n",
        "[[a]] ",
        "> quote\n",
        "读书笔记。",
        "🦆",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_each_line_is_the_files_or_blank(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.split("\n")
    body = body_of(passages(text), "a")
    for number, line in enumerate(body.lines, start=1):
        if number not in body.unplaced:
            assert line in ("", lines[number - 1].rstrip(), lines[number - 1])
        else:
            assert "".join(line.split()) in "".join(lines[number - 1].split())  # Chinese is cut where no space is


def passages(text: str) -> list[StoredPassage]:
    from tests.helpers.review_notes import _CONTEXT, _raw  # pyright: ignore[reportPrivateUsage]

    context = PrepareContext(_CONTEXT.key, _CONTEXT.rules, _CONTEXT.count_many, 24)
    (bundle,) = prepare_many([_raw("a.md", text)], context)
    return [
        StoredPassage(1, at, chunk.digest, chunk.headings, chunk.line, chunk.end_line, chunk.text)
        for at, chunk in enumerate(getattr(bundle, "chunks", ()))
    ]


@given(st.text(alphabet="ab #[]()`*_~$<>!%^|:\n\\-/.@🦆é", max_size=80))
def test_prose_stands_where_it_stood(text: str) -> None:
    prose = only_prose(text)
    assert len(prose) == len(text)
    assert all(was == now or (now == NOT_PROSE and was != "\n") for was, now in zip(text, prose, strict=True))


@pytest.mark.parametrize(
    "marked", ["ada.heron@weir.example", "[[Heron Weir]]", "[a weir](Weir.md)", "`a weir`", "#birds/heron"]
)
def test_what_is_no_running_text_is_none_from_its_first_letter_to_its_last(marked: str) -> None:
    assert only_prose(f"Write to {marked} today.") == f"Write to {NOT_PROSE * len(marked)} today."


def test_a_line_with_a_hidden_credential_has_no_columns(tmp_path: Path) -> None:
    secret = "".join(("ghp", "_", "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"))
    store = stored(
        tmp_path, {"a.md": f"First Heron Weir.\n\nkey {secret} Heron Weir\n\nkey {secret} Heron Weir Heron Weir"}
    )
    ((_, found),) = view_of(store).passages()
    body = body_of(found, "a")
    store.close()
    assert secret not in body.text
    assert body.place(3, body.line(3).index("Heron Weir") + 1, "Heron Weir") == 0  # it stands there once
    assert body.place(5, body.line(5).index("Heron Weir") + 1, "Heron Weir") is None
