"""Results of a search for other programs: lines of JSON, CSV, Markdown, or paths alone."""

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

import msgspec

from scrubjay.daemon.cli.notes.vaults import VaultFolders
from scrubjay.daemon.cli.output import as_json
from scrubjay.daemon.printable import one_line, printable
from scrubjay.daemon.vault.markdown.quoted import inert, quoted
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.results.places import path_with_place
from scrubjay.profiles.search.types import SearchResult

Format: TypeAlias = Literal["text", "json", "jsonl", "csv", "md", "files", "paths"]

FIELDS: Mapping[str, Callable[[SearchResult], Any]] = {
    "id": lambda each: each.id,
    "profile": lambda each: each.profile,
    "vault": lambda each: each.vault,
    "path": lambda each: each.path,
    "line": lambda each: each.line,
    "title": lambda each: each.title,
    "headings": lambda each: each.headings,
    "score": lambda each: round(each.score, 6),
    "relevance": lambda each: each.relevance,
    "quote": lambda each: each.snippet,
    "tags": lambda each: each.tags,
    "modified": lambda each: each.modified,
    "about": lambda each: each.about,
    "kind": lambda each: each.kind,
    "place": lambda each: each.place,
    "open_url": lambda each: each.open_url,
}
"""What `--fields` names, in the order of the columns. Names and meanings stay; new ones come last."""


def chosen_fields(named: str | None) -> tuple[str, ...]:
    """The fields that are to be given, separated by commas; all where none is named. Raises UsageError."""
    if named is None:
        return tuple(FIELDS)
    names = tuple(dict.fromkeys(name.strip() for name in named.split(",") if name.strip()))
    unknown = [name for name in names if name not in FIELDS]
    if unknown or not names:
        raise UsageError(f"Fields are {', '.join(FIELDS)}, separated by commas.")
    return names


def lines_of(
    results: Sequence[SearchResult], form: Format, fields: Sequence[str], vaults: VaultFolders
) -> Iterator[str]:
    """The results in a form other than `text` and `json`. Raises UsageError for `files` of vaults in unknown places."""
    if form == "jsonl":
        for each in results:
            yield as_json({name: FIELDS[name](each) for name in fields})
    elif form == "csv":
        yield _row(fields)
        for each in results:
            yield _row([_cell(FIELDS[name](each)) for name in fields])
    elif form == "md":
        for each in results:
            yield _markdown(each)
    else:
        yield from dict.fromkeys(_files(results, vaults) if form == "files" else (one_line(r.path) for r in results))


def _row(cells: Sequence[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(cells)
    return written.getvalue()


def _cell(value: Any) -> str:
    """One cell. One that a spreadsheet would take for a formula gets an apostrophe before it."""
    parts = cast("tuple[str, ...]", value) if isinstance(value, tuple) else (str(msgspec.to_builtins(value)),)
    text = one_line(" › ".join(parts))
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _markdown(result: SearchResult) -> str:
    trail = one_line(" › ".join((result.display or result.title, *result.headings)))
    where = one_line(f"{result.profile}: {path_with_place(result.path, result.kind, result.place, result.line)}")
    fit = "" if result.found_by == "filters" else f", {result.relevance}"
    head = f"## {inert(trail)}\n[#{result.id}] {inert(where)}{fit}"
    return f"{head}\n\n{inert(quoted(result.snippet))}\n"


def _files(results: Sequence[SearchResult], vaults: VaultFolders) -> Iterator[str]:
    for result in results:
        file = vaults.file(result)
        if file is None:
            raise UsageError("Where vaults lie is told to clients that manage; `--format paths` gives paths in vaults.")
        yield printable(os.fspath(file)).replace("\n", " ")
