"""The daemon's proof of who it is."""

import hashlib
import hmac
import os
import stat
from pathlib import Path

import pytest

from scrubjay.daemon.server.access.identity import (
    Identity,
    is_challenge,
    new_challenge,
    proof,
    proves,
    read_discovery,
    write_discovery,
)


def test_the_proof_is_plain_hmac_sha256_that_any_language_can_make() -> None:
    want = hmac.new(b"secret", b"00ff", hashlib.sha256).hexdigest()
    assert proof("secret", "00ff") == want


def test_only_who_knows_the_secret_can_prove() -> None:
    ours, stranger = Identity.new("1.0"), Identity.new("1.0")
    challenge = new_challenge()
    assert proves(ours.secret, challenge, proof(ours.secret, challenge))
    assert not proves(ours.secret, challenge, proof(stranger.secret, challenge))
    assert not proves(ours.secret, challenge, proof(ours.secret, new_challenge()))
    assert not proves(ours.secret, challenge, "é\ud800")


@pytest.mark.parametrize(
    ("text", "want"),
    [("a" * 32, True), ("0" * 128, True), ("a" * 31, False), ("a" * 129, False), ("A" * 32, False), ("", False)],
)
def test_challenges_have_a_shape(text: str, want: bool) -> None:
    assert is_challenge(text) is want


def test_the_discovery_file_is_private_and_reads_back(tmp_path: Path) -> None:
    file = tmp_path / "state" / "daemon.json"
    discovery = Identity.new("1.0").discovery(8642, os.getpid())
    write_discovery(file, discovery)
    assert read_discovery(file) == discovery
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"url": 1}', b"\xff"])
def test_a_missing_or_senseless_file_is_no_daemon(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "daemon.json"
    if content is not None:
        file.write_bytes(content)
    assert read_discovery(file) is None
