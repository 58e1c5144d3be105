"""Links resolved as Obsidian resolves them, one row a rule."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.links import link_resolver
from scrubjay.daemon.links.link_resolver import NoteName, Resolver, link_path, name_key, names_of

PATHS_OF_NOTES = """Index.md | Inbox.md | Projects/Index.md | Projects/Atlas/Index.md | Projects/Atlas/Deploy.md
Projects/Atlas/Notes/Deploy.md | Projects/Beta/Deploy.md | Projects/Beta/Roadmap.md
Archive/Beta/Roadmap.md | Archive/Old/Beta/Roadmap.md | People/Ada Lovelace.md | People/Zoë.md
Tech/Node.js.md | Tech/v1.2.md | Tech/C# notes.md | Tech/readme.markdown | Straße.md | a/Twin.md | b/Twin.md
bb/c/Solo.md | ab/Only.md | 🗂️ hub.md"""
VAULT = PATHS_OF_NOTES.replace("\n", " | ").split(" | ")
ALIASES = {
    "People/Ada Lovelace.md": ("Countess", "Enchantress of Numbers", "Index"),
    "a/Twin.md": ("Gemini",),
    "b/Twin.md": ("Gemini",),
    "Tech/Node.js.md": ("How to/Run a server", "Solo"),
}
NOTES = {path: NoteName(number, "v", path, ALIASES.get(path, ())) for number, path in enumerate(VAULT, start=1)}

# (where the link stands, the link, the note it leads to)
CASES: list[tuple[str, str, str | None]] = [
    # a file's name, the extension left out or not
    ("Inbox.md", "Ada Lovelace", "People/Ada Lovelace.md"),
    ("Inbox.md", "Ada Lovelace.md", "People/Ada Lovelace.md"),
    ("Inbox.md", "Nobody", None),
    ("Inbox.md", "Lovelace", None),
    ("Inbox.md", "🗂️ hub", "🗂️ hub.md"),
    ("Inbox.md", "  Ada Lovelace  ", "People/Ada Lovelace.md"),
    # case, composition and kinds of space do not matter
    ("Inbox.md", "ADA LOVELACE.MD", "People/Ada Lovelace.md"),
    ("Inbox.md", "Ada\u00a0Lovelace", "People/Ada Lovelace.md"),
    ("Inbox.md", unicodedata.normalize("NFD", "Zoë"), "People/Zoë.md"),
    ("Inbox.md", "ZOË", "People/Zoë.md"),
    ("Inbox.md", "Zoe", None),
    ("Inbox.md", "straße", "Straße.md"),
    ("Inbox.md", "Strasse", None),
    # dots in names are not extensions of their own
    ("Inbox.md", "Node.js", "Tech/Node.js.md"),
    ("Inbox.md", "v1.2", "Tech/v1.2.md"),
    ("Inbox.md", "readme.markdown", "Tech/readme.markdown"),
    ("Inbox.md", "readme", None),
    ("Inbox.md", "Deploy.png", None),
    # heading, block and shown text say nothing about the file
    ("Inbox.md", "Ada Lovelace#Life", "People/Ada Lovelace.md"),
    ("Inbox.md", "Ada Lovelace#^abc123", "People/Ada Lovelace.md"),
    ("Inbox.md", "Ada Lovelace|the countess", "People/Ada Lovelace.md"),
    ("Inbox.md", "Ada Lovelace.md#Life|her life", "People/Ada Lovelace.md"),
    ("Inbox.md", "C# notes", None),  # "#" can't be part of a name that a link can reach
    # a link without a file is a link into the same note
    ("Inbox.md", "", "Inbox.md"),
    ("Projects/Beta/Deploy.md", "#Steps", "Projects/Beta/Deploy.md"),
    ("Projects/Beta/Deploy.md", "|shown", "Projects/Beta/Deploy.md"),
    # the whole path from the vault's root
    ("Inbox.md", "Projects/Beta/Deploy.md", "Projects/Beta/Deploy.md"),
    ("Inbox.md", "projects/BETA/deploy", "Projects/Beta/Deploy.md"),
    ("Inbox.md", "Projects/Gamma/Deploy", None),
    # with a leading slash, only the whole path
    ("Inbox.md", "/Projects/Beta/Deploy", "Projects/Beta/Deploy.md"),
    ("Projects/Atlas/Deploy.md", "/Index", "Index.md"),
    ("Inbox.md", "/Beta/Deploy", None),
    ("Inbox.md", "/Ada Lovelace", None),
    # the end of a path
    ("Inbox.md", "Atlas/Notes/Deploy", "Projects/Atlas/Notes/Deploy.md"),
    ("Inbox.md", "c/Solo", "bb/c/Solo.md"),
    ("Inbox.md", "b/Only", None),  # "ab/Only.md" has no folder "b"
    ("Inbox.md", "b/c/Solo", None),
    # several notes of one name: the vault's root first, wherever the link stands
    ("Inbox.md", "Index", "Index.md"),
    ("Projects/Atlas/Deploy.md", "Index", "Index.md"),
    # then in or below the folder of the link
    ("Projects/Atlas/Index.md", "Deploy", "Projects/Atlas/Deploy.md"),
    ("Projects/Atlas/Notes/Deploy.md", "Deploy", "Projects/Atlas/Notes/Deploy.md"),
    ("b/Twin.md", "Twin", "b/Twin.md"),
    ("Projects/Beta/Deploy.md", "Beta/Roadmap", "Projects/Beta/Roadmap.md"),
    # then the shortest path, then the alphabet
    ("Inbox.md", "Deploy", "Projects/Beta/Deploy.md"),
    ("Inbox.md", "Roadmap", "Archive/Beta/Roadmap.md"),
    ("People/Zoë.md", "Beta/Roadmap", "Archive/Beta/Roadmap.md"),
    # relative, as Markdown links often are
    ("Projects/Atlas/Index.md", "./Deploy.md", "Projects/Atlas/Deploy.md"),
    ("Projects/Atlas/Index.md", "./Notes/Deploy.md", "Projects/Atlas/Notes/Deploy.md"),
    ("Projects/Atlas/Index.md", "Notes/Deploy.md", "Projects/Atlas/Notes/Deploy.md"),
    ("Projects/Atlas/Index.md", "../Beta/Deploy.md", "Projects/Beta/Deploy.md"),
    ("Projects/Atlas/Index.md", "../Index", "Projects/Index.md"),
    ("Projects/Atlas/Index.md", "../../Index.md#Top", "Index.md"),
    ("Projects/Atlas/Notes/Deploy.md", "./../Deploy", "Projects/Atlas/Deploy.md"),
    ("Projects/Atlas/Index.md", "../../../../Index.md", "Index.md"),  # not above the vault
    ("Projects/Atlas/Index.md", "./Ada Lovelace.md", None),
    # aliases come last
    ("Inbox.md", "Countess", "People/Ada Lovelace.md"),
    ("Inbox.md", "enchantress of numbers", "People/Ada Lovelace.md"),
    ("People/Zoë.md", "Index", "Index.md"),
    ("Inbox.md", "Solo", "bb/c/Solo.md"),
    ("Inbox.md", "How to/Run a server", "Tech/Node.js.md"),
    ("b/Twin.md", "Gemini", "b/Twin.md"),
    ("Inbox.md", "Gemini", "a/Twin.md"),
    ("Inbox.md", "People/Countess", None),
    # what is no note
    ("Inbox.md", "Projects/", None),
    ("Inbox.md", "/", None),
    ("Inbox.md", ".", None),
    ("Inbox.md", "../", None),
]


@pytest.mark.parametrize("crowd", [1, 10_000], ids=["as-of-many-namesakes", "as-of-few"])
def test_links_lead_where_obsidian_leads_them(crowd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_resolver, "NAMESAKES_FROM", crowd)
    resolver, paths = Resolver(NOTES.values()), {note.id: path for path, note in NOTES.items()}
    found = [(source, link, resolver.resolve(link, NOTES[source])) for source, link, _ in CASES]
    assert [(source, link, paths.get(leads_to or 0)) for source, link, leads_to in found] == CASES


def test_links_never_lead_into_another_vault() -> None:
    here, there = NoteName(1, "v", "Here.md"), NoteName(2, "w", "There.md", ("Elsewhere",))
    resolver = Resolver([here, there])
    assert [resolver.resolve(link, here) for link in ("There", "Elsewhere", "/There.md")] == [None] * 3


def test_names_that_differ_only_in_case_are_two_notes() -> None:
    upper, lower = NoteName(1, "v", "Note.md"), NoteName(2, "v", "note.md")
    resolver = Resolver([upper, lower])
    resolver.remove(upper)
    assert resolver.resolve("Note", lower) == lower.id


PATHS = st.lists(st.sampled_from(["a", "b", "A", "é", "x.y"]), min_size=1, max_size=3).map(
    lambda parts: f"{'/'.join(parts)}.md"
)
NAMES = st.lists(st.tuples(PATHS, st.lists(st.sampled_from(["a", "Alias", "b/a"]), max_size=2)), max_size=8)
LINKS = st.one_of(st.text(max_size=12), PATHS, st.sampled_from(["a", "A", "./a", "../b", "/a", "Alias", "b/a", "x.y"]))


def named(paths: list[tuple[str, list[str]]]) -> list[NoteName]:
    return [NoteName(number, "v", path, tuple(aliases)) for number, (path, aliases) in enumerate(paths)]


@given(NAMES, NAMES, LINKS)
def test_notes_taken_away_leave_no_trace(
    kept: list[tuple[str, list[str]]], gone: list[tuple[str, list[str]]], link: str
):
    notes = named([*kept, *gone])
    source = NoteName(-1, "v", "b/source.md")
    resolver = Resolver(notes)
    for note in notes[len(kept) :]:
        resolver.remove(note)
    assert resolver.resolve(link, source) == Resolver(notes[: len(kept)]).resolve(link, source)


@given(NAMES, PATHS, LINKS)
def test_a_link_moves_only_when_a_note_of_its_name_does(paths: list[tuple[str, list[str]]], added: str, link: str):
    notes = named(paths)
    source = NoteName(-1, "v", "b/source.md")
    newcomer = NoteName(99, "v", added, ("Alias",))
    before, after = Resolver(notes), Resolver([*notes, newcomer])
    if before.resolve(link, source) != after.resolve(link, source):
        assert name_key(link_path(link), "v") in names_of(newcomer)


@given(NAMES, LINKS, PATHS)
def test_many_notes_of_a_name_are_told_apart_as_few_are(
    paths: list[tuple[str, list[str]]], link: str, where: str
) -> None:
    source = NoteName(-1, "v", where)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link_resolver, "NAMESAKES_FROM", 10_000)
        one_by_one = Resolver(named(paths)).resolve(link, source)
        patch.setattr(link_resolver, "NAMESAKES_FROM", 1)
        assert Resolver(named(paths)).resolve(link, source) == one_by_one


@given(LINKS, st.text(max_size=8))
def test_any_text_resolves_to_a_known_note_or_none(link: str, path: str) -> None:
    source = replace(NOTES["Inbox.md"], path=path)
    assert Resolver(NOTES.values()).resolve(link, source) in {None, source.id, *(note.id for note in NOTES.values())}
