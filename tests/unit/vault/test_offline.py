"""Files whose bytes are in the cloud are told from files that are here."""

from pathlib import Path

import pytest

from scrubjay.daemon.vault.read import is_placeholder, not_here


@pytest.mark.parametrize(
    ("platform", "attributes", "flags", "size", "blocks", "absent"),
    [
        pytest.param("linux", 0, 0, 100, 8, False, id="ordinary"),
        pytest.param("linux", 0, 0, 100, 0, False, id="small-file-kept-in-its-inode"),
        pytest.param("win32", 0x20, 0, 100, None, False, id="windows-ordinary"),
        pytest.param("win32", 0x400000, 0, 100, None, True, id="onedrive-files-on-demand"),
        pytest.param("win32", 0x40000, 0, 100, None, True, id="recalled-on-open"),
        pytest.param("win32", 0x1000, 0, 100, None, True, id="offline"),
        pytest.param("darwin", 0, 0, 100, 8, False, id="macos-ordinary"),
        pytest.param("darwin", 0, 0x40000000, 100, 0, True, id="icloud-dataless"),
        pytest.param("darwin", 0, 0, 100, 0, True, id="macos-without-blocks"),
        pytest.param("darwin", 0, 0x20, 100, 0, False, id="macos-compressed"),
        pytest.param("darwin", 0, 0, 0, 0, False, id="macos-empty"),
    ],
)
def test_by_attributes(platform: str, attributes: int, flags: int, size: int, blocks: int | None, absent: bool) -> None:
    assert not_here(attributes=attributes, flags=flags, size=size, blocks=blocks, platform=platform) is absent


def test_a_file_on_this_disk_is_here(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("x" * 10_000)
    assert not is_placeholder(file.stat())
