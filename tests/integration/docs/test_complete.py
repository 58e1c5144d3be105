"""Every route, setting, command and option that there is stands in a page, and no page names one that there is not."""

import re

import pytest

from scrubjay.daemon.server.app import HANDLERS
from tests.integration.docs.examples import pages
from tests.integration.packaging.scripts import ROOT, script

commands = script("site/commands.py")
settings_table = script("site/settings_table.py")

PAGES = pages(ROOT)
DESCRIBED = {command.path: command for command in commands.described()}
NO_ENDPOINTS = {("POST", "/mcp"), ("GET", "/metrics"), ("GET", "/v1/events")}
_PARAMETER = re.compile(r"\{[^}]*\}")


def routes_of(page: str) -> set[tuple[str, str]]:
    """The routes that a page's tables have, one a row, with `{}` for whatever a path takes."""
    rows = re.findall(r"^\| `(GET|POST|PUT|PATCH|DELETE) (/[^`?]*)[^`]*` \| ", page, re.MULTILINE)
    return {(method, _PARAMETER.sub("{}", path)) for method, path in rows}


def test_the_page_of_the_api_has_every_route_and_no_other() -> None:
    served = {(each.endpoint.method, _PARAMETER.sub("{}", each.endpoint.path)) for each in HANDLERS} | NO_ENDPOINTS
    assert routes_of(PAGES["docs/api.md"]) == served


def test_the_page_of_the_api_names_the_scope_that_each_route_takes() -> None:
    rows = re.findall(r"^\| `(\w+) (/[^`?]*)[^`]*` \| (\w+)", PAGES["docs/api.md"], re.MULTILINE)
    told = {(method, _PARAMETER.sub("{}", path)): scope for method, path, scope in rows}
    wrong = {
        (each.endpoint.method, each.endpoint.path): each.endpoint.scope
        for each in HANDLERS
        if each.endpoint.scope
        and told[each.endpoint.method, _PARAMETER.sub("{}", each.endpoint.path)] != each.endpoint.scope
    }
    assert wrong == {}


def test_the_page_of_settings_has_every_setting_and_its_default() -> None:
    rows = re.findall(r"^\| (?:`\[(\w+)\]` )?`(\w+)` \| (.+?) \| ", PAGES["docs/daemon-settings.md"], re.MULTILINE)
    shown = {f"{table}.{name}" if table else name: default.strip("`") for table, name, default in rows}
    settings = {row.name: row.default.strip("`") for row in settings_table.rows()}
    assert set(shown) == set(settings)


def test_every_command_is_told_of_in_a_page() -> None:
    told = "\n".join(PAGES.values())
    untold = [
        path for path, command in DESCRIBED.items() if not command.is_group and not re.search(rf"{_said(path)}\b", told)
    ]
    assert untold == []


def test_every_option_that_a_page_names_exists() -> None:
    wrong: list[str] = []
    for page, text in PAGES.items():
        code = [*re.findall(r"`(scrubjay [^`\n]+)`", text), *re.findall(r"^(scrubjay [^\n]+)$", text, re.MULTILINE)]
        for said in code:
            command = _command(said)
            known = " ".join(name for name, _ in DESCRIBED[command].options) + " --help --version"
            options = re.findall(r"(?<=\s)--[a-z][a-z-]*", said.partition(" #")[0])
            wrong += [f"{page}: {said}: {option}" for option in options if not re.search(rf"{option}\b", known)]
    assert wrong == []


def _command(said: str) -> str:
    """The longest command that the words begin with."""
    words = said.split()
    return next(path for size in (3, 2, 1) if (path := " ".join(words[:size])) in DESCRIBED)


def _said(path: str) -> str:
    """A pattern of how pages name a command: whole, or in a table below its group's name."""
    group, _, last = path.rpartition(" ")
    return rf"(?:{re.escape(path)}|`(?:[a-z-]+`, `)*{re.escape(last)})" if group.count(" ") else re.escape(path)


@pytest.mark.parametrize("page", ["docs/performance.md", "docs/retrieval.md"])
def test_every_table_of_figures_says_when_it_was_measured_and_by_what(page: str) -> None:
    sections = re.split(r"^(?=## )", PAGES[page], flags=re.MULTILINE)[1:]
    undated = [
        section.splitlines()[0]
        for section in sections
        if re.search(r"^\|.*\d.*\|$", section, re.MULTILINE)
        and not re.search(r"^\*Measured .*\d{4}: .+\*$", section, re.MULTILINE)
    ]
    assert undated == []
