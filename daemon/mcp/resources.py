"""Notes as resources, and prompts that lead an agent through the tools."""

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.checked_server import CheckedServer
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tool_answer import NOTE_URI
from scrubjay.daemon.server.endpoints.read import READ, ReadAsk


def add_resources(server: CheckedServer, ask: CallEndpoint) -> None:
    """`scrubjay://note/{id}`: the note that holds a passage."""

    @server.resource(NOTE_URI, name="note", description="A note, by the #id of a result.", mime_type="text/markdown")
    async def note(id: str, context: ToolContext) -> str:
        try:
            found = await ask(context, READ, ReadAsk(notes=(f"#{id.removeprefix('#')}",)))
        except ToolError as error:
            raise ResourceError(str(error)) from None
        if not found.notes:
            raise ResourceNotFoundError(found.missing[0].reason)
        return render.parts(found)


def add_prompts(server: CheckedServer) -> None:
    """What a person may ask for by name."""

    @server.prompt()
    def find(what: str) -> str:
        """Find notes about something, and say where they are."""
        return (
            f"Search my notes with `search` for: {what}\n\nList the notes that fit, best first, each with its path"
            " and why it fits. Read on with `get_note` where a result alone doesn't tell. Say so where nothing fits."
        )

    @server.prompt()
    def recall(topic: str) -> str:
        """What was remembered about something."""
        return (
            f"Look with `recall` for what was remembered about: {topic}\n\nSay what holds today and since when; what is"
            " newer counts. Name the #id of each entry that you use."
        )

    @server.prompt()
    def brief_me(topic: str) -> str:
        """A short briefing from the notes, each sentence with its source."""
        return (
            f"Brief me on: {topic}\n\nUse `context` first, then `search` and `get_note` for what it leaves open, and"
            " `recall`. Ten sentences at most, each with the [#id] that it comes from; quote what matters word by word."
            " Say what my notes do not tell. Check the whole with `verify_answer` before you give it to me."
        )
