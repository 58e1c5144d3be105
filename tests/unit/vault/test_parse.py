"""A redacted note taken apart: frontmatter, title, aliases, tags, dates, language; whatever the YAML tries."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.vault.frontmatter import read_frontmatter
from scrubjay.daemon.vault.parse import ParsedNote, parse_note


def parse(text: str, path: str = "Folder/Name.md") -> ParsedNote:
    return parse_note(text, path)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From frontmatter\n---\n# Heading", "From frontmatter"),
        ("---\nTitle: '  two\n\n  lines '\n---\n", "two lines"),
        ("# Heading", "Name"),
        ("---\ntitle: ''\n---\n", "Name"),
        ("---\ntitle: [a, b]\n---\n", "Name"),
        ("---\ntitle: [REDACTED:github-token]\n---\n", "[REDACTED:github-token]"),
    ],
)
def test_title(text: str, title: str) -> None:
    assert parse(text).title == title


@pytest.mark.parametrize(
    ("frontmatter", "tags"),
    [
        ("tags: [one, two/three]", ("one", "two/three")),
        ("tags:\n  - one\n  - '#two'", ("one", "two")),
        ("tags: one, two three", ("one", "two", "three")),
        ("tag: one\nTags: [two]", ("two", "one")),
        ("tags:\n- \n- one\n- One", ("one",)),
        ("tags: 2024", ("2024",)),
        ("tags: {a: b}", ()),
        ("tags:", ()),
    ],
)
def test_tags_of_the_frontmatter_come_before_those_of_the_text(frontmatter: str, tags: tuple[str, ...]) -> None:
    assert parse(f"---\n{frontmatter}\n---\n#ONE #other").tags == (*tags, *(() if "one" in tags else ("ONE",)), "other")


@pytest.mark.parametrize(
    ("frontmatter", "aliases"),
    [
        ("aliases: [One, Two words]", ("One", "Two words")),
        ("aliases: One, Two words", ("One", "Two words")),
        ("alias: One", ("One",)),
        ("aliases:\n- \n", ()),
    ],
)
def test_aliases(frontmatter: str, aliases: tuple[str, ...]) -> None:
    assert parse(f"---\n{frontmatter}\n---\n").aliases == aliases


def test_properties_stay_as_written_and_nested_ones_are_joined() -> None:
    note = parse(
        "---\ncount: 007\nyes: yes\ndate: 2024-03-05\nnone: ~\nlist: [1, [2, 3], {a: b}]\n"
        "outer:\n  inner: x\n  deeper: {y: z}\n---\n"
    )
    assert note.properties == {
        "count": "007",
        "yes": "yes",
        "date": "2024-03-05",
        "none": "",
        "list": ("1", "2", "3", "b"),
        "outer.inner": "x",
        "outer.deeper.y": "z",
    }


@pytest.mark.parametrize("value", ["False", "no", "'off'", "0"])
def test_a_note_can_opt_out(value: str) -> None:
    assert not parse(f"---\nscrubjay: {value}\n---\nbody").indexable


@pytest.mark.parametrize("text", ["---\nscrubjay: true\n---\n", "scrubjay: false", "---\nother: false\n---\n"])
def test_other_notes_have_not_opted_out(text: str) -> None:
    assert parse(text).indexable


def test_a_note_opts_out_even_if_its_frontmatter_is_broken() -> None:
    note = parse("---\ntitle: a: b\nscrubjay: false\n---\nbody")
    assert not note.indexable
    assert note.frontmatter_problem


@pytest.mark.parametrize(
    ("text", "body", "line"),
    [
        ("no frontmatter", "no frontmatter", 1),
        ("---\na: b\n---\nbody", "body", 4),
        ("---\na: b\n---", "", 4),
        ("---\n---\nbody", "body", 3),
        ("--- \na: b\n--- \nbody", "body", 4),
        ("---\nnever closed", "---\nnever closed", 1),
        ("---\nJust text\n---\nmore", "---\nJust text\n---\nmore", 1),
        ("\n---\na: b\n---\n", "\n---\na: b\n---\n", 1),
        ("----\na: b\n----\n", "----\na: b\n----\n", 1),
        ("---\na: '\n---b'\n---\nbody", "body", 5),
        ("---\na: [unclosed\n---\nbody", "body", 4),
    ],
)
def test_the_body_and_its_first_line(text: str, body: str, line: int) -> None:
    note = parse(text)
    assert (note.body, note.body_line) == (body, line)


@pytest.mark.parametrize(
    "yaml",
    [
        pytest.param("a: [unclosed", id="unclosed"),
        pytest.param("title: a: b", id="two-colons"),
        pytest.param("a:\n\t- b", id="tab"),
        pytest.param("[" * 60_000, id="sixty-thousand-brackets"),
        pytest.param("? " * 30_000 + "x", id="thirty-thousand-keys"),
        pytest.param("a: " + "x" * 100_000, id="too-long"),
        pytest.param("a: [" + "x, " * 15_000 + "]", id="too-many"),
        pytest.param('a: "\\ud800"', id="surrogate"),
    ],
)
def test_broken_frontmatter_is_named_and_the_body_is_kept(yaml: str) -> None:
    note = parse(f"---\n{yaml}\n---\n# Body\n[[Link]]")
    assert note.frontmatter_problem
    assert note.properties == {}
    assert (note.body, note.body_line) == ("# Body\n[[Link]]", yaml.count("\n") + 4)
    assert note.links[0].target == "Link"


def test_the_problem_names_the_line_and_quotes_nothing() -> None:
    problem = read_frontmatter("---\nfine: 1\nsecret words: a: b\n---\n").problem
    assert "line 3" in problem
    assert "secret" not in problem


@pytest.mark.parametrize(
    "yaml",
    [
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]",
        "a: &a [*a]",
        "n: " + "9" * 5000,
        "d: 99999-99-99",
        "x: !!python/object/apply:os.system ['true']",
        "<<: {a: b}",
        "? [complex, key]\n: value",
        "a: b\na: c",
    ],
)
def test_yamls_tricks_are_harmless(yaml: str) -> None:
    tracemalloc.start()
    note = parse(f"---\n{yaml}\n---\nbody")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert note.body == "body"
    assert note.frontmatter_problem == ""
    assert peak < 1_000_000


def test_an_alias_repeats_a_value() -> None:
    assert parse("---\na: &x hello\nb: *x\n---\n").properties == {"a": "hello", "b": "hello"}


def test_the_filters_placeholders_do_not_break_the_yaml() -> None:
    properties = parse("---\na: [REDACTED:x]rest\nb: [REDACTED:y]\nc: [[REDACTED:z], w]\n---\n").properties
    assert properties == {"a": "[REDACTED:x]rest", "b": "[REDACTED:y]", "c": ("[REDACTED:z]", "w")}


def test_what_yaml_decodes_is_scrubbed() -> None:
    note = parse_note(
        '---\ntitle: "A\\x42C"\nplain: x\n---\n', "n.md", lambda text, _line: text.replace("ABC", "hidden")
    )
    assert note.title == "hidden"


@pytest.mark.parametrize(
    ("body", "lang"),
    [
        ("Plain English — with a dash and an emoji \U0001f600", "en"),
        ("Größe und Äpfel", ""),
        ("这是一个关于搜索的笔记", "zh"),
        ("Python 的列表推导式是一种简洁的语法", "zh"),
        ("これは検索についてのメモです", "ja"),
        ("검색에 대한 노트", "ko"),
        ("Заметка о поиске", "ru"),
        ("Нотатка про пошук її", "uk"),
        ("Σημείωση", "el"),
        ("ملاحظة عن البحث", "ar"),
        ("یادداشتی دربارهٔ چیزها", "fa"),
        ("An English note that mentions 日本 once in a long sentence of words", "en"),
        ("", ""),
    ],
)
def test_language_by_script(body: str, lang: str) -> None:
    assert parse(body).lang == lang
    assert parse(f"---\nlang: de-AT\n---\n{body}").lang == "de", "the frontmatter says it first"


PRINTABLE = st.text(st.characters(codec="utf-8"), max_size=80)
YAMLISH = st.lists(
    st.one_of(
        st.sampled_from(
            ["a: ", "- ", "[", "]", "{", "}", "\n", "  ", "'", '"', "&x ", "*x", "!!int ", "|\n", "#", ": "]
        ),
        st.text(max_size=4),
    ),
    max_size=30,
).map("".join)


@given(YAMLISH, PRINTABLE, st.text(max_size=10))
def test_any_text_is_taken_apart(yaml: str, body: str, name: str) -> None:
    text = f"---\n{yaml}\n---\n{body}"
    note = parse(text, f"{name}.md")
    assert text.endswith(note.body)
    assert note.body_line == text[: len(text) - len(note.body)].count("\n") + 1


@given(
    st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.from_regex(r"[a-zA-Z0-9 ]{0,12}", fullmatch=True))
)
def test_plain_properties_come_back(properties: dict[str, str]) -> None:
    yaml = "".join(f"{name}: '{value}'\n" for name, value in properties.items())
    assert read_frontmatter(f"---\n{yaml}---\n").properties == {
        name: value.strip() for name, value in properties.items()
    }
