"""What agents are offered: tools that are pinned, short, strict, and answer as one text."""

import asyncio
import hashlib
import json
import re
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, Tool
from msgspec.structs import replace

from scrubjay.daemon.answers.context_block import estimated_tokens
from scrubjay.daemon.mcp.server import make_server
from scrubjay.daemon.mcp.tool_answer import MOST_CHARACTERS
from scrubjay.daemon.server.endpoint import Endpoint
from scrubjay.daemon.server.endpoints.journal import RecallReply, RememberedReply
from scrubjay.daemon.server.endpoints.links import TimelineReply
from scrubjay.daemon.server.endpoints.notes import Passage
from scrubjay.daemon.server.endpoints.read import PartOfNote, ReadReply
from scrubjay.profiles.search.types import SearchResponse
from tests.helpers.results import result

ID = "a1b2c3d4e5f6"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def read(text: str) -> ReadReply:
    part = {"id": ID, "profile": "home", "vault": "Notes", "path": "Lake.md", "title": "Lake", "tags": ()}
    where = {"modified": DAY, "redactions": 0, "lines": 90, "next_line": 81, "lines_left": 10}
    passage = Passage(id=ID, headings=(), line=1, text=text)
    return ReadReply((msgspec.convert({**part, **where, "passages": (passage,)}, PartOfNote),))


class Daemon:
    """Answers every call of the API with one reply, and remembers what was asked."""

    def __init__(self, reply: Any = None) -> None:
        self.reply = reply
        self.asked: list[Any] = []

    async def __call__(self, context: Any, endpoint: Endpoint[Any, Any], request: Any = None) -> Any:
        self.asked.append(request)
        return self.reply


def call(daemon: Daemon, tool: str, **arguments: Any) -> CallToolResult:
    answer = asyncio.run(make_server(daemon).call_tool(tool, arguments))
    assert isinstance(answer, CallToolResult)
    return answer


def text_of(answer: CallToolResult) -> str:
    first = answer.content[0]
    assert isinstance(first, TextContent)
    return first.text


def refusal(daemon: Daemon, tool: str, **arguments: Any) -> str:
    with pytest.raises(ToolError) as refused:
        call(daemon, tool, **arguments)
    assert "sesame" not in str(refused.value)
    assert "pydantic" not in str(refused.value)
    return str(refused.value)


TOOLS: list[Tool] = asyncio.run(make_server(Daemon()).list_tools())


def test_names_and_descriptions_are_pinned() -> None:
    """A program that was told to trust these tools trusts these words: changing one is a decision."""
    words = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in TOOLS], sort_keys=True)
    assert hashlib.sha256(words.encode()).hexdigest()[:16] == "08f4441d88bbb223"


def test_reading_what_there_is_costs_an_agent_at_most_2500_tokens() -> None:
    published = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS]
    assert estimated_tokens(json.dumps(published, separators=(",", ":"))) <= 2_500


def test_every_tool_refuses_what_it_does_not_take_before_anything_is_asked() -> None:
    daemon = Daemon()
    for tool in TOOLS:
        assert "takes no argument of that name" in refusal(daemon, tool.name, wobble="sesame"), tool.name
        assert tool.input_schema["additionalProperties"] is False
    assert daemon.asked == []


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {"query": "sesame", "limit": 10**9}, "`limit` of `search` has to be a whole number from 1 to 50."),
        ("search", {"query": "x", "mode": "sesame"}, "one of hybrid, lexical, semantic"),
        ("get_chunk", {"ids": ["../sesame"]}, "an id of 6 to 12 hexadecimal digits"),
        ("forget", {"id": "../sesame"}, "an id of 12 hexadecimal digits"),
        ("remember", {"text": "x", "replaces": "a1b2c3"}, "an id of 12 hexadecimal digits"),
        ("context", {}, "`context` needs `prompt`"),
        ("no-such-tool", {}, "There is no such tool."),
    ],
)
def test_what_does_not_fit_is_told_in_plain_words_without_what_was_sent(
    tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in refusal(Daemon(), tool, **arguments)


@pytest.mark.parametrize(
    "wrong", ["../status", "../../v1/clients", "a1b2c3/../x", "..", "", "#", "a1b2c3?x=1", "ghijkl"]
)
def test_what_leads_to_another_route_is_no_id(wrong: str) -> None:
    daemon = Daemon()
    for tool, arguments in (("forget", {"id": wrong}), ("get_chunk", {"ids": [wrong]})):
        assert "hexadecimal digits" in refusal(daemon, tool, **arguments)
    assert daemon.asked == []


def test_what_is_taken_where_nothing_is_said_is_in_the_schema() -> None:
    said = {
        f"{tool.name}.{name}": each["default"]
        for tool in TOOLS
        for name, each in tool.input_schema["properties"].items()
        if "default" in each
    }
    assert (said["search.limit"], said["list_notes.limit"]) == (10, 50)
    assert (said["context.max_tokens"], said["get_note.max_tokens"]) == (1_000, 25_000)
    assert all(value for value in said.values())


def test_one_profile_is_asked_for_however_it_is_called() -> None:
    for arguments in ({"profile": "work"}, {"profiles": ["work"]}, {"profiles": "work"}):
        daemon = Daemon(SearchResponse((), "low", 1.0, 0))
        call(daemon, "search", query="x", **arguments)
        assert daemon.asked[0].profiles == ("work",)


def test_a_search_links_to_the_notes() -> None:
    answer = call(Daemon(SearchResponse((result(),), "high", 1.0, 0, total_notes=1)), "search", query="otters")
    assert [getattr(link, "uri", None) for link in answer.content[1:]] == [f"scrubjay://note/{ID}"]


def test_a_part_of_a_note_says_where_to_go_on_and_no_answer_is_longer_than_an_agent_can_read() -> None:
    assert text_of(call(Daemon(read("Reeds.")), "get_note", id="Lake.md", to_line=80)).endswith(
        "(10 lines more; go on at 81.)"
    )
    said = text_of(call(Daemon(read("Reeds grow here.\n" * 30_000)), "get_note", id="Lake.md"))
    assert len(said) <= MOST_CHARACTERS
    assert said.endswith("Ask for less, or for the next part.)")


@pytest.mark.parametrize(
    ("lines", "passages", "said"),
    [
        ({"from_line": 91}, (), "No text in these lines; the text ends at line 90."),
        ({"from_line": 1, "to_line": 2}, (), "No text in these lines; the text ends at line 90."),
        ({"from_line": 3, "to_line": 3}, ("Reeds.",), "> Reeds."),
    ],
)
def test_lines_without_text_are_told_with_the_line_at_which_the_text_ends(
    lines: dict[str, int], passages: tuple[str, ...], said: str
) -> None:
    note = read("").notes[0]
    found = tuple(Passage(id=ID, headings=(), line=3, text=text) for text in passages)
    daemon = Daemon(ReadReply((replace(note, passages=found, next_line=None, lines_left=0),)))
    assert text_of(call(daemon, "get_note", id="Lake.md", **lines)).endswith(said)


def test_lines_that_are_named_backwards_are_refused_before_anything_is_asked() -> None:
    daemon = Daemon()
    said = refusal(daemon, "get_note", id="Lake.md", from_line=9, to_line=3)
    assert said == "Lines count from 1, and the first stands before the last."
    assert daemon.asked == []


FIRST_OF_MANY = (
    "notes, day by day, the newest first; these are 1 to 50. Narrow it down with `since` and `until`;"
    " `list_notes` has all of a day, page by page, with filters such as modified:2026-03-09."
)


def days(*counts: int) -> TimelineReply:
    """So many notes on days, the newest first."""
    note = {"id": ID, "profile": "home", "vault": "Notes", "title": "x", "tags": (), "modified": DAY}
    return msgspec.convert(
        {
            "days": [
                {
                    "day": f"2026-03-{9 - number:02}",
                    "notes": [
                        {"note": {**note, "path": f"{number}-{each}.md"}, "occasion": "modified"}
                        for each in range(count)
                    ],
                }
                for number, count in enumerate(counts)
            ]
        },
        TimelineReply,
    )


@pytest.mark.parametrize(
    ("counts", "head", "headings", "listed"),
    [
        ((1,), "1 note, day by day, the newest first.", ["Monday, 2026-03-09: 1"], 1),
        ((49, 1), "50 notes, day by day, the newest first.", ["Monday, 2026-03-09: 49", "Sunday, 2026-03-08: 1"], 50),
        ((1_050,), f"1,050 {FIRST_OF_MANY}", ["Monday, 2026-03-09: 1,050"], 50),
        (
            (48, 9, 3),
            f"60 {FIRST_OF_MANY}",
            ["Monday, 2026-03-09: 48", "Sunday, 2026-03-08: 9", "Saturday, 2026-03-07: 3"],
            50,
        ),
    ],
)
def test_a_timeline_names_fifty_notes_and_says_how_many_there_are_on_each_day_and_how_to_see_the_others(
    counts: tuple[int, ...], head: str, headings: list[str], listed: int
) -> None:
    said = text_of(call(Daemon(days(*counts)), "timeline")).splitlines()
    assert said[0] == head
    assert [line for line in said if re.match(r"\w+day, ", line)] == headings
    assert sum(line.startswith("- ") for line in said) == listed


def test_days_without_notes_are_said_to_have_none() -> None:
    assert text_of(call(Daemon(days()), "timeline")) == "No notes on these days."


def test_a_note_is_a_resource_by_the_id_that_links_name_and_is_read_by_a_path_of_any_length() -> None:
    daemon = Daemon(read("Reeds."))
    found = asyncio.run(make_server(daemon).read_resource(f"scrubjay://note/{ID}"))
    assert not isinstance(found, InputRequiredResult)
    assert ["> Reeds." in str(each.content) for each in found] == [True]
    long = "Customers/" * 90 + "Halden Kommune call.md"
    for named in (long, [long, "Lake.md"]):
        assert "> Reeds." in text_of(call(daemon, "get_note", id=named))
    assert [asked.notes for asked in daemon.asked] == [(f"#{ID}",), (long,), (long, "Lake.md")]


def test_prompts_lead_through_tools_that_exist() -> None:
    server = make_server(Daemon())
    for prompt in asyncio.run(server.list_prompts()):
        argument = (prompt.arguments or [])[0].name
        said = str(asyncio.run(server.get_prompt(prompt.name, {argument: "eels"})))
        assert "eels" in said
        assert set(re.findall(r"`(\w+)`", said)) <= {tool.name for tool in TOOLS}


def test_days_of_what_is_remembered_are_whole_days_and_entries_are_named_in_capitals_too() -> None:
    saved = {"id": ID, "profile": "home", "saved": DAY, "first_saved": DAY, "author": "me", "text": "x", "tags": ()}
    daemon = Daemon(msgspec.convert({**saved, "redactions": 0}, RememberedReply))
    capitals = f"#{ID.upper()}"
    call(daemon, "remember", text="x", replaces=capitals, valid_from="2026-12-01", valid_to="2026-12-24")
    asked = daemon.asked[0]
    assert (asked.replaces, asked.valid_from, asked.valid_to) == (ID, midnight("2026-12-01"), midnight("2026-12-25"))
    daemon = Daemon(RecallReply(entries=()))
    call(daemon, "recall", query="x", as_of="2026-12-01")
    assert midnight("2026-12-01") < daemon.asked[0].as_of < midnight("2026-12-02")
    daemon = Daemon()
    call(daemon, "forget", id=capitals, confirm=True)
    assert daemon.asked[0].entry_id == ID


def midnight(day: str) -> datetime:
    return datetime.fromisoformat(day).astimezone()
