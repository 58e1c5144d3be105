"""Which folders must be looked at because no event tells of their changes."""

from pathlib import Path

import pytest

from scrubjay.daemon.vault.filesystems import Mount, is_silent

MOUNTS = (
    Mount("/", "ext4"),
    Mount("/mnt/share", "nfs4"),
    Mount("/mnt/share/local", "btrfs"),
    Mount("/mnt/shared", "xfs"),
    Mount("/home/me/cloud", "fuse.rclone"),
    Mount("/home/me/crypt", "fuse.gocryptfs"),
)


@pytest.mark.parametrize(
    ("folder", "silent"),
    [
        pytest.param("/home/me/vault", False, id="local"),
        pytest.param("/mnt/share", True, id="the-mount-itself"),
        pytest.param("/mnt/share/a/b", True, id="below-a-network-mount"),
        pytest.param("/mnt/share/local/vault", False, id="local-inside-of-a-network-mount"),
        pytest.param("/mnt/shared/vault", False, id="only-the-name-begins-alike"),
        pytest.param("/home/me/cloud/vault", True, id="a-cloud-drive"),
        pytest.param("/home/me/crypt/vault", False, id="a-fuse-file-system-of-this-machine"),
        pytest.param("//server/share/vault", True, id="a-windows-share"),
    ],
)
def test_network_file_systems_are_silent(folder: str, silent: bool) -> None:
    assert is_silent(Path(folder), MOUNTS) is silent


def test_where_no_mounts_are_known_events_are_trusted() -> None:
    assert not is_silent(Path("/home/me/vault"), ())
