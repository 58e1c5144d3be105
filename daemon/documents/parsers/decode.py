"""Bytes as text, whatever wrote them."""

import codecs
import re

from scrubjay.daemon.documents.clean_text import clean
from scrubjay.daemon.documents.extracted import CannotRead, Reason

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The tenth part of the first bytes being control characters is more than any text has.
_SAMPLE = 8_192
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

# Read once here: within the box no codec can be loaded from a file any more.
_KNOWN = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "ascii", "latin-1"),
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8-r", "koi8-u"),
    *("iso8859-2", "iso8859-5", "iso8859-7", "iso8859-9", "iso8859-15", "mac-roman"),
    *("shift_jis", "cp932", "euc_jp", "iso2022_jp", "gbk", "gb2312", "gb18030", "big5", "big5hkscs", "euc_kr", "cp949"),
    *("cp874", "iso8859-11", "tis-620"),
)
_CODECS = {codecs.lookup(name).name for name in _KNOWN}
_SUPERSETS = {
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}
"""The character set that has more, by which browsers read pages that are labelled with one.

Source: the WHATWG's Encoding Standard, "Names and labels", as are those that Python does not know.
"""
_UNKNOWN_LABELS = {
    **dict.fromkeys(("x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("x-gbk", "gb-2312", "gb-2312-80", "csgb2312"), "gb18030"),
    **dict.fromkeys(("ks-c-5601-1989", "ksc-5601", "cseuckr", "windows-949"), "cp949"),
    **dict.fromkeys(("cn-big5", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("x-euc-jp", "cseucpkdfmtjapanese"), "euc_jp"),
    **dict.fromkeys(("windows-874", "dos-874"), "cp874"),
    "x-mac-roman": "mac-roman",
}


def as_text(data: bytes, charset: str = "") -> str:
    """The text of a file: by its byte order mark, else by `charset` if that is known, else UTF-8, else Windows' Latin.

    Line ends are "\\n", control characters are gone. Raises CannotRead (wrong-extension) for what is no text at all.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return clean(data.decode(codec, "replace"))
    sample = data[:_SAMPLE]
    if len(_CONTROL.findall(sample)) * 10 > len(sample):
        raise CannotRead(Reason.WRONG_EXTENSION)
    if charset and (known := _codec(charset)):
        return clean(data.decode(known, "replace"))
    try:
        return clean(data.decode())
    except UnicodeDecodeError:
        return clean(data.decode("cp1252", "replace"))


def _codec(name: str) -> str:
    """The own name of the codec that a label is read by, if it is one of those that were loaded."""
    label = name.strip().lower().replace("_", "-")
    try:
        known = codecs.lookup(_UNKNOWN_LABELS.get(label, label)).name
    except (LookupError, ValueError):
        return ""
    known = _SUPERSETS.get(known, known)
    return known if known in _CODECS else ""
