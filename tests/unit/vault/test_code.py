"""Where code may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.vault.markdown.blocks import seams


@pytest.mark.parametrize(
    ("code", "begin"),
    [
        pytest.param("import a\n\nb = 1\nc = 2\n\nd = 3\n", ["b = 1", "d = 3"], id="blank-lines"),
        pytest.param("x = 1\ndef f():\n    pass\nclass C:\n    pass\n", ["def f", "class C"], id="python"),
        pytest.param("x\n\n# why\n@once\ndef f():\n\n    a = 1\n\n    b\n", ["# why"], id="comments-above"),
        pytest.param("a();\nexport async function f() {\n}\nconst b = 1;\n", ["export async"], id="javascript"),
        pytest.param("int a(int b) {\n  c();\n}\nstatic void d(void) {\n}\n", ["static void d"], id="c"),
        pytest.param("a\n#[test]\nfn b() {\n}\npub(crate) struct C;\n", ["#[test]", "pub(crate)"], id="rust"),
        pytest.param("set -e\nbuild() {\n  make\n}\n", ["build()"], id="shell"),
        pytest.param("if (a) {\n}\nelse {\n}\nwhile (b) {\n}\n", [], id="no-definitions"),
        pytest.param("foo(\n  a,\n\n)\n\n}\nend\n", [], id="what-closes"),
        pytest.param("```python\na = 1\n\nb = 2\n```\n", ["b = 2"], id="fence"),
        pytest.param("> a = 1\n>\n> b = 2\n", ["> b = 2"], id="quoted"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_code_is_cut_before_what_begins(code: str, begin: list[str]) -> None:
    assert [code[offset : offset + len(start)] for offset, start in zip(seams(code), begin, strict=True)] == begin


def test_what_lies_within_is_cut_at_its_own_depth() -> None:
    code = "class C:\n    a = 1\n\n    def f(self):\n        b\n\n        c\n\n    def g(self):\n        d\n"
    assert [code[offset:].split("(", maxsplit=1)[0].strip() for offset in seams(code, inner=True)] == ["def f", "def g"]


@given(st.text(st.sampled_from("a #@{}()\n\t`>=;:d")), st.booleans())
def test_seams_are_beginnings_of_lines_in_order(code: str, inner: bool) -> None:
    offsets = seams(code, inner=inner)
    assert offsets == sorted(set(offsets))
    assert all(0 < offset < len(code) and code[offset - 1] == "\n" for offset in offsets)


@pytest.mark.parametrize("code", ["(" * 100_000, "a(" * 50_000, "async " * 40_000, "a\n" * 60_000, "@\n" * 60_000])
def test_hostile_code_ends(code: str) -> None:
    """Quadratic time would take minutes here."""
    assert len(seams(code)) <= code.count("\n")
