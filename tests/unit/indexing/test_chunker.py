"""Notes cut into passages: where, how long, what is kept, and on which lines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.chunker import MERGE_BELOW, Chunk, chunk_notes
from scrubjay.daemon.indexing.model_input import SPECIAL_TOKENS, embedding_input
from scrubjay.daemon.vault.parse import ParsedNote, parse_note

WINDOW = 100


def count_many(texts: list[str]) -> list[int]:
    """A token for each word, each other character and each ideograph; long words are as many as they need."""
    return [len(re.findall(r"[A-Za-z0-9]{1,12}|\S", text)) for text in texts]


def count(text: str) -> int:
    return count_many([text])[0]


def read_by_the_model(passage: Chunk, title: str = "Note") -> int:
    """Tokens that the model gets for a passage."""
    return count(embedding_input(title, passage.headings, passage.text)) + SPECIAL_TOKENS


FREE = WINDOW - read_by_the_model(Chunk("", ("H",), 1, 1))  # tokens that are left for the text below a short heading


def words(number: int, word: str = "word") -> str:
    return " ".join([word] * number)


def parse(text: str, path: str = "Note.md") -> ParsedNote:
    return parse_note(text, path)


def cut(text: str, path: str = "Note.md", window: int = WINDOW) -> tuple[Chunk, ...]:
    return chunk_notes([parse(text, path)], count_many, window)[0]


def test_an_empty_note_is_found_by_its_title() -> None:
    assert cut("", "Folder/My title.md") == (Chunk("My title", (), 1, 1),)
    assert cut("---\ntitle: T\n---\n\n  \n") == (Chunk("T", (), 1, 1),)


def test_frontmatter_is_no_text() -> None:
    assert cut("---\nstatus: open\n---\nbody") == (Chunk("body", (), 4, 4),)


def test_sections_are_cut_at_their_headings() -> None:
    text = f"{words(70, 'intro')}\n\n## One\n\n{words(70, 'one')}\n\n## Two\n{words(70, 'two')}"
    assert cut(text) == (
        Chunk(words(70, "intro"), (), 1, 1),
        Chunk(words(70, "one"), ("One",), 5, 5),
        Chunk(words(70, "two"), ("Two",), 8, 8),
    )


def test_a_section_with_its_subsections_stays_whole_if_it_fits() -> None:
    text = f"## One\n{words(30)}\n### A\n{words(20)}\n### B\n{words(20)}\n## Two\n{words(70)}"
    whole = f"{words(30)}\n### A\n{words(20)}\n### B\n{words(20)}"
    assert cut(text) == (Chunk(whole, ("One",), 2, 6), Chunk(words(70), ("Two",), 8, 8))


def test_small_neighbours_are_merged_under_what_they_share() -> None:
    text = "## One\na\n## Two\nb\n### Three\nc"
    assert cut(text) == (Chunk("## One\na\n## Two\nb\n### Three\nc", (), 1, 6),)


def test_a_small_section_does_not_join_a_stranger() -> None:
    text = f"## One\n### A\n{words(92)}\n### B\nsmall\n## Two\n### C\n{words(92)}"
    assert [passage.headings for passage in cut(text)] == [("One", "A"), ("One", "B"), ("Two", "C")]


@pytest.mark.parametrize(("tokens", "passages"), [(MERGE_BELOW - 1, 1), (MERGE_BELOW, 2)])
def test_a_section_joins_its_neighbour_below_a_number_of_tokens_alone(tokens: int, passages: int) -> None:
    assert len(cut(f"## One\n{words(tokens)}\n## Two\n{words(MERGE_BELOW)}", window=4 * MERGE_BELOW)) == passages


@pytest.mark.parametrize(
    ("text", "number", "passages"),
    [
        pytest.param("## H\n{}", FREE, 1, id="a-section"),
        pytest.param("## H\n{}", FREE + 1, 2, id="a-section-and-a-token"),
        pytest.param("## One\n{0}\n### A\n{0}\n## Two\nword" + " word" * 69, 45, 2, id="with-what-is-below"),
        pytest.param(
            "## One\n{0}\n### A\n{0}\n## Two\nword" + " word" * 69, 46, 3, id="with-what-is-below-and-a-token"
        ),
    ],
)
def test_the_window_is_filled_to_its_last_token(text: str, number: int, passages: int) -> None:
    assert len(cut(text.format(words(number)))) == passages


def test_sections_are_not_merged_beyond_the_window() -> None:
    text = f"## One\n{words(MERGE_BELOW - 1)}\n## Two\n{words(MERGE_BELOW - 1)}"
    assert [passage.headings for passage in cut(text)] == [("One",), ("Two",)]


def test_a_first_heading_that_repeats_the_title_is_not_said_twice() -> None:
    assert cut(f"# note\n## One\n{words(70)}", "Note.md")[0].headings == ("One",)
    assert cut(f"# Other\n## One\n{words(70)}", "Note.md")[0].headings == ("Other", "One")


def test_a_heading_without_text_is_kept() -> None:
    assert cut("## Alone") == (Chunk("## Alone", (), 1, 1),)
    assert cut("## One\n### Two\n#### Three\n") == (Chunk("### Two\n#### Three", ("One",), 2, 3),)


PARAGRAPH = words(39) + "."


@pytest.mark.parametrize(
    ("block", "parts"),
    [
        pytest.param("\n\n".join([PARAGRAPH] * 4), ["\n\n".join([PARAGRAPH] * 2)] * 2, id="paragraphs"),
        pytest.param(" ".join([PARAGRAPH] * 4), [" ".join([PARAGRAPH] * 2)] * 2, id="sentences"),
        pytest.param("。".join(["字" * 39] * 4) + "。", [("字" * 39 + "。") * 2] * 2, id="chinese-sentences"),
        pytest.param("\n".join([words(40)] * 4), ["\n".join([words(40)] * 2)] * 2, id="lines"),
        pytest.param("\n".join([f"- {words(39)}"] * 4), ["\n".join([f"- {words(39)}"] * 2)] * 2, id="items"),
        pytest.param(
            "\n\n".join([f"1. {words(38)}"] * 4), ["\n\n".join([f"1. {words(38)}"] * 2)] * 2, id="loose-items"
        ),
    ],
)
def test_what_is_too_long_is_cut_where_it_hurts_least(block: str, parts: list[str]) -> None:
    passages = cut(f"## H\n{block}")
    assert [passage.text for passage in passages] == parts
    assert {passage.headings for passage in passages} == {("H",)}


@pytest.mark.parametrize("line", ["字" * 160, "a,b," * 40, words(160), "x-" * 100 + " " + "y-" * 100])
def test_a_line_without_sentences_is_cut_at_spaces_or_anywhere(line: str) -> None:
    texts = [passage.text for passage in cut(f"## H\n{line}")]
    assert bare("".join(texts)) == bare(line)
    assert all(count(text) > 50 for text in texts[:-1])


def test_words_are_not_torn_where_there_are_spaces() -> None:
    line = " ".join(f"word{number}" for number in range(160))
    assert " ".join(passage.text for passage in cut(line)) == line


@pytest.mark.parametrize(
    "block",
    [
        pytest.param("```python\na = 1\n\n\nb = 2\n# no heading\n```", id="fence"),
        pytest.param("| a | b |\n| - | - |\n| 1 | 2 |", id="table"),
        pytest.param("- one\n\n  more of one\n- two\n\n- three", id="loose-list"),
        pytest.param("> quotation\n> goes on", id="quotation"),
    ],
)
def test_a_block_is_not_torn_while_it_fits(block: str) -> None:
    passages = cut(f"## H\n{words(80, 'before')}\n\n{block}\n\n{words(80, 'after')}")
    assert len(passages) > 1
    assert [block in passage.text for passage in passages].count(True) == 1


def test_a_fence_that_is_too_long_is_cut_at_its_lines() -> None:
    passages = cut("## H\n```\n" + "\n".join(f"{words(9)} {number}" for number in range(20)) + "\n```")
    assert all(line.startswith(("word", "```")) for passage in passages for line in passage.text.split("\n"))
    assert "\n".join(passage.text for passage in passages).count("word word") == 20 * 4


def functions(number: int) -> str:
    body = "\n".join(f"    step_{line} = work({line})" for line in range(4))
    return "\n\n\n".join(f"@cached\ndef function_{each}(path):\n{body}" for each in range(number))


def test_a_fence_that_is_too_long_is_cut_before_its_definitions() -> None:
    passages = cut(f"## H\n```python\nimport os\n\n{functions(14)}\n```")
    assert len(passages) > 5
    assert all(passage.text.startswith(("```python", "@cached\ndef function_")) for passage in passages)


def test_a_class_that_is_too_long_is_cut_before_its_methods_and_keeps_their_indentation() -> None:
    methods = "\n".join(f"    {line}" if line else "" for line in functions(14).split("\n"))
    passages = cut(f"## H\n```python\nclass Jay:\n{methods}\n```")
    assert len(passages) > 5
    assert all(passage.text.startswith("    @cached\n    def function_") for passage in passages[1:])


def test_items_of_a_cut_list_keep_the_one_that_they_belong_to() -> None:
    inner = "\n".join(f"  - {words(20)} {number}" for number in range(12))
    passages = cut(f"## H\n- The oak\n{inner}\n- The elm")
    assert len(passages) > 3
    assert all(passage.text.startswith("- The oak\n  - ") for passage in passages[:-1])
    assert passages[-1].text == "- The elm"
    assert [passage.line for passage in passages][:2] == [2, 3 + passages[0].text.count("  - ")]


def test_an_item_that_says_much_is_not_repeated() -> None:
    inner = "\n".join(f"  - {words(20)} {number}" for number in range(12))
    assert sum("oak" in passage.text for passage in cut(f"## H\n- {words(50, 'oak')}\n{inner}")) == 1


def test_the_rows_of_a_cut_table_keep_its_heading_rows() -> None:
    rows = [f"| {number} | {words(10)} |" for number in range(20)]
    head = "| n | w |\n| - | - |"
    passages = cut("## H\n" + "\n".join([head, *rows]))
    assert len(passages) > 2
    assert all(passage.text.startswith(head) for passage in passages)
    assert "\n".join(passage.text.removeprefix(head).strip() for passage in passages) == "\n".join(rows)
    assert [passage.line for passage in passages][1] == 4 + passages[0].text.count("\n| ") - 1


@pytest.mark.parametrize(("tokens", "repeated"), [(FREE // 3, True), (FREE // 3 + 1, False), (60, False)])
def test_heading_rows_are_repeated_up_to_a_third_of_the_window(tokens: int, repeated: bool) -> None:
    head = f"| {words(tokens - 9)} | w |\n| - | - |"
    assert count(head) == tokens
    first, *others = cut("## H\n" + "\n".join([head, *[f"| {words(20)} |"] * 8]))
    assert first.text.count("| - |") == 1
    assert {passage.text.startswith(head) for passage in others} == {repeated}


@pytest.mark.parametrize(
    ("heading", "body", "kept"),
    [
        pytest.param("Related", "- [[A note]]\n- [[Other|other note]]", False, id="wikilinks"),
        pytest.param("See also:", "[one](one.md) and [two](two%20b.md)", False, id="markdown-links"),
        pytest.param("\U0001f517 Links", "- [[A note]]", False, id="emoji"),
        pytest.param("3. References", "- [[A note]]", False, id="numbered"),
        pytest.param("Siehe auch", "- [[A note]]", False, id="german"),
        pytest.param("相关", "- [[笔记]]", False, id="chinese"),
        pytest.param("See also", "<dl> <dt>\n\n[**A**](a.md)\n</dt> </dl>", False, id="html-list"),
        pytest.param("Related", "This is about how [[A note]] differs from what we wanted.", True, id="prose"),
        pytest.param("Links", "- [A site](https://example.org)", True, id="addresses"),
        pytest.param("Related", "just words", True, id="no-links"),
        pytest.param("People", "- [[A note]]\n- [[Other]]", True, id="another-name"),
    ],
)
def test_sections_that_are_lists_of_links_are_left_out(heading: str, body: str, kept: bool) -> None:
    texts = " ".join(passage.text for passage in cut(f"{words(90)}\n## {heading}\n{body}"))
    assert (body.split("\n", maxsplit=1)[0] in texts) is kept


def test_a_note_that_is_but_a_list_of_links_is_found_by_its_title() -> None:
    assert cut("## Related\n- [[A]]\n- [[B]]") == (Chunk("Note", (), 1, 1),)


def test_what_stands_around_a_list_of_links_is_not_joined_over_it() -> None:
    passages = cut("## A\na\n## Related\n- [[X]]\n## B\nb")
    assert [passage.text for passage in passages] == ["a", "b"]


def test_long_titles_and_headings_leave_half_the_window() -> None:
    passages = cut(f"## {words(90)}\n{words(100)}")
    assert len(passages) <= 3
    assert all(read_by_the_model(passage) <= WINDOW for passage in passages)


def test_a_title_that_is_all_there_is_fits_the_window() -> None:
    (passage,) = cut(f"---\ntitle: {words(300)}\n---\n")
    assert read_by_the_model(passage, words(300)) <= WINDOW


@pytest.mark.parametrize("words_a_paragraph", [3, 7, 11])
def test_the_window_holds_where_tokens_of_parts_add_up_to_less_than_those_of_the_whole(words_a_paragraph: int) -> None:
    def counted(texts: list[str]) -> list[int]:
        return [max(0, tokens - 1) for tokens in count_many(texts)]

    note = parse("\n\n".join([words(words_a_paragraph)] * 60))
    for passage in chunk_notes([note], counted, WINDOW)[0]:
        assert read_by_the_model(passage) - 1 <= WINDOW


def test_everything_is_counted_at_once_and_once_more_for_each_round_of_cutting() -> None:
    calls: list[int] = []

    def counted(texts: list[str]) -> list[int]:
        calls.append(len(texts))
        return count_many(texts)

    notes = [parse(f"# H\n{PARAGRAPH}\n## I\n{PARAGRAPH}") for _ in range(50)]
    chunk_notes(notes, counted, WINDOW)
    assert len(calls) == 2  # the pieces, and what the model will read
    chunk_notes([*notes, parse(words(400))], counted, WINDOW)
    assert len(calls) <= 2 + 5


# ---- properties -----------------------------------------------------------------------------------------------------

WORD = st.sampled_from(
    ["alpha", "beta", "gamma.", "delta!", "字字字。", "**bold**", "`code`", "[[A|b]]", "[x](y.md)", "…"]
)
SENTENCE = st.lists(WORD, min_size=1, max_size=30).map(" ".join)
LISTS = st.lists(SENTENCE.map(lambda text: f"- {text}"), min_size=1, max_size=6).map("\n".join)
TABLES = st.lists(SENTENCE.map(lambda text: f"| {text} |"), max_size=8).map(
    lambda rows: "\n".join(["| a |", "|---|", *rows])
)
NESTED = st.lists(st.tuples(st.integers(0, 3), SENTENCE), min_size=1, max_size=8).map(
    lambda items: "\n".join(f"{'  ' * depth}- {text}" for depth, text in items)
)
CODE = st.lists(
    st.sampled_from(["def a():", "    b = 1", "        c(d)", "", "}", "# e", "class F:"]), max_size=40
).map(lambda lines: "\n".join(["```", *lines, "```"]))
FENCES = st.lists(st.one_of(SENTENCE, st.just("")), max_size=8).map(lambda lines: "\n".join(["```", *lines, "```"]))
HEADINGS = st.sampled_from([f"{'#' * level} {name}" for level in range(1, 7) for name in ("Aa", "Bb", "Cc")])
BLOCKS = st.one_of(
    SENTENCE, LISTS, NESTED, TABLES, FENCES, CODE, HEADINGS, HEADINGS, st.just("字" * 150), st.just("x" * 300)
)
NOTES = st.lists(BLOCKS, max_size=14).map("\n\n".join)
ANYTHING = st.one_of(NOTES, st.text(max_size=300))


def bare(text: str) -> str:
    return re.sub(r"\s", "", text)


def without_what_is_repeated(passage: Chunk) -> str:
    """A passage's own lines, without those of a table's heading or of an outer item that were put before them."""
    own = passage.end_line - passage.line + 1
    return "\n".join(passage.text.split("\n")[-own:])


@given(NOTES)
def test_all_text_is_kept_in_order(body: str) -> None:
    passages = cut(body)
    note = parse(body)
    headings = {heading.line for heading in note.headings}
    kept = bare("".join(map(without_what_is_repeated, passages)))
    for number, line in enumerate(body.split("\n"), start=1):
        if number not in headings:
            assert bare(line) in kept
    told = {name for passage in passages for name in passage.headings}
    for heading in note.headings:
        assert heading.text in told or bare(heading.text) in kept


@given(ANYTHING, st.integers(20, 200))
def test_no_passage_is_longer_than_the_window(body: str, window: int) -> None:
    for passage in cut(body, window=window):
        assert len(passage.text) == 1 or read_by_the_model(passage) <= window


@given(ANYTHING, st.sampled_from(["", "---\na: b\nc: d\n---\n"]))
def test_lines_are_those_of_the_file(body: str, frontmatter: str) -> None:
    text = frontmatter + body
    lines = text.split("\n")
    for passage in cut(text):
        assert passage.text.rstrip() == passage.text != ""
        assert 1 <= passage.line <= passage.end_line <= len(lines)
        if passage.text == "Note" and passage.line == 1:
            continue
        told = passage.text.split("\n")[:4]  # after a table's heading rows, or the item that this one belongs to
        assert any(line.strip() in lines[passage.line - 1] for line in told) or passage.text.startswith("| a |")
        assert passage.text.split("\n")[-1].strip() in lines[passage.end_line - 1]


@given(st.lists(ANYTHING, max_size=4))
def test_a_note_is_cut_the_same_in_any_company(bodies: list[str]) -> None:
    together = chunk_notes([parse(body) for body in bodies], count_many, WINDOW)
    assert together == [cut(body) for body in bodies]


@pytest.mark.parametrize(
    "body",
    [
        "x" * 300_000,
        "## Links\n" + "[" * 300_000,
        "# " + "!" * 200_000 + "x\ntext",
        "- x\n" * 50_000,
        "\n \n" * 100_000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_hostile_notes_are_cut(body: str) -> None:
    """Quadratic time would take minutes here."""
    window = 256  # as models have; a heading of nothing but marks takes most of it
    assert all(read_by_the_model(passage) <= window for passage in cut(body, window=window))
