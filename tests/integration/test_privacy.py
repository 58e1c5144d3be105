"""A planted secret's bytes are nowhere: no database, WAL, log, state file, command output or reply."""

import base64
import random
import string
from pathlib import Path
from typing import get_args

import msgspec

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.search.types import Mode
from tests.helpers.installation import Installation, wait_until_indexed

RNG = random.Random(20260314)
ALNUM = string.ascii_letters + string.digits


def token(length: int, alphabet: str = ALNUM) -> str:
    return "".join(RNG.choices(alphabet, k=length))


SECRETS = {  # assembled here, so that no scanner trips over this file
    "github": "ghp" + "_" + token(36),
    "aws": "AKIA" + token(16, string.ascii_uppercase + "234567"),
    "openai": "sk-" + "proj-" + token(48),
    "slack": "xox" + "b-" + token(12, string.digits) + "-" + token(24),
    "stripe": "sk" + "_live_" + token(24),
    "password": "Tr0ub" + token(12) + "!9z",
}
CONTEXTS = {
    "prose": "The weir key is {secret} and must not be lost.\n",
    "fence": "Heron notes.\n\n```sh\nexport TOKEN={secret}\n```\n",
    "frontmatter": "---\ntitle: Heron\npassword: {secret}\n---\nThe heron waits.\n",
    "table": "| place | password |\n| --- | --- |\n| weir | {secret} |\n",
    "link": "[heron](https://user:{secret}@weir.example/path)\n",
    "split": "# password: {secret}\n\nHeron.\n",
    "tag": "Heron #{secret}\n",
    "wikilink": "Heron [[{secret}|password {secret}]]\n",
}


def planted() -> tuple[dict[str, str], set[str]]:
    """The vault's notes, and the secrets in them: a password only where a word says that it is one."""
    notes: dict[str, str] = {}
    for context, template in CONTEXTS.items():
        for kind, secret in SECRETS.items():
            if kind == "password" and "password" not in template and context != "link":
                continue
            notes[f"{context} {kind}.md"] = template.format(secret=secret)
    return notes, set(SECRETS.values())


def traces(secrets: set[str]) -> list[bytes]:
    """What must not be found: each secret, and its base64 at the three alignments that embed it in a longer text."""
    found: list[bytes] = []
    for secret in secrets:
        raw = secret.encode()
        found += [raw, raw.upper(), raw.lower()]
        for shift in range(3):
            encoded = base64.b64encode(b"x" * shift + raw)
            found.append(encoded[4 : len(encoded) - 4])
    return found


def test_no_file_reply_or_output_holds_a_secret(tmp_path: Path) -> None:
    """An installation that has indexed the planted notes and answered about them; with all it said."""
    notes, secrets = planted()
    installation = Installation(tmp_path)
    installation.write(notes | {f"Token {SECRETS['github']}.md": "A heron note whose name is a secret."})
    installation.create_profile()
    replies: list[str] = []
    with installation.daemon() as client:
        wait_until_indexed(client)
        for query in ("heron weir key password token", *secrets):
            for mode in get_args(Mode):
                reply = client.ask(SEARCH, SearchAsk(query=query, limit=100, mode=mode, explain=True))
                replies.append(msgspec.json.encode(reply.results).decode())
        replies.append(msgspec.json.encode(client.ask(STATUS)).decode())
        for command in (["status"], ["credentials"], ["credentials", "--json"], ["search", "heron", "--json"]):
            done = installation.run(*command, check=False)
            replies.append(done.stdout + done.stderr)
    files = installation.everything_written()
    assert any(path.endswith(", unpacked") and b"Heron [[" in held for path, held in files.items())  # the control
    leaks = [
        (path, number) for number, trace in enumerate(traces(secrets)) for path, held in files.items() if trace in held
    ]
    assert leaks == []
    said = "\n".join(replies)
    assert "heron" in said.lower()
    assert [number for number, trace in enumerate(traces(secrets)) if trace.decode() in said] == []
    assert "secret-in-name" in said, "such a note is reported and not indexed"
