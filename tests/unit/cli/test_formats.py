"""Results of a search for other programs."""

import csv
import io
import json
from pathlib import Path

import pytest

from scrubjay.daemon.cli.notes.formats import FIELDS, Format, chosen_fields, lines_of
from scrubjay.daemon.cli.notes.vaults import VaultFolders
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.types import SearchResult
from tests.helpers.results import result


def lines(form: Format, *results: SearchResult, fields: str | None = None, root: str | None = "/notes") -> list[str]:
    vaults = VaultFolders({} if root is None else {("home", "Notes"): Path(root)})
    return list(lines_of(results or (result(),), form, chosen_fields(fields), vaults))


def test_a_line_of_json_has_the_documented_fields() -> None:
    (line,) = lines("jsonl")
    assert json.loads(line) == {
        **{"id": "a1b2c3d4e5f6", "profile": "home", "vault": "Notes", "path": "Lake.md", "line": 3, "title": "Lake"},
        **{"headings": ["Birds", "Herons"], "score": 0.25, "relevance": "high", "quote": 'Otters "fish", there.'},
        **{"tags": ["bird"], "modified": "2026-03-01T00:00:00Z", "about": "", "kind": "note", "place": ""},
        "open_url": "",
    }


def test_a_file_that_is_no_note_is_told_with_its_page() -> None:
    found = result(path="Bills/invoice.pdf", kind="pdf", place="3", display="invoice.pdf · page 3")
    assert lines("md", found)[0].splitlines()[:2] == [
        "## invoice.pdf · page 3 › Birds › Herons",
        "[#a1b2c3d4e5f6] home: Bills/invoice.pdf, page 3, high",
    ]


def test_csv_is_read_back_by_any_reader_and_no_title_is_a_formula_to_a_spreadsheet() -> None:
    rows = list(csv.reader(io.StringIO("\n".join(lines("csv", fields="path,quote,headings")))))
    assert rows == [["path", "quote", "headings"], ["Lake.md", 'Otters "fish", there.', "Birds › Herons"]]
    for title in ("=1+1", "+1", "-1", "@SUM(A1)"):
        assert lines("csv", result(title=title), fields="title")[1] == f"'{title}"


@pytest.mark.parametrize("form", ["csv", "md", "paths", "files"])
def test_no_text_of_a_note_adds_a_line_of_its_own(form: Format) -> None:
    said = lines(form, result(path="a\nb.md", title="T\n## Ours", snippet="x\n## Ours"))
    assert [line for text in said for line in text.splitlines() if line.startswith(("## Ours", "b.md"))] == []


def test_paths_and_files_stand_once_each() -> None:
    assert lines("paths", result(), result(), result(path="B.md")) == ["Lake.md", "B.md"]
    assert lines("files", result(), result()) == ["/notes/Lake.md"]
    with pytest.raises(UsageError, match="--format paths"):
        lines("files", root=None)


def test_an_unknown_field_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=", ".join(FIELDS)):
        chosen_fields("path,sesame")


@pytest.mark.parametrize(("vaults", "shown"), [(["Notes"], "home"), (["Notes", "Papers"], "home/Notes"), ([], "home")])
def test_the_vault_is_named_where_a_profile_has_several(vaults: list[str], shown: str) -> None:
    roots = {("home", name): Path("/", name) for name in vaults}
    assert VaultFolders({**roots, ("work", "Other"): Path("/Other")}).name(result()) == shown
