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

WRITTEN = {
    "People/Ada Lovelace.md": """[[Ada Lovelace]]
[[Ada Lovelace#Life|her life]]
[[ada lovelace.md]]
| a | [[Ada Lovelace\\|her]] |
![[Ada Lovelace#^a1b2c3]]
> - see [[Ada Lovelace]], **or not**
[her](People/Ada%20Lovelace.md)
[her](<../People/Ada Lovelace.md#Life>)
[her](Ada%20Lovelace)""",
    "People/Zoë.md": """[her](People/Zo%C3%AB.md "Zoë")
![her](../People/Zo%C3%AB.md)""",
    "Projects/Plan.md": "[plan](Plan.md)\n[plan](./Plan.md)",
    "Projects/Notes/Deep.md": "[deep](Notes/Deep.md)\n[deep](/Projects/Notes/Deep.md)",
    "Twin.md": "[twin](../Twin.md)",
    "50% off.md": "[cheap](../50%25%20off.md)\n[[50% off]]",
    "a+b.md": "[sum](../a+b.md)",  # a plus sign is no space in a path
    "Projects/Here.md": "[[#Here below]]\n[below](#here-below)",
    "": """[[Nobody]]
[out](https://example.org/Twin.md)
[out](mailto:twin@example.org)
[app](obsidian://open?file=Twin)
![[Twin.png]]
`[[Twin]]`
```⏎[[Twin]]⏎```""",
}


@pytest.mark.parametrize("leads_to", WRITTEN)
def test_what_is_written_leads_where_obsidian_leads(leads_to: str) -> None:
    resolver, ids = (
        Resolver((*NOTES.values(), HERE)),
        {path: each.id for path, each in [*NOTES.items(), (HERE.path, HERE)]},
    )
    for text in (line.replace("⏎", "\n") for line in WRITTEN[leads_to].split("\n")):
        found = [resolver.resolve(link.target, HERE) for link in parse_note(f"{text}\n", HERE.path).links]
        assert [note for note in found if note is not None] == ([ids[leads_to]] if leads_to else []), text


@pytest.mark.parametrize(
    ("front", "leads_to"),
    [
        ('related:\n  - "[[Twin]]"\n  - "[[Ada Lovelace|her]]"', {"Twin.md", "People/Ada Lovelace.md"}),
        ('up: "see [[Twin]]"\nover: Twin', set[str]()),
    ],
)
def test_frontmatter_links_are_links(front: str, leads_to: set[str]) -> None:
    parsed = parse_note(f"---\n{front}\n---\ntext\n", HERE.path)
    notes = [NoteLinks(HERE, property_links(parsed.properties)), *(NoteLinks(note) for note in NOTES.values())]
    graph = LinkGraph(notes).frozen()
    assert {graph.names[int(row)].path for row in graph.out.of(graph.row_of[HERE.id]).tolist()} == leads_to


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
