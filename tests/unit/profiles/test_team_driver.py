"""Who is in no team needs no psycopg; who is told how to have it."""

import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules['psycopg'] = None\n"


@pytest.mark.parametrize("module", ["administration", "members", "team_schema", "server"])
def test_without_psycopg_a_team_is_told_how_to_have_it(module: str) -> None:
    done = _run(f"import scrubjay.profiles.team.{module}")
    assert "StoreError" in done.stderr.splitlines()[-1]
    assert "scrubjay[team]" in done.stderr


@pytest.mark.parametrize("module", ["server_address", "team.team_key", "registry.registry", "store.store"])
def test_what_everybody_uses_does_without_psycopg(module: str) -> None:
    done = _run(f"import scrubjay.profiles.{module}")
    assert done.returncode == 0, done.stderr


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False)
