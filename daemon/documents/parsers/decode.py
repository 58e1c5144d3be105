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
    "cp874",
)
_CODECS = {codecs.lookup(name).name for name in _KNOWN}
_LABELS = {
    "cp932": "shift-jis sjis x-sjis ms-kanji windows-31j csshiftjis",
    "gb18030": "gb2312 gb-2312 gb-2312-80 gbk x-gbk ms936 cp936 chinese csgb2312",
    "cp949": "euc-kr euckr ks-c-5601-1987 ks-c-5601-1989 ksc5601 ksc-5601 korean windows-949 cseuckr",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
    "euc_jp": "x-euc-jp cseucpkdfmtjapanese",
    "cp874": "tis-620 iso-8859-11 iso8859-11 windows-874 dos-874",
    "cp1252": "iso-8859-1 iso8859-1 latin-1 latin1 l1 ascii us-ascii",
    "cp1254": "iso-8859-9 iso8859-9 latin5 l5",
    "mac-roman": "macintosh x-mac-roman",
}
"""What pages are labelled as, and the character set that has more, by which browsers read them.

Source: the WHATWG's Encoding Standard, "Names and labels".
"""
_READ_AS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}


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
    """The codec's own name, if it is one of those that were loaded."""
    label = name.strip().lower().replace("_", "-")
    try:
        known = codecs.lookup(_READ_AS.get(label, label)).name
    except (LookupError, ValueError):
        return ""
    return known if known in _CODECS else ""
