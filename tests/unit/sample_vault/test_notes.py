"""The sample notes themselves: sound as a vault, rich enough to search, and free of live-looking secrets."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import frontmatter

PACKAGING = Path(__file__).parents[3] / "packaging"
VAULT = PACKAGING / "sample_vault"
TEMPLATES = "Templates/"
UNRESOLVED = {"Hedgehog corridor", "Llanhesg archive"}  # notes that their writer means to write one day

WIKILINK = re.compile(r"\[\[([^\]|#\\]+)(?:#([^\]|\\]+))?(?:\\?\|[^\]]*)?\]\]")
MARKDOWN_LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
BLOCK_ID = re.compile(r" \^([\w-]+)$", re.MULTILINE)
INLINE_CODE = re.compile(r"`([^`]+)`")


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


FILES = {nfc(file.relative_to(VAULT).as_posix()): file for file in VAULT.rglob("*") if file.is_file()}
NOTES = {path: file.read_text("utf-8") for path, file in sorted(FILES.items()) if path.endswith(".md")}
ALL_TEXT = "\n".join(NOTES.values())


def resolve(target: str) -> str | None:
    """The file an Obsidian wikilink opens: by path, or by name wherever it lies. None when there is none."""
    wanted = nfc(target).casefold()
    for path in FILES:
        name = path.rpartition("/")[2]
        if wanted in {known.casefold().removesuffix(".md") for known in (path, name)}:
            return path
    return None


def wikilinks() -> Iterator[tuple[str, str, str]]:
    """(note, target, heading or ^block or nothing) of each link; templates aside."""
    for path, text in NOTES.items():
        if not path.startswith(TEMPLATES):
            for found in WIKILINK.finditer(text):
                yield path, found[1], found[2] or ""


def properties(path: str) -> dict[str, object]:
    return frontmatter.loads(NOTES[path]).metadata


def searches() -> list[tuple[str, str]]:
    """(query, the note that should come first) of each row in Start here."""
    return re.findall(r"^\| `([^`]+)` \| \[\[([^\]]+)\]\]", NOTES["Start here.md"], re.MULTILINE)


def test_there_are_enough_notes_to_search_each_with_a_name_of_its_own() -> None:
    assert len({path.rpartition("/")[2].casefold() for path in NOTES}) == len(NOTES) >= 60
    assert sum(len(text.split()) for text in NOTES.values()) >= 15_000
    sections = re.split(r"^#+ .+$", NOTES["Field/A year at Llyn Hesg.md"], flags=re.MULTILINE)
    assert max(len(section.split()) for section in sections) > 1_200, "one is far longer than a model's window"


def test_only_the_links_meant_to_be_unresolved_are() -> None:
    assert {target for _, target, _ in wikilinks() if resolve(target) is None} == UNRESOLVED


def test_linked_headings_and_blocks_exist() -> None:
    lost: list[tuple[str, str, str]] = []
    for path, target, part in wikilinks():
        text = NOTES.get(resolve(target) or "", "")
        anchors = BLOCK_ID.findall(text) if part.startswith("^") else HEADING.findall(text)
        if part and part.removeprefix("^") not in anchors:
            lost.append((path, target, part))
    assert lost == []


def test_markdown_links_lead_to_files_and_headings() -> None:
    lost: list[tuple[str, str]] = []
    for path, text in NOTES.items():
        for link in MARKDOWN_LINK.findall(text):
            file, _, heading = unquote(link).partition("#")
            goal = FILES[path].parent / file
            if not goal.is_file() or (heading and heading not in HEADING.findall(goal.read_text("utf-8"))):
                lost.append((path, link))
    assert lost == []


def test_boards_show_notes_that_exist() -> None:
    board = json.loads((VAULT / "Boards" / "Spring season.canvas").read_text("utf-8"))
    shown = [node["file"] for node in board["nodes"] if node["type"] == "file"]
    assert shown
    assert [path for path in shown if path not in NOTES] == []


OFFERED = {
    "link": r"(?<!!)\[\[[^\]|#]+\]\]",
    "link to a heading": r"\[\[[^\]|#]+#[^\]|^]+\]\]",
    "link with an alias in a table": r"\[\[[^\]|]+\\\|[^\]]+\]\]",
    "link to a block": r"\[\[[^\]|#]+#\^[\w-]+\]\]",
    "embed of a section": r"!\[\[[^\]]+#[^\]]+\]\]",
    "embed of a drawing": r"!\[\[[^\]]+\.svg\]\]",
    "link in Markdown": r"\]\([^)]+\.md#[^)]+\)",
    "code and mermaid": r"^```mermaid$[\s\S]*^```python$|^```python$[\s\S]*^```mermaid$",
    "footnote": r"^\[\^\w+\]: ",
    "callout": r"^> \[!warning\]",
    "open task": r"^- \[ \] ",
    "table": r"^\| --- \|",
    "nested tag": r"(?<!\S)#\w+/\w+",
    "camel and snake case": r"\b[A-Z][a-z]+[A-Z][a-z]+\.[a-z]+_[a-z]+\(",
}


def test_notes_use_what_obsidian_offers() -> None:
    assert [what for what, pattern in OFFERED.items() if not re.search(pattern, ALL_TEXT, re.MULTILINE)] == []


def test_frontmatter_is_sound_and_has_properties_worth_a_filter_and_two_notes_opt_out() -> None:
    found = {path: properties(path) for path in NOTES if not path.startswith(TEMPLATES)}
    names = Counter(name for each in found.values() for name in each)
    assert min(names[name] for name in ("aliases", "tags", "status", "date", "importance", "lang")) >= 3
    opted_out = {path for path, each in found.items() if each.get("scrubjay") is False}
    assert opted_out == {"Start here.md", "Personal/Letter to Annette.md"}


def test_obsidian_excludes_the_templates() -> None:
    assert json.loads((VAULT / ".obsidian" / "app.json").read_text("utf-8"))["userIgnoreFilters"] == [TEMPLATES]
    assert [path for path in NOTES if path.startswith(TEMPLATES)]


def test_notes_are_written_in_several_languages() -> None:
    for lang, script in (("zh", r"[\u4e00-\u9fff]{4}"), ("de", r"\bSauerteig\b"), ("es", r"\bmarismas\b")):
        assert [text for text in NOTES.values() if f"lang: {lang}\n" in text and re.search(script, text)], lang


def test_start_here_suggests_ten_searches_each_with_its_note() -> None:
    assert len(searches()) == 10
    assert [note for _, note in searches() if resolve(note) is None] == []


def test_suggested_phrase_and_identifiers_stand_in_the_notes() -> None:
    phrases = [(query.strip('"'), note) for query, note in searches() if query.startswith('"')]
    assert phrases
    assert [phrase for phrase, note in phrases if phrase not in NOTES[resolve(note) or ""]] == []
    row = next(line for line in NOTES["Start here.md"].splitlines() if "an identifier" in line)
    elsewhere = "\n".join(text for path, text in NOTES.items() if path != "Start here.md")
    assert len(INLINE_CODE.findall(row)) >= 4
    assert [identifier for identifier in INLINE_CODE.findall(row) if identifier not in elsewhere] == []


def test_only_the_private_note_speaks_of_pensions() -> None:
    speaking = {path for path, text in NOTES.items() if "pension" in text.casefold() and path != "Start here.md"}
    assert speaking == {"Private/Salary and pension.md"}


LIVE = "|".join(
    (
        r"AKIA(?!IOSFODNN7EXAMPLE)[A-Z0-9]{16}",
        r"gh[opsu]_[A-Za-z0-9]{36}",
        r"sk-(proj-)?[A-Za-z0-9]{20}",
        r"[rs]k_live_[A-Za-z0-9]{10}",
        r"hooks\.slack\.com/services/T[A-Z0-9]{8}",
        r"eyJ[\w-]{8,}\.eyJ",
        r"postgres(ql)?://[^\s:{]+:[^\s@{]+@",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
        r"(?<![\w/+])[A-Za-z0-9/+]{40}(?![\w/+])",
    )
)


def test_no_live_looking_secret_lies_in_the_repository() -> None:
    texts = [*NOTES.values(), (PACKAGING / "sample_vault.py").read_text("utf-8")]
    assert [found[0] for text in texts for found in re.finditer(LIVE, text)] == []
