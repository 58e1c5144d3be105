"""Reading real files: what becomes text, what does not, and that no link is followed."""

import os
import unicodedata
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import pytest

import scrubjay.daemon.vault.read
from scrubjay.daemon.vault.read import FileStamp, RawNote, ReadLimits, UnreadableNote, read_note

LIMITS = ReadLimits(max_bytes=10_000)


def digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def read(root: Path, path: str, disk_path: str = "") -> RawNote:
    return read_note("0a1b2c3d", root, FileStamp(path, 0, 0, disk_path), LIMITS, digest)


def refusal(root: Path, path: str) -> str:
    with pytest.raises(UnreadableNote) as refused:
        read(root, path)
    assert path not in str(refused.value)
    return refused.value.code


@pytest.fixture(params=["by-folder", "by-path"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of opening: name by name, and by the whole path where the system knows no better."""
    if request.param == "by-path":
        monkeypatch.setattr(scrubjay.daemon.vault.read, "_BY_FOLDER", False)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param("Grüße 你好".encode(), "Grüße 你好", id="utf-8"),
        pytest.param(b"\xef\xbb\xbftext", "text", id="byte-order-mark"),
        pytest.param(b"x" * 10_000, "x" * 10_000, id="just-the-limit"),
        pytest.param("Grüße".encode("utf-16"), "Grüße", id="utf-16"),
        pytest.param(b"\xfe\xff" + "Grüße".encode("utf-16-be"), "Grüße", id="utf-16-big-endian"),
        pytest.param(b"a\r\nb\rc\n", "a\nb\nc\n", id="line-ends"),
        pytest.param("a\u2028b\x0cc".encode(), "a\u2028b\x0cc", id="other-separators-stay"),
    ],
)
def test_text(tmp_path: Path, data: bytes, text: str) -> None:
    (tmp_path / "a.md").write_bytes(data)
    stats = (tmp_path / "a.md").stat()
    stamps = (len(data), stats.st_mtime_ns, digest(data), stats.st_ctime_ns if os.name == "posix" else 0)
    assert read(tmp_path, "a.md") == RawNote("0a1b2c3d", "a.md", text, *stamps)


@pytest.mark.parametrize(("times", "is_read"), [(1, True), (2, True), (20, False)])
def test_a_note_that_is_written_while_it_is_read_is_read_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, is_read: bool
) -> None:
    """Or the end of a credential would be read behind an older text, without what it is known by."""
    note, read_part = tmp_path / "a.md", os.read
    texts = [f"{'heron ' * (number % 2)}key-u7HQTQKQ" for number in range(times + 1)]
    note.write_text(texts[0])
    left = iter(enumerate(texts[1:]))

    def read_and_write(handle: int, count: int) -> bytes:
        part = read_part(handle, count)
        for number, text in islice(left, 1):
            note.write_text(text)
            os.utime(note, ns=(number, number))
        return part

    monkeypatch.setattr(os, "read", read_and_write)
    if is_read:
        assert read(tmp_path, "a.md").text == texts[-1]
    else:
        assert refusal(tmp_path, "a.md") == "gone"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param("Grüße".encode("latin-1"), "not-utf8", id="latin-1"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\xff", "binary", id="png"),
        pytest.param(b"text\x00text", "binary", id="nul"),
        pytest.param("text".encode("utf-32"), "binary", id="utf-32"),
        pytest.param(b"\xff\xfea", "not-utf8", id="half-a-utf-16-unit"),
        pytest.param(b"x" * 10_001, "too-large", id="too-large"),
    ],
)
def test_no_text(tmp_path: Path, data: bytes, code: str) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert refusal(tmp_path, "a.md") == code


@pytest.mark.usefixtures("either_way")
class TestOpening:
    def test_as_the_disk_spells_it(self, tmp_path: Path) -> None:
        name = unicodedata.normalize("NFD", "é.md")
        (tmp_path / name).write_text("text")
        note = read(tmp_path, "é.md", name)
        assert (note.path, note.text) == ("é.md", "text")

    def test_a_vault_reached_by_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "vault").mkdir()
        (tmp_path / "vault/a.md").write_text("text")
        (tmp_path / "link").symlink_to(tmp_path / "vault", target_is_directory=True)
        assert read(tmp_path / "link", "a.md").text == "text"

    def test_no_link_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside/secret.md").write_text("secret")
        root = tmp_path / "vault"
        root.mkdir()
        (root / "a.md").write_text("text")
        (root / "out.md").symlink_to(tmp_path / "outside/secret.md")
        (root / "in.md").symlink_to(root / "a.md")
        (root / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
        (root / "loop").symlink_to(root / "loop")
        for path in ("out.md", "in.md", "out/secret.md", "loop", "loop/a.md"):
            assert refusal(root, path) == "is-link"

    def test_what_is_gone(self, tmp_path: Path) -> None:
        assert refusal(tmp_path, "a.md") == "gone"
        assert refusal(tmp_path, "folder/a.md") == "gone"
        assert refusal(tmp_path / "no-vault", "a.md") == "gone"

    def test_a_folder_is_no_note(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").mkdir()
        assert refusal(tmp_path, "a.md") == "not-a-file"

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
    def test_a_pipe_is_no_note_and_does_not_hang(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a.md")
        assert refusal(tmp_path, "a.md") == "not-a-file"

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
    def test_without_permission(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("text")
        (tmp_path / "a.md").chmod(0)
        assert refusal(tmp_path, "a.md") == "no-permission"

    def test_no_handle_stays_open(self, tmp_path: Path) -> None:
        handles = Path("/proc/self/fd")
        if not handles.exists():
            pytest.skip("open handles can't be counted here")
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder/a.md").write_text("text")
        (tmp_path / "folder/link.md").symlink_to(tmp_path / "folder/a.md")
        before = len(list(handles.iterdir()))
        read(tmp_path, "folder/a.md")
        for path in ("folder/link.md", "folder/gone.md", "gone/a.md", "folder"):
            refusal(tmp_path, path)
        assert len(list(handles.iterdir())) == before
