"""The pages made from the code tell all of it, and what people wrote names only what there is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.integration.packaging.scripts import ROOT, script

commands = script("site/commands.py")
settings_table = script("site/settings_table.py")
man_page = script("site/man_page.py")
routes = script("site/routes.py")
gather = script("site/gather.py")

DESCRIBED = commands.described()
GROUPS = {command.path for command in DESCRIBED if command.is_group}
KNOWN = {command.path for command in DESCRIBED}
PAGES = [
    *(page for page in sorted((ROOT / "docs").glob("*.md"))),
    *(ROOT / name for name in ("README.md", "packaging/README.md", "obsidian-plugin/README.md")),
]


def test_every_command_says_what_it_does_in_whole_sentences() -> None:
    assert len(DESCRIBED) > 50
    for command in DESCRIBED:
        assert command.about.split("\n\n")[0].endswith((".", "?", ":")), command.path
        assert all(about for name, about in command.options if name.startswith("-")), command.path


def test_the_page_of_the_command_line_has_each_command_and_option() -> None:
    page = commands.as_markdown(DESCRIBED)
    for command in DESCRIBED:
        assert f" `{command.path}`\n" in page
        for name, _ in command.options:
            assert name.replace("|", "\\|") in page


def test_the_manual_page_has_each_command_and_no_line_that_troff_would_take_for_its_own() -> None:
    page = man_page.as_man(DESCRIBED, "1.2.3")
    for command in DESCRIBED[1:]:
        assert command.usage.replace("-", "\\-") in page
    ours = re.compile(r"\.(TH|SH|SS|PP|TP|B|nf|fi)\b")
    assert [line for line in page.splitlines() if line.startswith((".", "'")) and not ours.match(line)] == []


def test_the_page_of_the_configuration_has_each_setting_with_what_it_is() -> None:
    rows = settings_table.rows()
    assert {"port", "speed", "limits.results"} <= {row.name for row in rows}
    page = settings_table.as_markdown(rows)
    for row in rows:
        assert row.about, row.name
        assert row.bounds, row.name
        assert f"| `{row.name}` |" in page


def test_routes_and_what_passes_through_them_become_a_page() -> None:
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 9}}
    find: dict[str, Any] = {
        "description": "Find.",
        "parameters": [limit],
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ask"}}}},
        "responses": {"200": {"content": {}}, "404": {}},
    }
    fields: dict[str, Any] = {
        "words": {"type": "array", "items": {"type": "string"}, "description": "a|b"},
        "mode": {"enum": ["x", "y"], "default": "x"},
    }
    page = routes.as_markdown(
        {
            "info": {"description": "About."},
            "paths": {"/v1/find": {"post": find}},
            "components": {"schemas": {"Ask": {"properties": fields, "required": ["words"]}}},
        }
    )
    assert "## `POST /v1/find`" in page
    assert "| `limit` | query | integer, 1…9 |" in page
    assert "Takes [Ask](#ask) (application/json)." in page
    assert "| `words` | list of string | a\\|b |" in page
    assert '| `mode` | `x` or `y` |  Default: `"x"`. |' in page


def _named_commands(page: Path) -> Iterator[str]:
    """`scrubjay …` in code, as far as its words can name commands."""
    text = page.read_text(encoding="utf-8")
    code = [
        *re.findall(r"`([^`\n]+)`", text),
        *re.findall(r"^(?:    )?(?:\S*/)?(scrubjay [^\n]+)$", text, re.MULTILINE),
    ]
    for said in code:
        for call in re.findall(r"(?:^|[\s/(])scrubjay((?: [a-z][a-z-]*)+)", said):
            yield "scrubjay" + call


def test_every_command_that_a_page_names_exists() -> None:
    wrong = [
        f"{page.name} names `{said}`"
        for page in PAGES
        for said in _named_commands(page)
        if " ".join((words := said.split())[:2]) not in KNOWN
        or (" ".join(words[:2]) in GROUPS and len(words) > 2 and " ".join(words[:3]) not in KNOWN)
    ]
    assert wrong == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    navigation = (ROOT / "packaging/site/mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    missing = [page.name for page in (ROOT / "docs").glob("*.md") if f": {page.name}\n" not in navigation]
    assert missing == [], "add them to `nav` in packaging/site/mkdocs.yml"


def test_links_are_turned_to_where_the_site_has_the_page() -> None:
    for source, link, on_the_site in (
        ("README.md", "[a](docs/searching.md#times)", "[a](searching.md#times)"),
        ("README.md", "![a](docs/images/a.png)", "![a](images/a.png)"),
        ("docs/security.md", "[a](../SECURITY.md)", "[a](reporting.md)"),
        ("docs/decisions/0001-a.md", "[a](../../README.md)", "[a](../index.md)"),
        *(
            ("docs/api.md", same, same)
            for same in ("[a](security.md)", "[a](https://example.org/a.md)", "[a](#times)", "[a](../Makefile)")
        ),
    ):
        assert gather.turned(link, source) == on_the_site


def test_a_pipe_in_code_is_shown_without_its_backslash() -> None:
    for row, on_the_site in (
        ("| `a on\\|off` | b |", "| <code>a on&#124;off</code> | b |"),
        ("| `a \\| <b>` | `c` |", "| <code>a &#124; &lt;b&gt;</code> | `c` |"),
        ("| `a` \\| `b` |", "| `a` \\| `b` |"),
        ("not a row: `a\\|b`", "not a row: `a\\|b`"),
    ):
        assert gather.piped(row) == on_the_site
