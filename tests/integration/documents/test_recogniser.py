"""Pictures are read where the extra `ocr` is installed, by models that are never fetched from anywhere."""

import io
import zlib
from collections.abc import Iterator

import pytest
from PIL import Image

from scrubjay.daemon.documents.extracted import Reason, unreadable
from scrubjay.daemon.documents.sandbox import box as module
from scrubjay.daemon.documents.sandbox.box import Recogniser, can_recognise
from scrubjay.daemon.documents.sandbox.confinement import Measure
from tests.helpers.made_files.pdf import Pdf
from tests.helpers.made_files.scans import languages, scan

installed = pytest.mark.skipif(not can_recognise(), reason="the extra ocr is not installed")


@pytest.fixture(scope="module")
def pictures() -> Iterator[Recogniser]:
    made = Recogniser()
    yield made
    made.close()


def vast_png() -> bytes:
    """A picture that says it is 40,000 pixels wide and high."""
    out = io.BytesIO()
    Image.new("RGB", (1, 1)).save(out, "PNG")
    header = b"IHDR" + (40_000).to_bytes(4, "big") * 2 + out.getvalue()[24:29]
    return out.getvalue()[:12] + header + zlib.crc32(header).to_bytes(4, "big") + out.getvalue()[33:]


def test_without_the_extra_a_picture_is_unreadable_and_no_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "can_recognise", lambda: False)
    bare = module.Recogniser()
    assert (bare.recognise(".png", b"").unreadable, bare.pid) == (unreadable(Reason.NO_OCR), None)


def test_only_pictures_and_pdf_have_pages_to_recognise(pictures: Recogniser) -> None:
    with pytest.raises(ValueError, match=r"\.txt"):
        pictures.recognise(".txt", b"")


@installed
@pytest.mark.parametrize("language", languages())
def test_the_words_of_a_scan_are_read(pictures: Recogniser, language: str) -> None:
    made = scan(language, 1, noisy=False)
    found = pictures.recognise(".png", made.png)
    assert made.found(found.parts[0].text) >= 0.95 * len(made.words)
    assert found.parts[0].place == "1"


@installed
def test_the_process_that_reads_them_can_open_nothing_and_so_fetch_nothing(pictures: Recogniser) -> None:
    pictures.recognise(".png", scan("English", 2, noisy=False).png)
    assert {Measure.LANDLOCK, Measure.SECCOMP} <= {*(pictures.measures or ())}


@installed
def test_a_page_of_a_pdf_without_text_is_read_at_its_place(pictures: Recogniser) -> None:
    # Without a font in the file, PDFium draws this text in a font of its own.
    data = Pdf(["nothing here", "the ferry leaves the northern pier"]).bytes()
    assert [(part.place, part.text) for part in pictures.recognise(".pdf", data, page=2).parts] == [
        ("2", "the ferry leaves the northern pier")
    ]


@installed
@pytest.mark.parametrize(
    ("extension", "data", "reason"),
    [
        (".png", b"no picture", Reason.WRONG_EXTENSION),
        (".png", scan("English", 1, noisy=False).png[:5_000], Reason.DAMAGED),
        (".png", vast_png(), Reason.TOO_LARGE),
        (".pdf", b"no pdf", Reason.WRONG_EXTENSION),
    ],
)
def test_what_is_no_picture_is_named(pictures: Recogniser, extension: str, data: bytes, reason: Reason) -> None:
    assert pictures.recognise(extension, data).unreadable == unreadable(reason)


@installed
def test_a_picture_with_nothing_on_it_has_no_text(pictures: Recogniser) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (300, 200)).save(out, "WEBP")
    assert pictures.recognise(".webp", out.getvalue()).unreadable == unreadable(Reason.NO_TEXT)


@installed
@pytest.mark.slow
@pytest.mark.parametrize(("noisy", "share"), [(False, 0.95), (True, 0.85)])
def test_fifty_scans_are_read(pictures: Recogniser, noisy: bool, share: float) -> None:
    made = [scan(languages()[at % len(languages())], at, noisy=noisy) for at in range(25)]
    read = [pictures.recognise(".png", each.png) for each in made]
    found = sum(each.found("\n".join(part.text for part in got.parts)) for each, got in zip(made, read, strict=True))
    assert found >= share * sum(len(each.words) for each in made)
