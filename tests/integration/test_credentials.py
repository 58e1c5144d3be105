"""`scrubjay credentials`, as somebody would use it."""

from __future__ import annotations

import json

import pytest

from scrubjay.credential_filter.rules.templates import expand
from tests.helpers.installation import Installation

TOKEN = expand("ghp_{alnum:36}", "cli")
PASSWORD = expand("{alnum:14}", "cli")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Two notes with credentials and one without, indexed; no daemon runs."""
    installation = Installation(tmp_path_factory.mktemp("credentials"))
    installation.write(
        {
            "keys/GitHub [old].md": f"# GitHub\n\nThe token is {TOKEN}.\n",
            "Router.md": f"---\npassword: {PASSWORD}\n---\nIt blinks.\n",
            "Heron.md": "A heron waits at the weir.\n",
        }
    )
    installation.create_profile("work")
    installation.run("index")
    return installation


def test_the_list_names_places_and_rules_and_never_the_credential(indexed: Installation) -> None:
    done = indexed.run("credentials", check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "work: Router.md:2: named-password",
        "work: keys/GitHub [old].md:3: github-token",
    ]
    assert "2 credentials" in done.stderr
    assert not any(secret in done.stdout + done.stderr for secret in (TOKEN, PASSWORD))


def test_scripts_get_json_and_a_status_and_a_report_is_a_list_of_tasks_by_profile(indexed: Installation) -> None:
    done = indexed.run("credentials", "--json", check=False)
    found = [(one["profile"], one["path"], one["line"], one["rule"]) for one in json.loads(done.stdout)]
    router, token = ("work", "Router.md", 2, "named-password"), ("work", "keys/GitHub [old].md", 3, "github-token")
    assert (done.returncode, found) == (1, [router, token])
    report = indexed.run("credentials", "--markdown", check=False).stdout
    assert "## work\n" in report
    assert "- [ ] [[Router]] line 2: " in report
    assert "- [ ] `keys/GitHub [old].md` line 3: " in report


def test_a_misspelt_profile_is_no_clean_one(indexed: Installation) -> None:
    done = indexed.run("credentials", "--profile", "wrok", check=False)
    assert done.returncode != 0
    assert "wrok" in done.stderr


def test_a_profile_without_credentials_leaves_with_zero(indexed: Installation) -> None:
    indexed.run("profile", "create", "empty", "--vault", str(indexed.vault), "--allow", "nothing")
    indexed.run("index")
    done = indexed.run("credentials", "--profile", "empty")
    assert (done.stdout, "No credentials found." in done.stderr) == ("", True)
