"""A note's text, already redacted, taken apart: its parts, and when it was created."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from scrubjay.daemon.vault.frontmatter import Properties, read_frontmatter
from scrubjay.daemon.vault.language import language_of
from scrubjay.daemon.vault.markdown.markup import Heading, read_markup
from scrubjay.daemon.vault.read import stem_of
from scrubjay.profiles.store.rows import LinkRow

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


PARSER_VERSION = "4"  # raise it when the same text would be taken apart differently: notes are then read again

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
