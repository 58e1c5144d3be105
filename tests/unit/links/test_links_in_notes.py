"""Links as they are written in notes, through the parser, to the note that Obsidian would open."""

import pytest

from scrubjay.daemon.links.link_graph import LinkGraph, NoteLinks, property_links
from scrubjay.daemon.links.link_resolver import NoteName, Resolver, link_path, name_key
from scrubjay.daemon.vault.parse import parse_note

PATHS = (
    "Projects/Plan.md",
    "Projects/Notes/Deep.md",
    "People/Ada Lovelace.md",
    "People/Zoë.md",
    "Twin.md",
    "50% off.md",
    "a+b.md",
)
NOTES = {path: NoteName(number, "v", path) for number, path in enumerate(PATHS, start=1)}
HERE = NoteName(99, "v", "Projects/Here.md")

# (what the note says, the note it leads to)
WRITTEN = [
    ("[[Ada Lovelace]]", "People/Ada Lovelace.md"),
    ("[[Ada Lovelace|her]]", "People/Ada Lovelace.md"),
    ("[[Ada Lovelace#Life|her life]]", "People/Ada Lovelace.md"),
    ("[[Ada Lovelace#^a1b2c3]]", "People/Ada Lovelace.md"),
    ("[[ada lovelace.md]]", "People/Ada Lovelace.md"),
    ("| a | [[Ada Lovelace\\|her]] |", "People/Ada Lovelace.md"),
    ("![[Ada Lovelace]]", "People/Ada Lovelace.md"),
    ("![[Ada Lovelace#Life]]", "People/Ada Lovelace.md"),
    ("![[Ada Lovelace#^a1b2c3]]", "People/Ada Lovelace.md"),
    ("> - see [[Ada Lovelace]], **or not**", "People/Ada Lovelace.md"),
    ("[her](People/Ada%20Lovelace.md)", "People/Ada Lovelace.md"),
    ("[her](<People/Ada Lovelace.md>)", "People/Ada Lovelace.md"),
    ("[her](<../People/Ada Lovelace.md#Life>)", "People/Ada Lovelace.md"),
    ("[her](../People/Ada%20Lovelace.md#Life)", "People/Ada Lovelace.md"),
    ("[her](Ada%20Lovelace)", "People/Ada Lovelace.md"),
    ("[her](People/Zo%C3%AB.md)", "People/Zoë.md"),
    ('[her](People/Zo%C3%AB.md "Zoë")', "People/Zoë.md"),
    ("![her](../People/Zo%C3%AB.md)", "People/Zoë.md"),
    ("[plan](Plan.md)", "Projects/Plan.md"),
    ("[plan](./Plan.md)", "Projects/Plan.md"),
    ("[deep](Notes/Deep.md)", "Projects/Notes/Deep.md"),
    ("[deep](/Projects/Notes/Deep.md)", "Projects/Notes/Deep.md"),
    ("[twin](../Twin.md)", "Twin.md"),
    ("[cheap](../50%25%20off.md)", "50% off.md"),
    ("[sum](../a+b.md)", "a+b.md"),  # a plus sign is no space in a path
    ("[[50% off]]", "50% off.md"),
    ("[[#Here below]]", "Projects/Here.md"),
    ("[below](#here-below)", "Projects/Here.md"),
    ("[[Nobody]]", None),
    ("[out](https://example.org/Twin.md)", None),
    ("[out](mailto:twin@example.org)", None),
    ("[app](obsidian://open?file=Twin)", None),
    ("![[Twin.png]]", None),
    ("`[[Twin]]`", None),
    ("```\n[[Twin]]\n```", None),
]


@pytest.mark.parametrize(("text", "leads_to"), WRITTEN)
def test_what_is_written_leads_where_obsidian_leads(text: str, leads_to: str | None) -> None:
    resolver = Resolver((*NOTES.values(), HERE))
    found = [resolver.resolve(link.target, HERE) for link in parse_note(f"{text}\n", HERE.path).links]
    wanted = {**NOTES, HERE.path: HERE}
    assert [note for note in found if note is not None] == ([wanted[leads_to].id] if leads_to else [])


@pytest.mark.parametrize(
    ("front", "leads_to"),
    [
        ('up: "[[Twin]]"', ["Twin.md"]),
        ('related:\n  - "[[Twin]]"\n  - "[[Ada Lovelace|her]]"', ["Twin.md", "People/Ada Lovelace.md"]),
        ("up: Twin", []),
        ('up: "see [[Twin]]"', []),
    ],
)
def test_frontmatter_links_are_links(front: str, leads_to: list[str]) -> None:
    parsed = parse_note(f"---\n{front}\n---\ntext\n", HERE.path)
    notes = [NoteLinks(HERE, property_links(parsed.properties)), *(NoteLinks(note) for note in NOTES.values())]
    graph = LinkGraph(notes).frozen()
    found = graph.out.of(graph.row_of[HERE.id]).tolist()
    assert {graph.names[int(row)].path for row in found} == set(leads_to)


HOSTILE = {
    "one endless name": "x" * 2_000_000,
    "suffixes": "a" + ".md" * 700_000,
    "up and down": "./" + "a/" * 300_000 + "../" * 300_000,
    "only up": "../" * 700_000,
    "slashes": "/" * 2_000_000,
    "headings": "#" * 2_000_000,
    "marks out of order": "e" + "\u0315\u0300\u05ae" * 300_000,
    "spaces": " " * 2_000_000,
}


@pytest.mark.parametrize("link", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_link_costs_no_more_than_reading_it(link: str) -> None:
    """Quadratic work on these would take hours: that the test ends is the test."""
    resolver = Resolver((*NOTES.values(), HERE))
    assert resolver.resolve(link, HERE) in {None, HERE.id}
    assert name_key(link_path(link), "v")[0] == "v"
    assert name_key(link, "v")[0] == "v"
