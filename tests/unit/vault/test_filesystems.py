"""Which folders must be looked at because no event tells of their changes."""

from pathlib import Path

import pytest

from scrubjay.daemon.vault.watch_method import Mount, watch_method

MOUNTS = (
    Mount("/", "ext4"),
    Mount("/mnt/share", "nfs4"),
    Mount("/mnt/share/local", "btrfs"),
    Mount("/mnt/shared", "xfs"),
    Mount("/home/me/cloud", "fuse.rclone"),
    Mount("/home/me/crypt", "fuse.gocryptfs"),
    Mount("/home/me/new", "fuse.brand-new"),
    Mount("/media/stick", "fuseblk"),
)


@pytest.mark.parametrize(
    ("folder", "way"),
    [
        pytest.param("/home/me/vault", "events", id="local"),
        pytest.param("/mnt/share", "looks", id="the-mount-itself"),
        pytest.param("/mnt/share/a/b", "looks", id="below-a-network-mount"),
        pytest.param("/mnt/share/local/vault", "events", id="local-inside-of-a-network-mount"),
        pytest.param("/mnt/shared/vault", "events", id="only-the-name-begins-alike"),
        pytest.param("/home/me/cloud/vault", "looks", id="a-cloud-drive"),
        pytest.param("/home/me/crypt/vault", "events", id="a-fuse-file-system-of-this-machine"),
        pytest.param("/home/me/new/vault", "both", id="a-fuse-file-system-that-nobody-knows"),
        pytest.param("/media/stick/vault", "events", id="a-stick-with-ntfs"),
        pytest.param("//server/share/vault", "looks", id="a-windows-share"),
    ],
)
def test_how_changes_are_found_out(folder: str, way: str) -> None:
    assert watch_method(Path(folder), MOUNTS) == way


def test_where_no_mounts_are_known_events_are_trusted() -> None:
    assert watch_method(Path("/home/me/vault"), ()) == "events"
