"""A session over standard input and output outlives daemons: each call finds the one that runs, or nobody is told."""

import asyncio
import os
from pathlib import Path
from typing import cast

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from scrubjay.daemon.api.endpoints.profiles import LIST_PROFILES
from scrubjay.daemon.clients.identity import write_discovery
from scrubjay.daemon.mcp.daemon_calls import CallWithToken, ToolContext
from tests.integration.api.house import House, open_house
from tests.integration.api.test_client import Strange, stranger_answering

NO_CONTEXT = cast("ToolContext", None)  # over standard input and output nothing is asked of it


def announce(house: House, port: int) -> None:
    write_discovery(house.home.discovery, house.services.identity.discovery(port, os.getpid()))


def test_the_daemon_that_runs_now_is_asked_and_a_stranger_on_its_port_is_sent_no_token(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        ask = CallWithToken(house.home, house.token("agent", house.add_profile("work", {"A.md": "One."})).token)
        with pytest.raises(ToolError, match="scrubjay start"):
            asyncio.run(ask(NO_CONTEXT, LIST_PROFILES))
        announce(house, house.port)
        assert [each.name for each in asyncio.run(ask(NO_CONTEXT, LIST_PROFILES)).profiles] == ["work"]
        with stranger_answering(b'{"name": "scrubjay", "version": "1", "instance": "x"}') as port:
            announce(house, port)
            with pytest.raises(ToolError, match="Another program"):
                asyncio.run(ask(NO_CONTEXT, LIST_PROFILES))
        assert not any("sj_" in request for request in Strange.received)
