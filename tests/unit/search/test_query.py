from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.query.query_tree import Either, Every, Exclude, InProfile, Node, Phrase, Where, Word
from scrubjay.profiles.store.filters import (
    AnyOf,
    CreatedBetween,
    FileHas,
    HasKind,
    HasLang,
    HasProperty,
    HasTag,
    ModifiedBetween,
    NoteFilter,
    PathHas,
)

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)
DAY = 86_400 * 10**9
JAN_1 = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) * 10**9


def tree(text: str) -> tuple[Node, ...]:
    return parse_query(text, NOW).tree.parts


def codes(text: str) -> list[str]:
    return [warning.code for warning in parse_query(text, NOW).warnings]


def words(node: Node) -> list[str]:
    match node:
        case Word(text) | Phrase(text):
            return [text]
        case Exclude(part):
            return words(part)
        case Every(parts) | Either(parts):
            return [word for part in parts for word in words(part)]
        case _:
            return []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("alpha beta", (Word("alpha"), Word("beta"))),
        ('"two words" x', (Phrase("two words"), Word("x"))),
        ("“two words”", (Phrase("two words"),)),
        ('מע"מ ד"ר לוי', (Word('מע"מ'), Word('ד"ר'), Word("לוי"))),
        ('מע”מ "ד"ר לוי" x', (Word('מע"מ'), Phrase('ד"ר לוי'), Word("x"))),
        ('"back up"now', (Phrase("back up"), Word("now"))),
        ("关于“预算”的会议", (Word("关于"), Phrase("预算"), Word("的会议"))),
        (r'"they said \"hello\" twice" x', (Phrase('they said "hello" twice'), Word("x"))),
        ('path:"C:\\" x', (Where(PathHas("C:\\")), Word("x"))),
        ('""', ()),
        ("-draft", (Exclude(Word("draft")),)),
        ("--verbose", (Word("--verbose"),)),
        ("a - b", (Word("a"), Word("b"))),
        ("well-known", (Word("well-known"),)),
        ("a OR b", (Either((Word("a"), Word("b"))),)),
        ("a b OR c", (Either((Every((Word("a"), Word("b"))), Word("c"))),)),
        ("a (b OR c)", (Word("a"), Either((Word("b"), Word("c"))))),
        ("OR a", (Word("a"),)),
        ("OR", (Word("OR"),)),
        (" AND OR ", (Word("AND"), Word("OR"))),
        ("a or b", (Word("a"), Word("or"), Word("b"))),
        ("O(n log n) sort", (Word("O(n log n)"), Word("sort"))),
        ("TODO:mend", (Word("TODO:mend"),)),
        ("()", ()),
        ("print(x)", (Word("print(x)"),)),
        ("(print(x) y)", (Word("print(x)"), Word("y"))),
        ('path:"Work/My notes"', (Where(PathHas("Work/My notes")),)),
        ('path:"My notes"/2026', (Where(PathHas("My notes/2026")),)),
        ('path:My" notes"', (Where(PathHas("My notes")),)),
        ("path:/Work", (Where(PathHas("Work")),)),
        ("PATH:x", (Where(PathHas("x")),)),
        ("ext:canvas", (Where(FileHas("*.canvas")),)),
        ("file:2026-*.md", (Where(FileHas("2026-*.md")),)),
        ("tag:#project/atlas", (Where(HasTag("project/atlas")),)),
        ("#项目", (Where(HasTag("项目")),)),
        ("#1", (Word("#1"),)),
        ("-#done", (Exclude(Where(HasTag("done"))),)),
        ("[status:open]", (Where(HasProperty("status", "open")),)),
        ('["due date":"next week"]', (Where(HasProperty("due date", "next week")),)),
        ("[rating:>=4]", (Where(HasProperty("rating", "4", ">=")),)),
        ("[a:x OR y]", (Where(AnyOf((HasProperty("a", "x"), HasProperty("a", "y")))),)),
        ("[[Note]]", (Word("[[Note]]"),)),
        ("[text](url)", (Word("[text](url)"),)),
        ("lang:ZH", (Where(HasLang("zh")),)),
        ("lang:pt-BR", (Where(HasLang("pt")),)),
        ("kind:PDF", (Where(HasKind("pdf")),)),
        ('profile:"my work"', (InProfile("my work"),)),
        ("modified:2026-01-01", (Where(ModifiedBetween(JAN_1, JAN_1 + DAY)),)),
        ("created:>=2026-01-01", (Where(CreatedBetween(JAN_1, None)),)),
        ("https://example.org/a", (Word("https://example.org/a"),)),
        ("a\ud83d \udfff", (Word("a\ufffd"), Word("\ufffd"))),  # halves of characters
        ("\ue000", (Word("\ue000"),)),
    ],
)
def test_what_is_typed_is_read_as_people_know_it(text: str, parts: tuple[Node, ...]) -> None:
    query = parse_query(text, NOW)
    assert query.tree.parts == parts
    assert query.warnings == ()


@pytest.mark.parametrize(
    ("text", "code", "parts"),
    [
        ('find "this now', "unclosed-quote", (Word("find"), Word("this"), Word("now"))),
        ("(a b", "unclosed-parenthesis", (Word("a"), Word("b"))),
        ("((((", "unclosed-parenthesis", ()),
        ("((a) (b", "unclosed-parenthesis", (Word("a"), Word("b"))),
        ("[status:", "unclosed-bracket", (Word("[status:"),)),
        ("a) b", "unopened-parenthesis", (Word("a"), Word("b"))),
        ("path: x", "empty-value", (Word("path:"), Word("x"))),
        ("kind:films", "bad-kind", (Word("kind:films"),)),
        ("tag:# x", "empty-value", (Word("tag:#"), Word("x"))),
        ('path:"a b', "unclosed-quote", (Word("b"),)),
        ("lang:german x", "bad-language", (Word("lang:german"), Word("x"))),
        ("content:call", "unsupported-operator", (Word("call"),)),
        ("line:/(a/ x", "bad-regex", (Word("/(a/"), Word("x"))),
        ("modified:soon x", "bad-date", (Word("modified:soon"), Word("x"))),
        ('modified:"next moon" x', "bad-date", (Every((Word("next"), Word("moon"))), Word("x"))),
        ("ignore-case:(a b) c", "unsupported-operator", (Word("a"), Word("b"), Word("c"))),
        ("x section:", "empty-value", (Word("x"),)),
    ],
)
def test_what_cannot_be_read_is_searched_as_words_and_said(text: str, code: str, parts: tuple[Node, ...]) -> None:
    assert codes(text) == [code]
    assert words(Every(tree(text))) == words(Every(parts))


def test_a_warning_points_at_its_place() -> None:
    for place in ("modified:never", "path:", "sort:colour", "size:>100", "kind:films", "lang:german"):
        (warning,) = parse_query(f"x {place} y", NOW).warnings
        assert (warning.start, warning.end) == (2, 2 + len(place)), place


def spans(node: Node) -> Iterator[Node]:
    yield node
    for part in getattr(node, "parts", (getattr(node, "part", None),)):
        if part is not None:
            yield from spans(part)


_NAMES = st.sampled_from(["line", "block", "created", "modified", "path", "tag", "lang", "profile", "vault", "nope"])
_DAYS = st.sampled_from(["0001", "1601", "1677-09-20", "2026-02-30", "2300", "9999-12-31", "7d", "last week", ".."])


def _nested(name: str, times: int) -> str:
    return f"{name}:" * times + "x"


def _in_parentheses(sign: str, times: int) -> str:
    return f"{sign}(" * times + "x" + ")" * times


def _queries() -> st.SearchStrategy[str]:
    """Texts of the grammar, some of it broken; deep, too."""
    words = st.sampled_from(["heron", "OR", "AND", "-", "--flag", "(", ")", '"', '"weir mill"', "#tag", "[a:1 OR 2]"])
    dates = st.builds("{}:{}{}".format, _NAMES, st.sampled_from(["", ">", "<=", '"']), _DAYS)
    times = st.integers(1, 600)
    deep = st.builds(_nested, _NAMES, times) | st.builds(_in_parentheses, st.sampled_from(["", "-"]), times)
    return st.lists(words | dates | deep, max_size=6).map(_spaced)


def _spaced(parts: list[str]) -> str:
    return " ".join(parts)


@given(_queries())
def test_whatever_the_grammar_allows_can_be_read(text: str) -> None:
    assert parse_query(text, NOW).text == text


def test_nesting_without_end_is_refused_with_a_sentence() -> None:
    for text in ("content:" * 600 + "x", "(" * 600 + "x", "-(" * 600 + "x"):
        assert "too-deep" in codes(text)
    query = parse_query("(" * 5_000 + "deep" + ")" * 5_000, NOW)
    assert words(query.tree) == ["deep"]
    assert {warning.code for warning in query.warnings} == {"too-deep", "unopened-parenthesis"}


@given(st.text(max_size=60) | st.text(alphabet='ab"()-# []:OR<>.path=\\', max_size=40))
@example("=0")
@example('(\\"')
@example('="a\\"b"')
@example('-line:(a "b c") block:d')
def test_any_text_parses_and_offsets_stay_inside(text: str) -> None:
    query = parse_query(text, NOW)
    assert query.text == text
    for warning in query.warnings:
        assert 0 <= warning.start < warning.end <= len(text)
    for node in spans(query.tree):
        assert 0 <= node.span[0] <= node.span[1] <= len(text)
        if isinstance(node, Word):
            written = text[slice(*node.span)]
            assert node.text in written or node.text in written.replace('\\"', '"')  # as it stands, or in quotes


TOKENS = st.text(alphabet="abcxyzäß漢字0189_", min_size=1, max_size=6)
QUOTABLE = st.text(alphabet='abcäß漢 -#/().:"', min_size=1, max_size=10).filter(lambda text: text == text.strip() != "")
LEAVES = st.one_of(
    TOKENS.map(Word),
    QUOTABLE.map(Phrase),
    TOKENS.map(lambda text: Where(PathHas(text))),
    QUOTABLE.map(lambda text: Where(FileHas(text))),
    TOKENS.map(lambda text: Where(HasTag(f"a{text}/b"))),
    st.builds(HasProperty, TOKENS, TOKENS).map(Where),
    QUOTABLE.map(InProfile),
)


def _branching(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(parts.map(Exclude), several.map(Every), several.map(Either))


def written(node: Node) -> str:
    """A part as somebody could type it."""
    match node:
        case Where(condition):
            return _written_condition(condition)
        case Exclude(part):
            return f"-({written(part)})" if isinstance(part, Exclude) else f"-{written(part)}"
        case Every(parts):
            return f"({' '.join(map(written, parts))})"
        case Either(parts):
            return f"({' OR '.join(map(written, parts))})"
        case InProfile(name):
            return f"profile:{_quoted(name)}"
        case Word(text) | Phrase(text):
            return text if isinstance(node, Word) else _quoted(text)


def _written_condition(condition: NoteFilter) -> str:
    match condition:
        case PathHas(text):
            return f"path:{text}"
        case FileHas(text):
            return f"file:{_quoted(text)}"
        case HasTag(tag):
            return f"#{tag}"
        case HasProperty(name, value):
            return f"[{name}:{value}]"
        case _:
            raise AssertionError(condition)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


@given(st.recursive(LEAVES, _branching, max_leaves=8))
@example(Exclude(Word("a")))
def test_a_tree_that_is_written_down_is_read_back(node: Node) -> None:
    query = parse_query(f"before {written(node)} after", NOW)
    assert query.tree.parts == (Word("before"), node, Word("after"))
    assert [warning.code for warning in query.warnings] == ["option-in-words"] * _is_as_an_option(node)


def _is_as_an_option(node: Node) -> bool:
    """Whether it is written as `-a`, of which it is said that it leaves notes out."""
    match node:
        case Exclude(Word(text)):
            return len(text) == 1 and text.isascii() and text.isalpha()
        case _:
            return False


def test_the_longest_query_of_marks_is_read_at_once() -> None:
    for mark in ('"', '\\"', '" \\"', "(", "-(", "[a:", "#", "path:", 'path:"', "OR ", ")", "line:(", "line:/"):
        parse_query(mark * (10_000 // len(mark)), NOW)


@pytest.mark.parametrize(
    ("text", "sort", "code"),
    [
        ("gold sort:-modified", "-modified", None),
        ("sort:Title gold", "title", None),
        ("gold sort:size", "", "bad-sort"),
        ("gold size:>100", "", "unsupported-operator"),
        ("gold /o(r|l)e+/", "", "unsupported-regex"),
        ("gold /etc/hosts/", "", None),
    ],
)
def test_what_is_no_filter_is_understood_or_told_and_never_searched_as_words(
    text: str, sort: str, code: str | None
) -> None:
    query = parse_query(text, NOW)
    assert query.sort == sort
    assert [warning.code for warning in query.warnings] == ([] if code is None else [code])
    words = [part.text for part in query.tree.parts if isinstance(part, Word)]
    assert not any(word.startswith(("sort:", "size:")) for word in words)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("budget last week", 'budget modified:"last week"'),
        ("budget letzte Woche -draft", 'budget modified:"last week" -draft'),
        ("上周的会议", 'modified:"last week" 会议'),
        ("昨天的超市 发票", "modified:yesterday 超市 发票"),
        ("先週の会議", 'modified:"last week" 会議'),
        ("おととい", "modified:2026-03-16"),
        ("Umzug vorgestern", "Umzug modified:2026-03-16"),
        ("Rechnungen letzter Monat", 'Rechnungen modified:"last month"'),
        ("aujourd’hui réunion", "modified:today réunion"),
        ("прошлый месяц отчёт", 'modified:"last month" отчёт'),
        ("w zeszłym tygodniu", 'modified:"last week"'),
        ("geçen hafta toplantı", 'modified:"last week" toplantı'),
        ("지난주 회의", 'modified:"last week" 회의'),
        ("日本周边", None),
        ('"last week" budget', None),
        ("budget last weekend", None),
    ],
)
def test_a_time_in_plain_words_is_offered_as_a_filter(text: str, instead: str | None) -> None:
    hints = [warning.instead for warning in parse_query(text, NOW).warnings if warning.code == "date-in-words"]
    assert hints == ([] if instead is None else [instead])


@pytest.mark.parametrize(
    ("query", "words", "phrases", "parts"),
    [
        (" ".join(["line:(the of a) line:(to in is)"] * 60), 128, 0, 8),
        (" ".join(f"section:(w{number} v{number})" for number in range(100)), 128, 0, 8),
        ('"' + " ".join(["the"] * 500) + '"', 0, 1, 0),
        (" ".join(f'"a w{number}"' for number in range(100)), 128, 16, 0),
        (" ".join(f"w{number}" for number in range(500)), 128, 0, 0),
        (f"line:({' '.join(f'w{number}' for number in range(400))})", 16, 0, 1),
    ],
)
def test_what_one_query_makes_a_search_look_up_is_bounded_and_told(
    query: str, words: int, phrases: int, parts: int
) -> None:
    parsed = parse_query(query, NOW)
    found = Counter(type(node) for node in leaves(parsed.tree))
    assert (found[Word], found[Phrase], found[Where]) == (words, phrases, parts)
    assert max((len(node.text.split()) for node in leaves(parsed.tree) if isinstance(node, Phrase)), default=0) <= 32
    assert {warning.code for warning in parsed.warnings} == {"too-many"}
    assert len(parsed.warnings) <= 3


def leaves(node: Node) -> Iterator[Node]:
    if isinstance(node, Every | Either):
        for part in node.parts:
            yield from leaves(part)
    else:
        yield node


@pytest.mark.parametrize(
    ("text", "code", "instead"),
    [
        ("rating:5 x", "unknown-filter", "[rating:5] x"),
        ("x titel:peat", "unknown-filter", "x [titel:peat]"),
        ("tags:field", "unknown-filter", "tag:field"),
        ("peat AND depth", "and-in-words", '"peat" "depth"'),
        ("peat NOT depth", "not-in-words", "peat -depth"),
        ("-p work rust", "option-in-words", "work rust"),
    ],
)
def test_what_other_programs_understand_is_hinted_at(text: str, code: str, instead: str) -> None:
    [warning] = parse_query(text, NOW).warnings
    assert (warning.code, warning.instead) == (code, instead)


def test_no_hint_without_a_reason() -> None:
    right = "AND|NOT|x NOT|a -p|c++ -rust|see https://example.org|std::vector|C:\\notes|[[Home|a[0|[ ] open|[a] b|x["
    assert [text for text in right.split("|") if codes(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        'x modified:"last month" y',
        '(modified:">last week")',
        'created:"letzte Woche" -x',
        'modified:"day before yesterday"',
        'modified:"today" meeting',
    ],
)
def test_a_time_of_several_words_needs_no_quotation_marks(text: str) -> None:
    bare = text.replace('"', "")
    assert (tree(bare), codes(bare)) == (tree(text), [])


def test_warnings_are_told_in_the_order_of_the_query_and_the_same_one_once() -> None:
    warnings = parse_query("((x (y [z: b", NOW).warnings
    assert [(warning.code, warning.start) for warning in warnings] == [
        ("unclosed-parenthesis", 0),
        ("unclosed-bracket", 7),
    ]
