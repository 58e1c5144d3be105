"""settings.toml: bounds, defaults and errors that name the key."""

from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.settings import Limits, Llm, Settings, load_settings, save_llm
from scrubjay.profiles.errors import UsageError


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_a_set_value_is_taken_and_the_rest_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("port = 9000\n[limits]\nresults = 20\n")
    settings = load_settings(path)
    assert (settings.port, settings.limits.results) == (9000, 20)
    assert settings.reconcile_minutes == Settings().reconcile_minutes


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("port = 70000", "port", id="out-of-bounds"),
        pytest.param("prot = 1", "prot", id="unknown-name"),
        pytest.param("[limits]\nresults = 'many'", "limits.results", id="wrong-type"),
        pytest.param("port = ", "settings.toml", id="not-toml"),
        pytest.param("[limits]\nresults = 0", "limits.results", id="below-the-least"),
    ],
)
def test_a_bad_value_is_refused_by_name(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=named):
        load_settings(path)


def test_the_manual_names_every_setting() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "daemon-settings.md").read_text(encoding="utf-8")
    tables = {"limits": Limits, "llm": Llm}
    names = [name for name in Settings.__struct_fields__ if name not in tables]
    rows = [f"`{name}`" for name in names]
    rows += [f"`[{table}]` `{name}`" for table, kind in tables.items() for name in kind.__struct_fields__]
    assert [row for row in rows if f"| {row} |" not in manual] == []


NAMED = Llm(url="http://127.0.0.1:11434/v1", model="tiny", key=True)
OTHERS = "# mine\nport = 9000  # not the usual one\n\n[limits]\nresults = 20\n"


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="empty"),
        pytest.param(OTHERS, id="other-settings"),
        pytest.param(OTHERS.replace("[limits]", "[llm]\nseconds = 9\n\n[limits]"), id="another-among-them"),
        pytest.param(f'{OTHERS}\n [ llm ] # old\nmodel = "x"\n', id="another-after-them"),
    ],
)
def test_another_model_server_leaves_every_other_line_as_it_is(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(before)
    others = load_settings(path)
    save_llm(path, NAMED)
    assert load_settings(path) == msgspec.structs.replace(others, llm=NAMED)
    assert all(line in path.read_text() for line in OTHERS.splitlines() if before)
    save_llm(path, Llm())
    assert path.read_text() == (OTHERS if before else "")


@pytest.mark.parametrize("before", ['llm.model = "x"\n', 'llm = { model = "x" }\n', "[llm.more]\n", "port = "])
def test_a_form_that_can_t_be_changed_is_refused_and_left_alone(tmp_path: Path, before: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(before)
    with pytest.raises(UsageError):
        save_llm(path, NAMED)
    assert path.read_text() == before
