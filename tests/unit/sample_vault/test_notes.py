"""The sample notes themselves: sound as a vault, rich enough to search, and free of live-looking secrets."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import frontmatter
import pytest

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


def test_there_are_enough_notes_to_search() -> None:
    assert len(NOTES) >= 60
    assert sum(len(text.split()) for text in NOTES.values()) >= 15_000


def test_no_two_notes_share_a_name() -> None:
    names = [path.rpartition("/")[2].casefold() for path in NOTES]
    assert sorted(name for name in names if names.count(name) > 1) == []


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


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"(?<!!)\[\[[^\]|#]+\]\]", id="link"),
        pytest.param(r"\[\[[^\]|#]+#[^\]|^]+\]\]", id="link-to-heading"),
        pytest.param(r"\[\[[^\]|#]+\|[^\]]+\]\]", id="link-with-alias"),
        pytest.param(r"\[\[[^\]|]+\\\|[^\]]+\]\]", id="link-with-alias-in-a-table"),
        pytest.param(r"\[\[[^\]|]+#\^[\w-]+\]\]", id="link-to-block"),
        pytest.param(r"!\[\[[^\]]+#[^\]]+\]\]", id="embed-of-a-section"),
        pytest.param(r"!\[\[[^\]]+\.svg\]\]", id="embed-of-a-drawing"),
        pytest.param(r"\]\([^)]+\.md#[^)]+\)", id="markdown-link-to-heading"),
        pytest.param(r"\]\(https://", id="link-to-the-web"),
        pytest.param(r"^```mermaid$", id="mermaid"),
        pytest.param(r"^```python$", id="code-fence"),
        pytest.param(r"^\$\$$", id="math-block"),
        pytest.param(r"^\[\^\w+\]: ", id="footnote"),
        pytest.param(r"^> \[!warning\]", id="callout"),
        pytest.param(r"^- \[ \] ", id="open-task"),
        pytest.param(r"^- \[x\] ", id="done-task"),
        pytest.param(r"^\| --- \|", id="table"),
        pytest.param(r"(?<!\S)#\w+/\w+", id="nested-tag-in-the-text"),
        pytest.param(r"^tags: \[.*\w/\w", id="nested-tag-in-frontmatter"),
        pytest.param(r"\b[A-Z][a-z]+[A-Z][a-z]+\.[a-z]+_[a-z]+\(", id="camel-and-snake-case"),
    ],
)
def test_notes_use_what_obsidian_offers(pattern: str) -> None:
    assert re.search(pattern, ALL_TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", ["aliases", "tags", "status", "date", "importance", "lang"])
def test_frontmatter_is_sound_and_has_properties_worth_a_filter(name: str) -> None:
    having = [path for path in NOTES if not path.startswith(TEMPLATES) and name in properties(path)]
    assert len(having) >= 3


def test_two_notes_opt_out() -> None:
    opted_out = {path for path in NOTES if not path.startswith(TEMPLATES) and properties(path).get("scrubjay") is False}
    assert opted_out == {"Start here.md", "Personal/Letter to Annette.md"}


def test_obsidian_excludes_the_templates() -> None:
    assert json.loads((VAULT / ".obsidian" / "app.json").read_text("utf-8"))["userIgnoreFilters"] == [TEMPLATES]
    assert [path for path in NOTES if path.startswith(TEMPLATES)]


@pytest.mark.parametrize(
    ("lang", "script"), [("zh", r"[\u4e00-\u9fff]{4}"), ("de", r"\bSauerteig\b"), ("es", r"\bmarismas\b")]
)
def test_a_note_is_written_in(lang: str, script: str) -> None:
    assert [path for path in NOTES if f"lang: {lang}\n" in NOTES[path] and re.search(script, NOTES[path])]


def test_one_section_is_far_longer_than_a_models_window() -> None:
    sections = re.split(r"^#+ .+$", NOTES["Field/A year at Llyn Hesg.md"], flags=re.MULTILINE)
    assert max(len(section.split()) for section in sections) > 1_200


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


@pytest.mark.parametrize(
    "pattern",
    [
        r"AKIA(?!IOSFODNN7EXAMPLE)[A-Z0-9]{16}",
        r"gh[opsu]_[A-Za-z0-9]{36}",
        r"sk-(proj-)?[A-Za-z0-9]{20}",
        r"[rs]k_live_[A-Za-z0-9]{10}",
        r"hooks\.slack\.com/services/T[A-Z0-9]{8}",
        r"eyJ[\w-]{8,}\.eyJ",
        r"postgres(ql)?://[^\s:{]+:[^\s@{]+@",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
        r"(?<![\w/+])[A-Za-z0-9/+]{40}(?![\w/+])",
    ],
)
def test_no_live_looking_secret_lies_in_the_repository(pattern: str) -> None:
    texts = [*NOTES.values(), (PACKAGING / "sample_vault.py").read_text("utf-8")]
    assert [found[0] for text in texts for found in re.finditer(pattern, text)] == []
