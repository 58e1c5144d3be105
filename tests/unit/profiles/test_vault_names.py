import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.registry.profile_settings import told_apart


def folders(*roots: str) -> list[tuple[str, str]]:
    return [(root, root.rpartition("/")[2]) for root in roots]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        pytest.param(folders("/a/Notes", "/a/Work"), ["Notes", "Work"], id="other names"),
        pytest.param(folders("/a/Notes", "/b/Notes"), ["Notes", "Notes (b)"], id="equal names"),
        pytest.param(folders("/a/Notes", "/b/notes"), ["Notes", "notes (b)"], id="equal but for case"),
        pytest.param(
            folders("/a/Notes", "/b/Notes", "/c/b/Notes"), ["Notes", "Notes (b)", "Notes (b) 2"], id="parents too"
        ),
        pytest.param([("/Notes", "Notes"), ("/Notes", "Notes")], ["Notes", "Notes 2"], id="without a parent"),
    ],
)
def test_vaults_of_a_profile_are_told_apart(given: list[tuple[str, str]], names: list[str]) -> None:
    assert list(told_apart(given)) == names


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["N", "n", "N (a)", "M", "N 2"])), max_size=8))
def test_names_are_distinct_and_stay_once_they_are(places: list[tuple[str, str]]) -> None:
    given = folders(*(f"/{parent}/{name}" for parent, name in places))
    once = told_apart(given)
    assert len({name.casefold() for name in once}) == len(places)
    assert told_apart((root, name) for (root, _), name in zip(given, once, strict=True)) == once
