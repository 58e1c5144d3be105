"""What a real daemon still has in memory of an encrypted profile once it is locked, read from outside."""

import contextlib
import os
import re
import sys
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.notes import NOTES, SUGGEST, NotesAsk, SuggestAsk
from scrubjay.daemon.server.endpoints.profiles import (
    LIST_PROFILES,
    LOCK_PROFILE,
    PROTECT_PROFILE,
    UNLOCK_PROFILE,
    ProfileId,
    ProtectAsk,
    UnlockAsk,
)
from scrubjay.daemon.server.endpoints.search import CONTEXT, SEARCH, ContextAsk, SearchAsk
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it"),
]

MARKER, PASSPHRASE = "vermilionkestrel", "seven quiet herons " + "under ice"
TYPED = "cinnabarsandpiper"  # in an address
_REMAINDER = 100  # of some 900 otherwise: what the threads freed last, see "What remains" in docs/security.md
_BLOCK = 1 << 24
_ENCODINGS = ("utf-8", "utf-16-le", "utf-32-le")


def memory_of(process: psutil.Process) -> Generator[bytes]:
    """What a process may write to, block by block."""
    folder = Path("/proc", str(process.pid))
    with contextlib.suppress(OSError), (folder / "mem").open("rb", buffering=0) as memory:
        for line in (folder / "maps").read_text().splitlines():
            start, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()  # pyright: ignore[reportOptionalMemberAccess]
            for at in range(int(start, 16), int(end, 16) if rights.startswith("rw") else 0, _BLOCK):
                with contextlib.suppress(OSError, OverflowError):
                    memory.seek(at)
                    yield memory.read(min(_BLOCK, int(end, 16) - at))


def times_in_memory(text: str) -> int:
    """How often the daemon that this test started, and its worker processes, have a text, in lower case or as it is."""
    forms = [re.escape(text.encode(encoding)) for encoding in _ENCODINGS]
    looked_for = re.compile(b"|".join(forms), re.IGNORECASE)
    daemons = psutil.Process(os.getpid()).children(recursive=True)
    return sum(len(looked_for.findall(block)) for each in daemons for block in memory_of(each))


def use(client: ScrubjayClient) -> None:
    """Search as a person does, and look at what was found."""
    for query in (MARKER, f'"{MARKER} sang"', f"which {MARKER} sang by the river?", f"{MARKER[:-2]}", "river lantern"):
        found = client.ask(SEARCH, SearchAsk(query=query))
    client.ask(SUGGEST, SuggestAsk(kind="tag", prefix=MARKER[:6]))
    client.ask(SUGGEST, SuggestAsk(kind="tag", prefix=TYPED))
    client.ask(CONTEXT, ContextAsk(prompt=f"{MARKER} lantern"))
    client.ask(NOTES, NotesAsk())
    assert found.results


def test_what_a_locked_profile_said_and_its_passphrase_are_let_go(tmp_path: Path) -> None:
    place = Installation(tmp_path)
    said = [f"## Part {n}\n\nThe {MARKER} sang by the river, lantern {n}. {'It went on. ' * 40}" for n in range(40)]
    place.write({"birds.md": "# Birds\n\n" + "\n\n".join(said), f"{MARKER}.md": f"# A {MARKER}\n\nIt sang."})
    place.create_profile()
    with place.daemon(forked=False) as client:
        wait_until_indexed(client)
        [profile] = client.ask(LIST_PROFILES).profiles
        asked = ProfileId(profile_id=profile.id)
        client.ask(PROTECT_PROFILE, ProtectAsk(profile_id=profile.id, by="passphrase", passphrase=PASSPHRASE))
        client.ask(LOCK_PROFILE, asked)
        client.ask(UNLOCK_PROFILE, UnlockAsk(profile_id=profile.id, passphrase=PASSPHRASE))
        wait_until_indexed(client)
        use(client)
        assert times_in_memory(MARKER) > _REMAINDER  # else this looks in the wrong place
        assert times_in_memory(TYPED)
        client.ask(LOCK_PROFILE, asked)
        until(lambda: times_in_memory(PASSPHRASE) == 0, lambda: f"the passphrase {times_in_memory(PASSPHRASE)} times")
        until(lambda: times_in_memory(TYPED) == 0, lambda: f"what was typed {times_in_memory(TYPED)} times")
        until(lambda: times_in_memory(MARKER) <= _REMAINDER, lambda: f"its text {times_in_memory(MARKER)} times")
