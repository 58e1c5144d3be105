"""A file's parts as one text and back: nothing is lost, and each line knows its part."""

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.documents.document_bundles import lay_out, pages_in
from scrubjay.daemon.documents.extracted import METADATA, DocumentPart

TEXTS = st.text(alphabet=st.sampled_from("ab |\n\r\0\ud800é"), max_size=40)
PARTS = st.lists(st.builds(DocumentPart, st.sampled_from(["1", "2", "Staff", METADATA]), TEXTS, TEXTS), max_size=8)


@given(st.sampled_from(["pdf", "sheet", "book", "text"]), PARTS)
def test_each_part_comes_back_as_it_was(kind: str, parts: list[DocumentPart]) -> None:
    layout = lay_out(kind, parts)
    lines = layout.text.split("\n")
    said = [part for part in parts if part.text.replace("\0", "").strip("\r\n").strip()]
    assert len(layout.stretches) == len(said)
    for number, (stretch, part) in enumerate(zip(layout.stretches, said, strict=True)):
        text = "\n".join(lines[at - 1] for at in stretch.lines)
        clean = part.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\ud800", "?")
        assert text == clean.strip("\n")
        assert {layout.part_at(line) for line in (stretch.first_line, *stretch.lines)} == {number}


def test_a_table_has_a_rule_below_its_first_row_that_is_not_of_its_text() -> None:
    layout = lay_out("sheet", [DocumentPart("Staff", "rows 2–3", "user | password\nada | x\nbob | y")])
    assert layout.text.split("\n") == ["Staff", "rows 2–3", "user | password", "--- | ---", "ada | x", "bob | y"]
    assert layout.stretches[0].lines == (3, 5, 6)


def test_names_that_a_user_gave_to_places_are_lines_of_the_text_and_numbers_are_not() -> None:
    parts = [DocumentPart("Staff", "", "a"), DocumentPart("1", "", "b"), DocumentPart(METADATA, "", "c")]
    assert lay_out("sheet", parts).text == "Staff\na\nb\nc"
    assert lay_out("pdf", parts).text == "a\nb\nc"


def test_pages_are_counted_once_and_metadata_is_none() -> None:
    places = (("1", ""), ("1", "annotations"), ("2", ""), (METADATA, ""))
    assert pages_in([DocumentPart(place, label, "a") for place, label in places]) == 2
