"""No password, key or invitation stands in an argument list, an environment, a file, a log or an error."""

import base64
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay.profiles.team.team_key import Invitation
from tests.helpers.installation import scrubjay_command
from tests.integration.team.conftest import Person, Team

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Watched:
    """What the arguments and environments of all processes of this user held while a block ran."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()

    @contextmanager
    def watching(self) -> Generator[None]:
        ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(ended,))
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def _watch(self, ended: threading.Event) -> None:
        while not ended.wait(0.1):  # a command takes ten times as long
            for process in Path("/proc").glob("[0-9]*"):
                for name in ("cmdline", "environ"):
                    try:
                        self.seen.add((process / name).read_bytes())
                    except OSError:  # it has ended, or is another user's
                        continue


def run(person: Person, *arguments: str, types: str = "") -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        scrubjay_command(*arguments),
        env=person.installation.run_environment(),
        input=types,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def spellings(secret: bytes) -> tuple[bytes, ...]:
    """How a secret could be written down."""
    encoded = base64.b64encode(secret), base64.urlsafe_b64encode(secret)
    return (secret, secret.hex().encode(), *(text.rstrip(b"=") for text in encoded))


def test_what_opens_a_team_profile_is_in_the_keyring_alone(team: Team) -> None:
    olga, anna = team.person("olga"), team.person("anna")
    watched, logged_before = Watched(), len(team.database.server.log)
    with watched.watching():
        owner_password = team.database.owner_password
        made = run(olga, "profile", "create", "team", "--server", str(team.database.owner), types=owner_password)
        granted = run(olga, "team", "grant", "anna")
        line = granted.stdout.strip()
        joined = run(anna, "team", "join", types=line)
        listed = run(anna, "team", "list")
        wrong = run(anna, "team", "password", types=f"{owner_password}\n")
        again = run(olga, "profile", "create", "other", "--server", str(team.database.owner), types="not it\n")
    assert [each.returncode for each in (made, granted, joined, listed, wrong, again)] == [0, 0, 0, 0, 1, 1]
    invitation = Invitation.parse(line)
    kept = anna.kept
    secrets = [owner_password.encode(), kept.password.encode(), kept.key, invitation.secret, line.encode()]
    said = "".join(f"{each.stdout}{each.stderr}" for each in (made, joined, listed, wrong, again)) + granted.stderr
    places = {
        "a process": b"\n".join(watched.seen),
        "what was said": said.encode(),
        "the server's log": team.database.server.log[logged_before:].encode(),
    }
    with team.database.as_operator() as operator:
        ((places["a row of the server's"],),) = operator.execute("SELECT wrapped FROM scrubjay.team_key").fetchall()
    for person in (olga, anna):
        files = [path for path in (person.installation.root).rglob("*") if path.is_file()]
        assert any(path.name == "profile.toml" for path in files)
        places |= {str(path): path.read_bytes() for path in files}
    assert any(b"scrubjay.daemon\0team\0join" in each for each in watched.seen)  # the watcher saw the commands
    found = [where for where, data in places.items() for secret in secrets if any(s in data for s in spellings(secret))]
    assert found == []
