"""What agents are offered: tools that are pinned, short, strict, and answer as one text."""

import asyncio
import hashlib
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, Tool

from scrubjay.daemon.answers.context_block import estimated_tokens
from scrubjay.daemon.mcp.server import make_server
from scrubjay.daemon.mcp.tool_answer import MOST_CHARACTERS
from scrubjay.daemon.server.endpoint import Endpoint
from scrubjay.daemon.server.endpoints.journal import RecallReply, RememberedReply
from scrubjay.daemon.server.endpoints.notes import Passage
from scrubjay.daemon.server.endpoints.read import PartOfNote, ReadReply
from scrubjay.profiles.search.types import SearchResponse, SearchResult

MODIFIED = datetime(2026, 3, 1, tzinfo=UTC)
RESULT = SearchResult(
    id="a1b2c3d4e5f6",
    profile="home",
    vault="Notes",
    path="Lake.md",
    title="Lake",
    headings=(),
    line=3,
    snippet="Otters fish there.",
    highlights=(),
    score=0.91,
    relevance="high",
    tags=(),
    modified=MODIFIED,
    redactions=0,
)


def part(text: str) -> PartOfNote:
    passage = Passage(id="a1b2c3d4e5f6", headings=(), line=1, text=text)
    return PartOfNote(
        id="a1b2c3d4e5f6",
        profile="home",
        vault="Notes",
        path="Lake.md",
        title="Lake",
        tags=(),
        modified=MODIFIED,
        redactions=0,
        passages=(passage,),
        lines=90,
        next_line=81,
        lines_left=10,
    )


class Daemon:
    """Answers every call of the API with one reply, and remembers what was asked."""

    def __init__(self, reply: Any = None) -> None:
        self.reply = reply
        self.asked: list[tuple[str, Any]] = []

    async def __call__(self, context: Any, endpoint: Endpoint[Any, Any], request: Any = None) -> Any:
        self.asked.append((endpoint.path, request))
        return self.reply


def call(daemon: Daemon, tool: str, **arguments: Any) -> CallToolResult:
    answer = asyncio.run(make_server(daemon).call_tool(tool, arguments))
    assert isinstance(answer, CallToolResult)
    return answer


def text_of(answer: CallToolResult) -> str:
    first = answer.content[0]
    assert isinstance(first, TextContent)
    return first.text


def tools() -> list[Tool]:
    return asyncio.run(make_server(Daemon()).list_tools())


def published() -> list[Any]:
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools()]


def test_names_and_descriptions_are_pinned() -> None:
    """A program that was told to trust these tools trusts these words: changing one is a decision."""
    words = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in tools()], sort_keys=True)
    assert hashlib.sha256(words.encode()).hexdigest()[:16] == "08f4441d88bbb223"


def test_reading_what_there_is_costs_an_agent_at_most_2500_tokens() -> None:
    assert estimated_tokens(json.dumps(published(), separators=(",", ":"))) <= 2_500


@pytest.mark.parametrize("tool", tools(), ids=lambda tool: tool.name)
def test_every_tool_refuses_what_it_does_not_take_before_anything_is_asked(tool: Tool) -> None:
    daemon = Daemon()
    with pytest.raises(ToolError) as refused:
        call(daemon, tool.name, wobble="sesame")
    assert "takes no argument of that name" in str(refused.value)
    assert "sesame" not in str(refused.value)
    assert daemon.asked == []
    assert tool.input_schema["additionalProperties"] is False


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
    with pytest.raises(ToolError) as refused:
        call(Daemon(), tool, **arguments)
    assert said in str(refused.value)
    assert "sesame" not in str(refused.value)
    assert "pydantic" not in str(refused.value)


def test_an_entry_is_named_in_capitals_too() -> None:
    daemon = Daemon()
    call(daemon, "forget", id="#A1B2C3D4E5F6", confirm=True)
    assert daemon.asked[0][1].entry_id == "a1b2c3d4e5f6"


def test_what_is_taken_where_nothing_is_said_is_in_the_schema() -> None:
    said = {
        f"{tool.name}.{name}": each["default"]
        for tool in tools()
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
        assert daemon.asked[0][1].profiles == ("work",)


def test_a_search_links_to_the_notes() -> None:
    answer = call(Daemon(SearchResponse((RESULT,), "high", 1.0, 0, total_notes=1)), "search", query="otters")
    assert [getattr(link, "uri", None) for link in answer.content[1:]] == ["scrubjay://note/a1b2c3d4e5f6"]


def test_a_part_of_a_note_says_where_to_go_on() -> None:
    said = text_of(call(Daemon(ReadReply((part("Reeds."),))), "get_note", id="Lake.md", to_line=80))
    assert said.endswith("(10 lines more; go on at 81.)")


def test_a_note_is_a_resource_by_the_id_that_links_name() -> None:
    daemon = Daemon(ReadReply((part("Reeds."),)))
    found = asyncio.run(make_server(daemon).read_resource("scrubjay://note/a1b2c3d4e5f6"))
    assert not isinstance(found, InputRequiredResult)
    assert ["> Reeds." in str(each.content) for each in found] == [True]
    assert daemon.asked[0][1].notes == ("#a1b2c3d4e5f6",)


def test_prompts_lead_through_tools_that_exist() -> None:
    server = make_server(Daemon())
    names = {tool.name for tool in tools()}
    for prompt in asyncio.run(server.list_prompts()):
        argument = (prompt.arguments or [])[0].name
        said = str(asyncio.run(server.get_prompt(prompt.name, {argument: "eels"})))
        assert "eels" in said
        assert set(re.findall(r"`(\w+)`", said)) <= names


def test_no_answer_is_longer_than_an_agent_can_read() -> None:
    said = text_of(call(Daemon(ReadReply((part("Reeds grow here.\n" * 30_000),))), "get_note", id="Lake.md"))
    assert len(said) <= MOST_CHARACTERS
    assert said.endswith("Ask for less, or for the next part.)")


@pytest.mark.parametrize(
    "named", ["Customers/" * 90 + "Halden Kommune call.md", ["Customers/" * 90 + "Halden Kommune call.md", "Lake.md"]]
)
def test_a_note_is_read_by_a_path_of_any_length(named: str | list[str]) -> None:
    daemon = Daemon(ReadReply((part("Reeds."),)))
    assert "> Reeds." in text_of(call(daemon, "get_note", id=named))
    assert daemon.asked[0][1].notes == ((named,) if isinstance(named, str) else tuple(named))


def test_days_of_what_is_remembered_are_whole_days_and_what_it_replaces_is_an_id() -> None:
    daemon = Daemon(
        RememberedReply(
            id="a1b2c3d4e5f6",
            profile="home",
            saved=MODIFIED,
            first_saved=MODIFIED,
            author="me",
            text="x",
            tags=(),
            redactions=0,
        )
    )
    call(daemon, "remember", text="x", replaces="#A1B2C3D4E5F6", valid_from="2026-12-01", valid_to="2026-12-24")
    asked = daemon.asked[0][1]
    assert asked.replaces == "a1b2c3d4e5f6"
    assert [asked.valid_from, asked.valid_to] == [midnight("2026-12-01"), midnight("2026-12-25")]
    daemon = Daemon(RecallReply(entries=()))
    call(daemon, "recall", query="x", as_of="2026-12-01")
    assert midnight("2026-12-01") < daemon.asked[0][1].as_of < midnight("2026-12-02")


def midnight(day: str) -> datetime:
    return datetime.fromisoformat(day).astimezone()
