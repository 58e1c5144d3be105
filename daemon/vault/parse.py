"""A note's text, already redacted, taken apart: its parts, its language, when it was created."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Protocol, cast

from py3langid.langid import MODEL_FILE, LanguageIdentifier  # pyright: ignore[reportMissingTypeStubs]

from scrubjay.daemon.markdown.markup import Heading, read_markup
from scrubjay.daemon.vault.frontmatter_block import Properties, read_frontmatter
from scrubjay.daemon.vault.read import stem_of
from scrubjay.profiles.database.rows import LinkRow

# When a note was created, as its frontmatter or its name says.

Value = str | tuple[str, ...]

_KEYS = ("created", "date created", "created_at", "creation date", "created-at", "date", "datetime")
_DAILY_NOTE = re.compile(
    r"(?<!\d)((?:19|20|21)\d{2})-?(\d{2})-?(\d{2})(?:\d{4}(?:\d{2})?)?(?!\d)"
)  # 2024-03-05, 202403051230
_LAST_NS = 2**63 - 1


def created_ns(properties: Mapping[str, Value], stem: str) -> int | None:
    """Unix nanoseconds of the first property that holds a date, else of a daily note's name, else None.

    `properties` has lower-case names. Dates are ISO 8601 (2024-03-05, 2024-03-05T10:00, with or without an offset);
    others, such as 05/03/2024, are ambiguous and are not read. A date without an offset is in the local time zone:
    that is the day that the person means who asks for it. A daily note's name begins with its date or ends with it.
    """
    for key in _KEYS:
        value = properties.get(key, "")
        found = _nanoseconds(value) if isinstance(value, str) and value else None
        if found is not None:
            return found
    named = (m for m in _DAILY_NOTE.finditer(stem) if m.start() == 0 or m.end() == len(stem))
    return next((_nanoseconds("-".join(match.groups())) for match in named), None)


def _nanoseconds(written: str) -> int | None:
    try:
        moment = datetime.fromisoformat(written.strip().strip("[]").replace("/", "-"))
        seconds = int(moment.timestamp())
    except (ValueError, OverflowError, OSError):
        return None
    nanoseconds = seconds * 1_000_000_000
    return nanoseconds if -_LAST_NS <= nanoseconds <= _LAST_NS else None


# The language of a note: by its script where that gives it away, else by how its words are spelt.
#
# The second is py3langid's work (a naive Bayes classifier over byte sequences; its model comes with the package).

_SAMPLE = 2000  # code points that are looked at
_LEAST = 200  # code points of prose; less says too little
_SURE = 0.95  # probability
_LATIN = (
    "af az ca cs cy da de en es et eu fi fr ga gl hr hu id is it la lt lv ms mt nl nn no pl pt ro sk sl sq sv sw tl"
    " tr vi"
)
"""Languages that are written with Latin letters and may be told apart by them."""
_NO_PROSE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\[\[|\]\]|[#*_>|=\-\d]+", re.DOTALL)
_LEAST_SHARE = 0.2  # of the sample's letters that a script must have; a word of Chinese says more than one of English

_ASCII = re.compile(r"[\x00-\x7f]+")
_ASCII_LETTERS = re.compile(r"[A-Za-z]+")
_SCRIPTS = {
    script: re.compile(f"[{letters}]+")
    for script, letters in {
        "kana": "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f",
        "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
        "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
        "cyrillic": "\u0400-\u052f",
        "el": "\u0370-\u03ff\u1f00-\u1fff",
        "he": "\u0590-\u05ff",
        "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
        "hi": "\u0900-\u097f",
        "bn": "\u0980-\u09ff",
        "ta": "\u0b80-\u0bff",
        "te": "\u0c00-\u0c7f",
        "th": "\u0e00-\u0e7f",
        "ka": "\u10a0-\u10ff",
        "hy": "\u0530-\u058f",
        "am": "\u1200-\u137f",
        "km": "\u1780-\u17ff",
    }.items()
}
_UKRAINIAN = re.compile("[ґєії]", re.IGNORECASE)
_PERSIAN = re.compile("[پچژگ]")


def language_of(text: str) -> str:
    """ISO 639-1 code of the language of the beginning of `text`; "" for mixtures, no letters and too little text.

    Chinese and Japanese are told apart by kana, Russian from Ukrainian and Arabic from Persian by letters of their own.
    Rarer languages in those scripts (Serbian, Urdu) are taken for the commoner ones. Those in Latin letters are told by
    200 code points of prose at least: code and addresses are none.
    """
    sample = text[:_SAMPLE]
    return _by_script(sample) or _by_spelling(text[: 2 * _SAMPLE])


def _by_spelling(sample: str) -> str:
    """The language of prose in Latin letters."""
    prose = " ".join(_NO_PROSE.sub(" ", sample).split())[:_SAMPLE]
    if len(prose) < _LEAST or sum(map(str.isalpha, prose)) < len(prose) / 2:
        return ""
    found, probability = _identifier().classify(prose)
    if probability < _SURE:
        return ""
    return "no" if found == "nn" else found


class _Identifier(Protocol):
    """What is used of py3langid, in types."""

    nb_classes: Sequence[str]

    def set_languages(self, langs: Sequence[str]) -> None: ...
    def classify(self, text: str) -> tuple[str, float]: ...


@lru_cache(maxsize=1)
def _identifier() -> _Identifier:
    """Loaded when the first note wants it."""
    identifier = cast("_Identifier", LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True))  # pyright: ignore[reportUnknownMemberType]
    identifier.set_languages(_LATIN.split())
    return identifier


def release_memory() -> None:
    """Drop the model of spellings, 85 MB in RAM; the next note that wants it loads it again, in about half a second."""
    _identifier.cache_clear()


def _by_script(sample: str) -> str:
    """The language that a script gives away; "" for Latin letters and mixtures."""
    rest = "" if sample.isascii() else _ASCII.sub("", sample)
    if len(rest) < _LEAST_SHARE * len(sample) / 2:  # at most accents, dashes and emoji among ASCII
        return ""
    counts = {script: sum(map(len, letters.findall(rest))) for script, letters in _SCRIPTS.items()}
    others = sum(map(len, _ASCII_LETTERS.findall(sample)))
    script = max(counts, key=lambda script: counts[script])
    if counts["kana"] and script in {"han", "kana"}:
        counts["ja"] = counts.pop("han") + counts.pop("kana")
        script = "ja"
    if counts[script] < _LEAST_SHARE * (sum(counts.values()) + others) or counts[script] == 0:
        return ""
    if script == "cyrillic":
        return "uk" if _UKRAINIAN.search(rest) else "ru"
    if script == "arabic":
        return "fa" if _PERSIAN.search(rest) else "ar"
    return "zh" if script == "han" else script


PARSER_VERSION = "2"  # raise it when the same text would be taken apart differently: notes are then read again

_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_][a-z0-9]+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """A note taken apart. Offsets are code points of `body`, lines are 1-based lines of the file."""

    title: str  # frontmatter's `title`, else the file's name, which is what Obsidian shows; an H1 is a heading
    aliases: tuple[str, ...]
    tags: tuple[str, ...]  # frontmatter's, then inline ones, as written without "#"; once each whatever the case
    properties: Properties
    created_ns: int | None
    lang: str
    headings: tuple[Heading, ...]
    links: tuple[LinkRow, ...]
    fences: tuple[tuple[int, int], ...]  # fenced code blocks, start and end
    body: str  # what follows the frontmatter
    body_line: int
    indexable: bool  # False for `scrubjay: false`
    frontmatter_problem: str = ""  # a sentence; "" if the frontmatter could be read


def _unchanged(text: str, _line: int) -> str:
    return text


def parse_note(text: str, path: str, scrub: Callable[[str, int], str] = _unchanged) -> ParsedNote:
    """Take apart the redacted `text` of the note at `path`. Never raises; time is linear in the text.

    Decoding (YAML's escapes, percent signs in links) can bring back what the filter could not see, so whatever was
    decoded goes through `scrub`, with the line it stands on, before it is kept.
    """
    front = read_frontmatter(text)
    properties = front.properties
    if "\\" in text[: front.length] and '"' in text[: front.length]:
        properties = _scrubbed(properties, scrub)
    by_name = {name.casefold(): value for name, value in properties.items()}
    body = text[front.length :]
    markup = read_markup(body, front.lines + 1, scrub)
    stem = stem_of(path)
    title = by_name.get("title", "")
    tags = (tag.lstrip("#") for key in ("tags", "tag") for tag in _items(by_name.get(key, ""), r"[,\s]+"))
    return ParsedNote(
        title=" ".join(title.split()) if isinstance(title, str) and title else stem,
        aliases=_once(alias for key in ("aliases", "alias") for alias in _items(by_name.get(key, ""), ",")),
        tags=_once((*tags, *markup.tags)),
        properties=properties,
        created_ns=created_ns(by_name, stem),
        lang=_language(by_name) or language_of(body),
        headings=markup.headings,
        links=markup.links,
        fences=markup.fences,
        body=body,
        body_line=front.lines + 1,
        indexable=not front.opted_out,
        frontmatter_problem=front.problem,
    )


def _scrubbed(properties: Properties, scrub: Callable[[str, int], str]) -> Properties:
    return {
        scrub(name, 1): scrub(value, 1) if isinstance(value, str) else tuple(scrub(item, 1) for item in value)
        for name, value in properties.items()
    }


def _items(value: str | tuple[str, ...], separator: str) -> list[str]:
    """The items of a list, or of a string that is meant as one."""
    if not value:
        return []
    if isinstance(value, tuple):
        return [item for written in value for item in written.split(",")]
    return re.split(separator, value)


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for text in texts:
        if stripped := text.strip():
            kept.setdefault(stripped.casefold(), stripped)
    return tuple(kept.values())


def _language(properties: Properties) -> str:
    value = properties.get("lang") or properties.get("language") or ""
    match = _LANGUAGE.fullmatch(value) if isinstance(value, str) else None
    return match[1].lower() if match else ""
