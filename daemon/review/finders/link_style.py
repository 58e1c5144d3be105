"""How a vault writes its links, and a link written so: as Obsidian does with the settings that the vault's links show.

Obsidian's settings are "Use [[Wikilinks]]" and "New link format": shortest path when possible, relative, or absolute.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from posixpath import relpath
from typing import Literal, TypeAlias
from urllib.parse import quote

from scrubjay.daemon.links.link_resolver import NoteName, Resolver
from scrubjay.daemon.vault.read import name_of
from scrubjay.profiles.names import link_key
from scrubjay.profiles.store.rows import LinkRow

PathForm: TypeAlias = Literal["shortest", "relative", "absolute"]

ADDRESS_SAFE = "/!$*+,;=:@~'"
"""What stands as it is in the address of a Markdown link, beside letters and digits; all else is percent-encoded."""

_NO_WIKI = frozenset("[]|#^")


@dataclass(frozen=True, slots=True)
class LinkStyle:
    """What most links of a vault look like."""

    markdown: bool = False  # [text](path.md) rather than [[path|text]]
    form: PathForm = "shortest"


def style_of(links: Iterable[tuple[NoteName, LinkRow, NoteName]]) -> LinkStyle:
    """The style of links, each with the note that it is in and that it leads to. Without any: Obsidian's own."""
    kinds: Counter[bool] = Counter()
    forms: Counter[PathForm] = Counter()
    for source, link, target in links:
        if link.kind == "embed":
            continue
        kinds[link.kind == "markdown"] += 1
        form = _form_of(source, link.target, target)
        if form:
            forms[form] += 1
    return LinkStyle(kinds[True] > kinds[False], max(forms, key=lambda form: forms[form]) if forms else "shortest")


def _form_of(source: NoteName, written: str, target: NoteName) -> PathForm | None:
    """The form of one link; None where it could be of several."""
    folder = target.path.rpartition("/")[0]
    if not folder or folder == source.path.rpartition("/")[0]:
        return None
    if written.startswith(("./", "../")):
        return "relative"
    paths = {link_key(written), link_key(f"{written}.md")}
    if link_key(target.path) in paths:
        return "absolute"
    below = f"{source.path.rpartition('/')[0]}/"  # what is not below it is relative by "../" alone
    is_below = target.path.startswith(below) and link_key(target.path[len(below) :]) in paths
    return "relative" if is_below else "shortest"


class LinkWriter:
    """Writes links that lead where they are meant to."""

    def __init__(self, names: Mapping[int, NoteName], resolver: Resolver, styles: Mapping[str, LinkStyle]) -> None:
        self._names = names  # of all notes and files, by id
        self._resolver = resolver  # that knows them
        self._styles = styles  # of each vault, by id

    def written(self, source_id: int, target_id: int, text: str, *, in_table: bool = False) -> str | None:
        """A link from one note to another of its vault that shows `text`; None where none can be written."""
        if source_id not in self._names:
            return None  # it came after the view of the links
        markdown = self._styles.get(self._names[source_id].vault, LinkStyle()).markdown
        path = self.path(source_id, target_id, markdown=markdown)
        if path is None or "\n" in text:
            return None
        if markdown:
            shown = text.replace("[", r"\[").replace("]", r"\]")
            return f"[{shown}]({quote(path, safe=ADDRESS_SAFE)})"
        if _NO_WIKI & set(text):
            return None
        if path == text:
            return f"[[{path}]]"
        return f"[[{path}\\|{text}]]" if in_table else f"[[{path}|{text}]]"

    def path(self, source_id: int, target_id: int, *, markdown: bool, absolute: bool = False) -> str | None:
        """The path that a link from one note to another names; None where none leads there.

        In the vault's form; absolute: from the vault's root, unless its Markdown links are relative.
        """
        source, target = self._names.get(source_id), self._names.get(target_id)
        if source is None or target is None:
            return None
        form = self._styles.get(source.vault, LinkStyle()).form
        whole = target.path if markdown else target.path.removesuffix(".md")
        chosen = name_of(whole) if form == "shortest" else whole
        if form == "relative":
            chosen = relpath(whole, source.path.rpartition("/")[0] or ".")
        keeps_root = absolute and (not markdown or form == "shortest")
        for path in (whole,) if keeps_root else (chosen, whole):
            if (markdown or not _NO_WIKI & set(path)) and self._resolver.resolve(path, source) == target_id:
                return path
        return None
