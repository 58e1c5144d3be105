"""An agent's program, as small as it can be: starts the MCP server, says which process that is, asks, and waits."""

import json
import subprocess
import sys

OPENING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(server.pid, flush=True)
assert server.stdin
assert server.stdout
for number, (method, params) in enumerate(
    [("initialize", OPENING), *[("tools/call", {"name": "search", "arguments": {"query": "ferry"}})] * 1_000]
):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    server.stdout.readline()
