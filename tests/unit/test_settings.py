"""settings.toml: bounds, defaults and errors that name the key."""

from pathlib import Path

import pytest

from scrubjay.daemon.errors import UsageError
from scrubjay.daemon.settings import Settings, load_settings


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
    manual = (Path(__file__).parents[2] / "docs" / "daemon.md").read_text(encoding="utf-8")
    names = (*Settings.__struct_fields__, *Settings().limits.__struct_fields__)
    assert [name for name in names if name != "limits" and f"`{name}`" not in manual] == []
