"""Where code of whatever language may be cut: before its definitions and after its blank lines."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
_LINE = re.compile(r"(?P<indent>[ \t>]*)(?P<text>[^\n]*)(?:\n|\Z)")
_MODIFIERS = (
    "abstract|async|const|constexpr|declare|default|export|extern|final|inline|internal|open|override|partial|private"
    "|protected|pub(?:\\([^)\n]*\\))?|public|sealed|static|suspend|unsafe|virtual"
)
_DEFINED = (
    "class|contract|def|defmodule|defp|enum|fn|fun|func|function|impl|interface|macro_rules!|module|namespace|object"
    "|package|proc|protocol|record|service|struct|sub|trait|type|union"
    "|(?i:create|alter|insert|select|with)"
)
_DEFINITION = re.compile(
    rf"(?:(?:{_MODIFIERS})\s+)*(?:{_DEFINED})\b"
    r"|(?!(?:if|for|while|switch|else|catch|do|return|when|match|with)\b)[A-Za-z_][^\n=;(){}]*\([^\n;]*\)[^\n;=]*\{\s*$"
    r"|\w[\w.-]*\s*\(\)\s*\{"
)
_BEFORE_IT = re.compile(r"@|#|//|/\*|\*|--|;;|\[[A-Za-z]")  # decorators, attributes, comments
_GOES_ON = re.compile(r"[)\]}]|(?:end|else|elif|elsif|except|rescue|ensure|catch|finally|then|fi|done|esac)\b")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    indent: int  # -1 of a blank line
    text: str


def seams(code: str, *, inner: bool = False) -> list[int]:
    """The offsets of lines before which `code` may be cut, in order; never 0.

    They are lines of the least indentation that follow a blank line or begin a definition, together with the comments
    and decorators right above. inner: of the least indentation but one, such as the methods of a class. Lines that
    close something, and those of the fence around the code, stay with what is before them.
    """
    lines = _lines(code)
    depths = sorted({line.indent for line in lines if line.indent >= 0 and not _FENCE.match(line.text)})
    if len(depths) <= inner:
        return []
    depth = depths[1] if inner else depths[0]
    found: list[int] = []
    lead: int | None = None  # where the comments and decorators above this line begin
    is_first, is_after_blank = True, False
    for line in lines:
        if line.indent < 0 or _FENCE.match(line.text):
            is_after_blank, lead = line.indent < 0, None
            continue
        if line.indent == depth and not is_first and not _GOES_ON.match(line.text):
            start = line.start if lead is None else lead
            if (is_after_blank and lead is None) or _DEFINITION.match(line.text):
                found.append(start)
        is_before = line.indent == depth and _BEFORE_IT.match(line.text) is not None
        lead = (line.start if lead is None else lead) if is_before else None
        is_first, is_after_blank = False, False
    return sorted({offset for offset in found if offset})


def _lines(code: str) -> list[_Line]:
    return [
        _Line(match.start(), len(match["indent"].expandtabs(4)) if match["text"].strip() else -1, match["text"])
        for match in _LINE.finditer(code)
        if match[0]
    ]
