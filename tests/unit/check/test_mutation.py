"""The mistakes that `make mutants` makes."""

import pytest

from tests.check.mutation import mutants, mutated


@pytest.mark.parametrize(
    ("source", "mistakes"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a not in b", ["x = a in b"]),
        ("x = a and b", ["x = a or b"]),
        ("x = not a", ["x = a"]),
        ("x = a // b", ["x = a * b"]),
        ("x = (é) + b", []),  # with a bracket between them
        ("x = 5", ["x = 6"]),
        ("x = True", ["x = False"]),
        ("x: 'tuple[int, 5]' = a", []),
        ("def f(n=1) -> 'a':\n    return a", ["def f(n=1) -> 'a':\n    return None"]),
        ("if é:\n    f()", ["if False:\n    f()", "if True:\n    f()", "if é:\n    None"]),
        ("@d(x=True)\nclass C:\n    n: int = 1", ["@d(x=True)\nclass C:\n    n: int = 2"]),
        ("for x in y:\n    continue", ["for x in y:\n    break"]),
    ],
)
def test_one_thing_is_another(source: str, mistakes: list[str]) -> None:
    code = source.encode()
    assert [mutated(code, mutant).decode() for mutant in mutants(code)] == mistakes
