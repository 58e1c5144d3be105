"""What lies in a vault, which others may write (a sync, a colleague, a downloaded vault), grants no permission."""

import json
import re
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.ask import ASK, QuestionAsk
from scrubjay.daemon.server.endpoints.profiles import LIST_PROFILES, ProfileReply
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.helpers.installation import Installation, wait_until_indexed

SECRET = "ghp_" + "x7Q2" * 9
EXCLUDED = "Diary"
FOLDERS = ("", ".scrubjay/", ".config/scrubjay/", ".obsidian/", ".obsidian/plugins/scrubjay/", "Work/")


@pytest.fixture
def models() -> Iterator[socket.socket]:
    """Where the files would have questions sent: an address of this computer, which needs no second naming."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def planted(outside: Path, address: str, profile: str) -> dict[str, str]:
    """Wishes in every file, of every name, that a program might look for in a vault. profile: a `profile.toml`."""
    vault = {"id": "planted", "name": "vault", "root": str(outside), "allow": ["."], "exclude": []}
    wishes = {
        "name": "notes",
        "root": str(outside),
        "allow": ["."],
        "exclude": [],
        "roots": [str(outside)],
        "vaults": [vault],
        "filter_allow": [".*", SECRET],
        "filterAllow": [".*", SECRET],
        "federate": True,
        "server": "postgresql://stranger.invalid/notes",
        "userIgnoreFilters": [f"!{EXCLUDED}/", "", "!", "/^$/"],
        "attachmentFolderPath": str(outside),
        "llm": {"url": f"http://{address}/v1", "model": "m", "allow_host": "stranger.invalid"},
        "daemonUrl": f"http://{address}",
        "qaInclusions": f"{EXCLUDED},{outside}",
        "qaExclusions": "",
    }
    settings = f'[llm]\nurl = "http://{address}/v1"\nmodel = "m"\n'
    rules = f'[allow]\nvalues = [".*", "{SECRET}"]\n'
    written = {f"{folder}settings.toml": settings for folder in FOLDERS}
    written |= {f"{folder}profile.toml": profile for folder in FOLDERS}
    written |= {f"{folder}{name}": json.dumps(wishes) for folder in FOLDERS for name in ("data.json", "config.json")}
    written |= {f"{folder}rules.toml": rules for folder in FOLDERS}
    return {
        **written,
        ".obsidian/app.json": json.dumps(wishes),
        ".obsidian/plugins/copilot/data.json": json.dumps(wishes),
        ".smart-env/smart_env.json": json.dumps({"smart_sources": {"folder_exclusions": "", **wishes}}),
        "Wishes.md": f"---\nscrubjay: {json.dumps(wishes)}\nallow: ['.']\n---\nWishes of a heron.\n",
    }


def test_no_file_of_a_vault_grants_a_permission(
    tmp_path: Path, models: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "Private.md").write_text("The cormorant of another folder.\n", encoding="utf-8")
    installation = Installation(tmp_path)
    installation.write(
        {
            "Work/Heron.md": f"The heron's token is {SECRET} for now.\n",
            f"{EXCLUDED}/Day.md": "The bittern of an excluded folder.\n",
        }
    )
    installation.create_profile("notes", exclude=(EXCLUDED,))
    monkeypatch.chdir(installation.vault)  # a program that reads settings where it stands would find them, too
    with installation.daemon() as client:
        wait_until_indexed(client)
        before, settings = rights(client), all_settings(installation)
        address = f"127.0.0.1:{models.getsockname()[1]}"
        installation.write(planted(outside, address, wished_profile(installation, outside)))
        installation.run("index", "--full", "--wait")
        assert found(client, "heron") == {"Work/Heron.md", "Wishes.md"}
        check(client, installation, before, settings)
    with installation.daemon() as client:  # begun with them there
        installation.run("index", "--full", "--wait")
        check(client, installation, before, settings)
    with pytest.raises(BlockingIOError):
        models.accept()
    for path, data in installation.everything_written().items():
        assert not any(text in data for text in (b"cormorant", b"bittern", SECRET.encode())), path


def wished_profile(installation: Installation, outside: Path) -> str:
    """The profile's own settings with another folder, nothing excluded, and every text let stand."""
    (own,) = installation.home.profiles.rglob("profile.toml")
    text = own.read_text(encoding="utf-8")
    for key, value in (("root", f'"{outside}"'), ("exclude", "[]"), ("filter_allow", f'["{SECRET}"]')):
        text, count = re.subn(rf"^{key} = .*", f"{key} = {value}", text, flags=re.MULTILINE)
        assert count == 1, key
    return text


def check(
    client: ScrubjayClient, installation: Installation, before: Sequence[ProfileReply], settings: dict[Path, bytes]
) -> None:
    assert rights(client) == before
    assert all_settings(installation) == settings
    assert found(client, "cormorant") == set()
    assert found(client, "bittern") == set()
    assert SECRET.encode() not in msgspec.json.encode(client.ask(SEARCH, SearchAsk("token", remember=False)))
    assert client.ask(ASK, QuestionAsk("What is the heron's token?")).model == ""


def rights(client: ScrubjayClient) -> Sequence[ProfileReply]:
    return client.ask(LIST_PROFILES).profiles


def all_settings(installation: Installation) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted((installation.root / "home").rglob("*.toml"))}


def found(client: ScrubjayClient, query: str) -> set[str]:
    return {result.path for result in client.ask(SEARCH, SearchAsk(query, remember=False, mode="lexical")).results}
