"""The API on a real socket, served by a thread of the test."""

import contextlib
import socket
import threading
import time
from collections.abc import Generator

import uvicorn

from scrubjay.daemon.mcp.http_endpoint import McpEndpoint
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.app import create_app, uvicorn_config
from scrubjay.daemon.server.services import Services


@contextlib.contextmanager
def served(services: Services) -> Generator[int]:
    """Serve on a free port, which is given, until the block ends."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.bind(("127.0.0.1", 0))
        port = int(listening.getsockname()[1])
        server = uvicorn.Server(uvicorn_config(create_app(services, DoorSettings(port), McpEndpoint)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.005)
            yield port
        finally:
            services.events.close()
            server.should_exit = True
            thread.join()
