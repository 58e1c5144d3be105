"""Who is in no team needs no psycopg; who is told how to have it."""

import subprocess
import sys

TRIED = """
import importlib, sys
sys.modules["psycopg"] = None
for module in ({modules}):
    try:
        importlib.import_module(f"scrubjay.profiles.{{module}}")
    except Exception as error:
        print(type(error).__name__, "scrubjay[team]" in str(error))
    else:
        print("imported")
"""


def test_without_psycopg_a_team_is_told_how_to_have_it() -> None:
    said = _tried("team.administration", "team.members", "team.team_schema", "team.server")
    assert said == ["StoreError True"] * 4


def test_what_everybody_uses_does_without_psycopg() -> None:
    assert _tried("server_address", "team.team_key", "registry.registry", "store.store") == ["imported"] * 4


def _tried(*modules: str) -> list[str]:
    code = TRIED.format(modules=", ".join(map(repr, modules)))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
