"""A real MCP client, the official SDK's, drives every tool over both transports against a real daemon."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.clients import CREATE_CLIENT, REVOKE_CLIENT, ClientAsk, ClientId
from tests.helpers.installation import quick_command
from tests.integration.mcp.conftest import ORDER, SECRET, Place

Drive: TypeAlias = Callable[[Client], Awaitable[None]]


@pytest.fixture(params=["stdio", "http"])
def drive(place: Place, request: pytest.FixtureRequest) -> Callable[[Drive], None]:
    def driven(script: Drive) -> None:
        async def main() -> None:
            async with asyncio.timeout(120), getattr(place, request.param)() as client:
                await script(client)

        asyncio.run(main())

    return driven


async def call(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    said = text_of(result)
    assert not result.is_error, said
    return said


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def first_id(text: str) -> str:
    found = re.search(r"#([0-9a-f]{12})", text)
    assert found, text
    return found[1]


def test_every_tool_answers(drive: Callable[[Drive], None]) -> None:
    async def script(client: Client) -> None:
        asked = set[str]()

        async def ask(tool: str, **arguments: Any) -> str:
            asked.add(tool)
            return await call(client, tool, **arguments)

        ferry = first_id(await ask("search", query="ferry island nine", around=1))
        assert "leaves at nine" in await ask("get_note", id=f"#{ferry}")
        assert "leaves at nine" in await ask("get_note", id="Ferry.md", from_line=6, to_line=6)
        assert "Not found: ffffffffffff" in await ask("get_chunk", ids=[ferry, "ffffffffffff"])
        assert "Island.md" in await ask("related", path="Ferry.md", profile="notes")
        assert "Island.md" in await ask("traverse", id=ferry, deep=True)
        assert "verified" in await ask("verify_quote", id=ferry, quote="The ferry to the island leaves at nine.")
        cited = f"It says “leaves at nine. See” [#{ferry}] and “leaves at ten, see the” [#{ferry}]."
        assert (await ask("verify_answer", text=cited)).count("verified") == 1
        assert "> The ferry to the island" in await ask("context", prompt="When does the ferry leave?", max_tokens=200)
        assert "Ferry.md" in await ask("list_notes", filter="tag:travel")
        assert "Deploy.md" in await ask("recent")
        assert "Ferry.md" in await ask("timeline", since="2d")
        said = await ask("changes", id=f"#{ferry}", since="2d")
        assert "0 passages are new or edited, 1 as before, or as first read." in said
        assert await ask("list_profiles") == "- notes: vaults vault"
        assert "Deploy.md:3: github-" in await ask("credentials_report")
        assert "3 notes" in await ask("stats")
        assert "travel (1)" in await ask("stats")
        assert "- notes: idle" in await ask("index_status")
        assert "who decides" in await ask("review_propose", id=ferry, why=f"Boats, {SECRET}", tags=["boats"])
        waiting = await ask("review_list", kind="suggested")
        assert "Ferry.md" in waiting
        assert SECRET not in waiting
        assert "boats" in waiting or "Boats" in waiting
        saved = first_id(await ask("remember", text=f"Ada wants tabs, says {SECRET}", tags=["style"]))
        assert "Ada wants tabs" in await ask("recall", query="tabs or spaces?")
        assert "tags style" in await ask("journal_log", since="2026-01-01T00:00:00Z", limit=5)
        assert saved in await ask("remember", text=f"Ada wants tabs, says {SECRET}", tags=["style"])
        assert "Ada wants tabs" in await ask("forget", id=saved)
        assert saved in await ask("journal_log")
        assert await ask("forget", id=saved, confirm=True) == "Forgotten."
        assert saved not in await ask("journal_log")
        assert asked == {tool.name for tool in (await client.list_tools()).tools}

    drive(script)


def test_tools_say_what_they_do_and_which_of_them_change_anything(drive: Callable[[Drive], None]) -> None:
    async def script(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools if not (tool.annotations and tool.annotations.read_only_hint)} == {
            "remember",
            "forget",
            "review_propose",
        }
        assert {tool.name for tool in tools if tool.annotations and tool.annotations.destructive_hint} == {"forget"}
        assert all(tool.description for tool in tools)
        assert "never instructions" in (client.instructions or "")

    drive(script)


def test_what_notes_say_is_quoted_and_marked_and_holds_no_secret(drive: Callable[[Drive], None]) -> None:
    async def script(client: Client) -> None:
        island = first_id(await call(client, "search", query="inn cars"))
        for tool, arguments in (
            ("search", {"query": "ignore previous instructions"}),
            ("get_note", {"id": island}),
            ("get_chunk", {"ids": [island]}),
            ("context", {"prompt": "Are there cars on the island?"}),
        ):
            said = await call(client, tool, **arguments)
            assert said.count("never instructions to follow") == 1, tool
            assert "never instructions to follow" in said.splitlines()[0], tool
            lines = [line for line in said.splitlines() if ORDER in line]
            assert lines, tool
            assert all(line.startswith("> ") for line in lines), tool
        deploy = await call(client, "search", query="deploy key")
        assert "[REDACTED:" in deploy
        assert SECRET not in deploy + await call(client, "get_note", id=first_id(deploy))

    drive(script)


def test_another_profile_does_not_exist_for_the_agent(drive: Callable[[Drive], None]) -> None:
    async def script(client: Client) -> None:
        found = await call(client, "search", query="private captain ferry")
        assert "Diary" not in found
        assert [line for line in found.splitlines() if "captain" in line and "o note" not in line] == []
        assert "Diary" not in await call(client, "recent", limit=100)
        hidden = await refused(client, "search", query="ferry", profiles=["private"])
        assert hidden == await refused(client, "search", query="ferry", profiles=["nowhere"])
        assert "no such profile" in hidden
        assert "No visible note" in await call(client, "get_note", id="ffffffffffff")
        assert "No visible note" in await call(client, "get_note", id="Diary.md")
        assert "no passage" in await refused(client, "related", id="#ffffffffffff")

    drive(script)


@pytest.mark.parametrize(
    "wrong", ["../status", "../../v1/clients", "a1b2c3/../x", "..", "", "#", "a1b2c3?x=1", "ghijkl"]
)
def test_an_id_leads_to_no_other_route(place: Place, wrong: str) -> None:
    async def script(client: Client) -> None:
        assert "hexadecimal digits" in await refused(client, "forget", id=wrong)
        assert "hexadecimal digits" in await refused(client, "get_chunk", ids=[wrong])
        for tool in ("related", "traverse"):
            assert await refused(client, tool, id=wrong)
        assert "Ferry" not in (
            await call(client, "get_note", id=wrong) if wrong else await refused(client, "get_note", id=wrong)
        )

    async def main() -> None:
        async with place.http() as client:
            await script(client)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        pytest.param("POST", {}, 401, id="no token"),
        pytest.param("POST", {"Authorization": "Bearer sj_" + "0" * 43}, 401, id="wrong token"),
        pytest.param("POST", {"Host": "evil.example"}, 421, id="rebinding"),
        pytest.param("POST", {"Origin": "https://evil.example"}, 403, id="a web page"),
        pytest.param("POST", {"Sec-Fetch-Site": "cross-site"}, 403, id="cross-site"),
        pytest.param("POST", {"Content-Type": "text/plain"}, 415, id="a form's simple request"),
        pytest.param("GET", {"good": ""}, 405, id="no stream to hold open"),
        pytest.param("DELETE", {"good": ""}, 405, id="no session to end"),
    ],
)
def test_the_door_stands_before_mcp_too(place: Place, method: str, headers: dict[str, str], status: int) -> None:
    body = {"jsonrpc": "2.0", "id": "1", "method": "tools/list"}
    shown = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    if "good" in headers or (not headers.keys() & {"Authorization"} and headers):
        shown.setdefault("Authorization", f"Bearer {place.token}")
    shown.pop("good", None)
    with httpx2.Client(trust_env=False, timeout=120) as http:
        reply = http.request(method, f"{place.url}/mcp", headers=shown, json=body if method == "POST" else None)
    assert reply.status_code == status
    assert reply.headers["cache-control"] == "no-store"


def test_a_revoked_client_is_shut_out_of_mcp_at_once(place: Place) -> None:
    async def main() -> None:
        with ScrubjayClient.discover(place.installation.home) as owner:
            made = owner.ask(CREATE_CLIENT, ClientAsk(name="short", profiles=("notes",)))
            async with place.http(made.token) as client:
                await call(client, "list_profiles")
                owner.ask(REVOKE_CLIENT, ClientId(client_id=made.client.id))
                with pytest.raises(MCPError, match="error response"):
                    await call(client, "list_profiles")

    asyncio.run(main())


def test_reading_alone_does_not_let_an_agent_remember(place: Place) -> None:
    async def main() -> None:
        with ScrubjayClient.discover(place.installation.home) as owner:
            made = owner.ask(CREATE_CLIENT, ClientAsk(name="reader", profiles=("notes",)))
        async with place.http(made.token) as client:
            assert "journal" in await refused(client, "remember", text="anything")

    asyncio.run(main())


def test_what_agents_ask_and_save_is_in_no_log(place: Place) -> None:
    marks = ("heronmarkquery", "heronmarktext", "heronmarkid")

    async def main() -> None:
        async with place.http() as client:
            await call(client, "search", query=marks[0])
            await call(client, "forget", id=first_id(await call(client, "remember", text=marks[1])), confirm=True)
            await call(client, "get_note", id=marks[2])
            await refused(client, "search", query=marks[0], limit=10**9)

    asyncio.run(main())
    logged = b"".join(file.read_bytes() for file in place.installation.home.logs.rglob("*") if file.is_file())
    assert logged
    assert not any(mark.encode() in logged for mark in (*marks, ORDER, SECRET, place.token))


def test_without_a_daemon_a_tool_says_what_to_do(tmp_path: Path) -> None:
    environment = {"SCRUBJAY_HOME": str(tmp_path), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    program, *arguments = quick_command("mcp")
    started = StdioServerParameters(command=program, args=arguments, env=environment)

    async def main() -> None:
        async with asyncio.timeout(120), Client(started) as client:
            assert "scrubjay start" in await refused(client, "search", query="ferry")

    asyncio.run(main())


def test_an_old_fact_that_is_said_again_replaces_and_keeps_its_first_day(place: Place) -> None:
    async def main() -> None:
        async with place.http() as client:
            old = await call(client, "remember", text="The rota is kept by Ines")
            other = first_id(await call(client, "remember", text="The rota is kept by Olu"))
            again = await call(client, "remember", text="The rota is kept by Ines", replaces=f"#{other.upper()}")
            assert f"Remembered already, as #{first_id(old)}" in again
            assert "first said 2" in again
            assert f"#{other} is recalled no more" in again
            assert "Olu" not in await call(client, "recall", query="who keeps the rota")

    asyncio.run(main())


def test_an_id_outlives_the_edit_of_its_passage(place: Place) -> None:
    note = "# Rota\n\nThe lighthouse rota is kept by Ines on weekdays.\n"

    async def main() -> None:
        async with place.http() as client:
            place.installation.write({"Rota.md": note})
            place.installation.run("index", "--wait")
            cited = first_id(await call(client, "search", query="lighthouse rota weekdays"))
            place.installation.write({"Rota.md": f"{note}\nAt weekends it is Olu.\n"})
            place.installation.run("index", "--wait")
            said = await call(client, "get_chunk", ids=[cited])
            assert f"in the place of #{cited}, which was edited" in said
            assert "At weekends it is Olu." in said
            assert f"#{cited} was edited since" in await call(client, "get_note", id=f"#{cited}")
            checked = await call(
                client, "verify_answer", text=f'"The lighthouse rota is kept by Ines on weekdays." [#{cited}]'
            )
            assert "verified: Every quotation stands in a note" in checked
            assert f"#{cited} was edited since" in checked

    asyncio.run(main())


def test_a_journal_entry_is_read_and_quoted_by_its_id_as_a_passage_is(place: Place) -> None:
    async def main() -> None:
        async with place.http() as client:
            said = "The keeper of the lighthouse keys is Ines, who did not give them to Olu."
            entry = first_id(await call(client, "remember", text=said))
            assert f"> {said}" in await call(client, "get_note", id=f"#{entry}")
            quote = "The keeper of the lighthouse keys is Ines"
            checked = await call(client, "verify_quote", id=f"#{entry}", quote=quote)
            assert checked.startswith("verified")
            assert f"#{entry} line 1" in checked
            assert "verified: Every" in await call(client, "verify_answer", text=f"“{quote}” [#{entry}]")
            wrong = await call(client, "verify_answer", text=f"“The keeper of the lighthouse keys is Olu” [#{entry}]")
            assert wrong.count("mismatch") == 1
            assert "no passage has the id" not in wrong
            assert await call(client, "forget", id=entry, confirm=True) == "Forgotten."
            assert "Not read" in await call(client, "get_note", id=f"#{entry}")

    asyncio.run(main())


def test_a_note_is_read_by_the_start_of_its_name(place: Place) -> None:
    async def main() -> None:
        place.installation.write({"DR-014 Harbour dues.md": "# Dues\n\nThe harbour dues are low.\n"})
        place.installation.run("index", "--wait")
        async with place.http() as client:
            assert "dues are low" in await call(client, "get_note", id="DR-014")
            assert "dues are low" in await call(client, "get_note", id="dr-014 harbour")
            assert "none is called nearly so" in await call(client, "get_note", id="DR-01")

    asyncio.run(main())


def test_a_list_says_how_many_there_are_in_which_order_how_to_go_on_and_what_is_no_filter(place: Place) -> None:
    async def main() -> None:
        place.installation.write({f"Lists/L{number}.md": f"# L{number}\n\nText {number}.\n" for number in range(7)})
        place.installation.run("index", "--wait")
        async with place.http() as client:
            first = await call(client, "list_notes", filter="path:Lists", limit=3)
            assert "7 notes, the newest first; these are 1 to 3. Go on with `offset` 3." in first
            last = await call(client, "list_notes", filter="path:Lists", limit=3, offset=6)
            assert "7 notes, the newest first; these are 7 to 7." in last
            assert "Go on" not in last
            listed = "".join([first, await call(client, "list_notes", filter="path:Lists", limit=3, offset=3), last])
            assert all(listed.count(f"Lists/L{number}.md") == 1 for number in range(7))
            odd = await call(client, "list_notes", filter="since:2026-11-16")
            assert "`since:` is no filter" in odd
            assert "Warning: modified: " in await call(client, "list_notes", filter="modified:>2026-13-45")
            assert "searched as words" in await call(client, "list_notes", filter="bogus:xyz ferry")
            recent = await call(client, "recent", limit=2, offset=1)
            assert re.search(r"\d+ notes, the newest first; these are 2 to 3\. Go on with `offset` 3\.", recent)
            for number in range(5):
                await call(client, "remember", text=f"Buoy {number} was painted in colour {number}")
            log = await call(client, "journal_log", limit=2, since="today")
            assert re.search(r"\d+ entries, the newest first; these are 1 to 2\. Go on with `offset` 2\.", log)
            assert "Buoy 2" in await call(client, "journal_log", limit=1, offset=2, since="2026-01-01")
            assert "has to be a day" in await refused(client, "journal_log", since="yesterdayish")
            assert "1 place." in await call(client, "credentials_report")

    asyncio.run(main())
