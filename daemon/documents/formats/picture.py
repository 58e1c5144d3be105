"""Text in pictures, by RapidOCR with the models that its package carries; nothing is ever downloaded."""

import importlib
import io
import struct
from importlib.resources import files
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from PIL.ImageOps import exif_transpose

from scrubjay.daemon.documents.clean_text import clean
from scrubjay.daemon.documents.extracted import CannotRead, DocumentPart, Extracted, Kind, Reason, kind_of, unreadable
from scrubjay.daemon.documents.parsers import pdfium

_RENDERED_PIXELS = 1_700  # width of a PDF's page: 200 dots an inch of A4
_MOST_PIXELS = 60_000_000
_LONGEST_SIDE = 4_000  # larger pictures are made smaller before anything else looks at them
_CERTAIN = 0.5  # lines that the model is less sure of are left out

Pixels = NDArray[np.uint8]


class Pictures:
    """Reads pictures, with models that are loaded once, and used once, so that nothing is left to be loaded."""

    def __init__(self, threads: int) -> None:
        Image.init()  # all formats
        Image.MAX_IMAGE_PIXELS = None  # `_picture` has a limit of its own, with a reason
        importlib.import_module("cv2").setNumThreads(threads)
        self._engine: Any = importlib.import_module("rapidocr").RapidOCR(params=_settings(threads))
        self._lines(_sample())

    def read(self, extension: str, data: bytes, page: int) -> Extracted:
        """What stands on a page, from 1. Raises CannotRead."""
        kind = kind_of(f"file{extension}") or Kind.IMAGE
        pixels = _page(data, page) if kind is Kind.PDF else _picture(data, page)
        text = clean("\n".join(self._lines(pixels)))
        if not text.strip():
            return Extracted(kind, unreadable=unreadable(Reason.NO_TEXT))
        return Extracted(kind, parts=(DocumentPart(str(page), "", text),))

    def _lines(self, pixels: Pixels) -> list[str]:
        """Its lines from top to bottom."""
        return [*(self._engine(pixels, use_cls=False).txts or ())]


def _settings(threads: int) -> dict[str, object]:
    """Names of RapidOCR's settings. With the paths of the models it looks for none elsewhere."""
    models = {part: str(each) for each in files("rapidocr").joinpath("models").iterdir() for part in _roles(each.name)}
    if models.keys() != {"Det", "Rec"}:
        raise CannotRead(Reason.NO_OCR)
    return {
        "Global.log_level": "critical",
        "Global.text_score": _CERTAIN,
        "Global.use_cls": False,
        "EngineConfig.onnxruntime.intra_op_num_threads": threads,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        **{f"{part}.model_path": path for part, path in models.items()},
    }


def _roles(name: str) -> list[str]:
    """What a model's file is for: finding lines, or reading them."""
    return [part for part in ("Det", "Rec") if f"_{part.lower()}_" in name and name.endswith(".onnx")]


def _sample() -> Pixels:
    """Something to be found: two dark bars on white."""
    pixels = np.full((200, 400, 3), 255, np.uint8)
    pixels[60:80, 40:360] = pixels[120:140, 40:360] = 0
    return pixels


def _page(data: bytes, page: int) -> Pixels:
    with pdfium.opened(data) as document:
        if not 1 <= page <= pdfium.page_count(document):
            raise CannotRead(Reason.DAMAGED)
        with pdfium.page_of(document, page - 1) as handle:
            if not handle:
                raise CannotRead(Reason.DAMAGED)
            width, height, pixels = pdfium.drawn(handle, _RENDERED_PIXELS)
    return _blue_first(np.frombuffer(pixels, np.uint8).reshape(height, width, 3))


def _picture(data: bytes, page: int) -> Pixels:
    """A picture's pixels, of an animation or a file with several pages those of one, upright as its camera said."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            too_large = picture.width * picture.height > _MOST_PIXELS
            return _refuse(Reason.TOO_LARGE) if too_large else _blue_first(_drawn(picture, page))
    except UnidentifiedImageError:
        return _refuse(Reason.WRONG_EXTENSION)
    except (OSError, ValueError, SyntaxError, EOFError, struct.error):
        return _refuse(Reason.DAMAGED)


def _drawn(picture: Image.Image, page: int) -> Pixels:
    picture.seek(page - 1)
    picture.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
    upright = exif_transpose(picture)
    upright.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    return np.asarray(_opaque(upright))


def _refuse(reason: Reason) -> NoReturn:
    raise CannotRead(reason)


def _opaque(picture: Image.Image) -> Image.Image:
    """On white, where it is transparent."""
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    drawn = picture.convert("RGBA")
    paper = Image.new("RGBA", drawn.size, "white")
    return Image.alpha_composite(paper, drawn).convert("RGB")


def _blue_first(pixels: Pixels) -> Pixels:
    """The order of colours that RapidOCR takes."""
    return np.ascontiguousarray(pixels[:, :, ::-1])
