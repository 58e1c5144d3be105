"""`scrubjay mcp`: the tools for AI agents, over standard input and output."""

import asyncio
import logging

import click

from daemon.client import running
from daemon.clients.own_token import own_token
from daemon.clients.registry import ClientRegistry
from daemon.home import Home


@click.command()
@click.option("--token", envvar="SCRUBJAY_TOKEN", help="A client's token; without it, your own with all its rights.")
def mcp(token: str | None) -> None:
    """Serve MCP on standard input and output, for agents that start programs. The daemon must be running."""
    asyncio.run(_serve(token))


async def _serve(token: str | None) -> None:
    from daemon.client import AsyncScrubjayClient
    from daemon.mcp.asking import AskAsOne
    from daemon.mcp.server import make_server

    logging.getLogger().addHandler(logging.NullHandler())  # or the SDK would write its own to standard error
    home = Home.find()
    found = running(home)
    token = token or own_token(ClientRegistry(home.clients), home.state).token
    async with AsyncScrubjayClient(found.url, token) as client:
        await make_server(AskAsOne(client)).run_stdio_async()
