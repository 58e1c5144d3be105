"""`scrubjay certify`, on this build and on one in which a rule is switched off."""

import os
from pathlib import Path

import pytest

from scrubjay.daemon.doctor.certificate import certify, known_kinds
from tests.helpers.installation import run_process

OFF = "openai-session"  # no other rule hides its example
SITE = f"""
import tomllib
read = tomllib.loads
def loads(text, **given):
    found = read(text, **given)
    if isinstance(found.get("rule"), list):
        found["rule"] = [each for each in found["rule"] if each.get("id") != "{OFF}"]
    return found
tomllib.loads = loads
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def without_a_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process that is started from now on reads the rules without one."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SITE, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))


def test_a_whole_build_is_certified(tmp_path: Path) -> None:
    (tmp_path / "Heron.md").write_text("The heron waits at the weir.\n", "utf-8")
    found = certify(tmp_path)
    assert (found.leaks, found.missing, found.notes, found.is_clean) == ((), (), 1, True)
    assert found.kinds == len(set(known_kinds()))
    assert min(found.outputs, found.files) > 10


@pytest.mark.usefixtures("without_a_rule")
def test_what_a_build_lets_through_is_named_by_kind_and_place() -> None:
    found = certify(None)
    assert {leak.kind for leak in found.leaks} == {OFF}
    assert {"MCP get_note", "MCP search"} <= {leak.where for leak in found.leaks}
    assert any(leak.where.endswith("unpacked") for leak in found.leaks)
    assert not found.is_clean


@pytest.mark.usefixtures("without_a_rule")
def test_a_build_without_a_rule_does_not_certify_itself(tmp_path: Path) -> None:
    told = run_process(("certify",), {**os.environ, "SCRUBJAY_HOME": str(tmp_path)})
    assert told.returncode == 1
    assert f"Not tried: this build has no rule {OFF}." in told.stderr + told.stdout
