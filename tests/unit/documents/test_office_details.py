"""What is particular to office files: order, headings, cells that are numbers and dates, tables cut into parts."""

import io
import zipfile

import pytest

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import DocumentPart, Reason, unreadable
from scrubjay.daemon.documents.parsers.cells import Styles, cell_text, column_of
from scrubjay.daemon.documents.parsers.sections import Row, row_parts
from tests.helpers.made_files import office, open_formats

DATES = Styles(frozenset({"1"}), 0)


@pytest.mark.parametrize(
    ("value", "kind", "style", "shown"),
    [
        ("0", "s", "", "shared"),
        ("7", "s", "", ""),
        ("x", "s", "", ""),
        ("1", "b", "", "TRUE"),
        ("plain", "str", "", "plain"),
        ("#N/A", "e", "", "#N/A"),
        ("42", "n", "0", "42"),
        ("0.10000000000000001", "n", "0", "0.1"),
        ("1.5E+20", "n", "0", "1.5e+20"),
        ("1E999", "n", "0", "inf"),
        ("", "n", "0", ""),
        ("45000", "n", "1", "2023-03-15"),
        ("45000.75", "n", "1", "2023-03-15 18:00"),
        ("0.5", "n", "1", "12:00:00"),
        ("-3", "n", "1", "-3"),
        ("9e99", "n", "1", "9e99"),
        ("nonsense", "n", "1", "nonsense"),
    ],
)
def test_a_cell_reads_as_its_program_shows_it(value: str, kind: str, style: str, shown: str) -> None:
    assert cell_text(value, kind, style, ["shared"], DATES) == shown


@pytest.mark.parametrize(("reference", "column"), [("A1", 0), ("AA1", 26), ("XFD1048576", 16_383), ("", 5), ("a1", 5)])
def test_a_reference_names_its_column(reference: str, column: int) -> None:
    assert column_of(reference, 5) == column


def test_a_sheet_is_read_with_its_dates_its_gaps_and_its_rows() -> None:
    rows = [["Name", "Day", "Sum"], ["Ada", "#45000", "=3"], ["", "", ""], ["", "", "=4"]]
    (part, *_) = extract(".xlsx", office.xlsx({"Ledger": rows})).parts
    assert part == DocumentPart("Ledger", "rows 2–4", "Name | Day | Sum\nAda | 2023-03-15 | 3\n |  | 4")


def test_two_cells_far_apart_cost_nothing_for_what_is_empty_between_them() -> None:
    far = b'</row><row r="1048576"><c r="B1048576" t="inlineStr"><is><t>far</t></is></c></row>'
    made = office.xlsx({"Ledger": [["near"]]}, inline=True)
    sheet = "xl/worksheets/sheet0.xml"
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    made = office.zipped(members | {sheet: members[sheet].replace(b"</row>", far)})
    (part, *_) = extract(".xlsx", made).parts
    assert part == DocumentPart("Ledger", "row 1048576", "near\n | far")


def test_every_part_of_a_long_table_begins_with_the_tables_first_row() -> None:
    rows = [Row(1, ("Name", "Amount"))] + [Row(number, (f"person {number}", "1")) for number in range(2, 400)]
    parts = list(row_parts("S", "", rows))
    assert len(parts) > 5
    assert all(part.text.startswith("Name | Amount\n") for part in parts)
    assert [line for part in parts for line in part.text.split("\n")[1:]] == [f"person {n} | 1" for n in range(2, 400)]
    assert max(len(part.text) for part in parts) < 1_000
    assert (parts[0].label.partition("–")[0], parts[-1].label.rpartition("–")[2]) == ("rows 2", "399")


def test_a_first_row_that_is_a_text_is_not_lost() -> None:
    text = "word " * 200
    parts = list(row_parts("S", "", [Row(3, (text,)), Row(4, ("after",))]))
    assert text.strip() in "\n".join(part.text for part in parts)
    assert parts[0].label == "row 3"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_of_a_csv_file_is_the_one_that_cuts_its_lines_alike(delimiter: str) -> None:
    text = "\n".join(delimiter.join(row) for row in (("name", "sum"), ("Ada, née B", "1"), ("Bob", "2; 3")))
    quoted = text.replace("Ada, née B", '"Ada, née B"').replace("2; 3", '"2; 3"')
    assert extract(".csv", quoted.encode()).parts[0].text == "name | sum\nAda, née B | 1\nBob | 2; 3"


def test_a_tables_row_is_a_line() -> None:
    made = office.docx([("Heading", "before")], rows=[["a", "b"], ["c", "d"]])
    assert extract(".docx", made).parts[0].text == "before\n\na | b\n\nc | d"


def test_the_chapters_of_a_book_come_in_reading_order_with_the_names_of_its_contents() -> None:
    made = open_formats.epub([("One & only", "first"), ("Two", "second")], version=2)
    assert [(part.place, part.text) for part in extract(".epub", made).parts] == [
        ("One & only", "first"),
        ("Two", "second"),
    ]


@pytest.mark.parametrize("version", [2, 3])
def test_a_book_is_read_though_its_contents_are_damaged(version: int) -> None:
    good = open_formats.epub([("One", "first")], version=version)
    found = extract(".epub", good.replace(b"<navMap>", b"<navMap<").replace(b"<nav>", b"<nav<"))
    assert found.parts or found.unreadable


@pytest.mark.parametrize(
    ("extension", "data"),
    [
        (".docx", office.pptx([("a", "b")])),
        (".pptx", office.xlsx({"a": [["b"]]})),
        (".xlsx", office.docx([("a", "b")])),
        (".epub", office.docx([("a", "b")])),
        (".odt", office.docx([("a", "b")])),
        (".docx", open_formats.odt([("a", "b")])),
    ],
)
def test_an_archive_of_another_kind_is_called_so(extension: str, data: bytes) -> None:
    assert extract(extension, data).unreadable == unreadable(Reason.WRONG_EXTENSION)
