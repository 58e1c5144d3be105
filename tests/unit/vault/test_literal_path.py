"""Names that Windows reads otherwise: what each of the three systems is given, and what it is not to be given."""

import pytest

from scrubjay.daemon.program import Platform
from scrubjay.daemon.vault.paths import literal, why_no_file


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (r"C:\Notes\aux.md", r"\\?\C:\Notes\aux.md"),
        (r"C:\Notes\Work.\Plan .md", r"\\?\C:\Notes\Work.\Plan .md"),
        (r"C:\Notes\a/b/c.md", r"\\?\C:\Notes\a\b\c.md"),
        ("C:\\Notes\\", r"\\?\C:\Notes"),
        ("C:\\", "\\\\?\\C:\\"),
        ("C:\\Notes\\" + "x" * 300, "\\\\?\\C:\\Notes\\" + "x" * 300),
        (r"\\server\share\Notes\con.md", r"\\?\UNC\server\share\Notes\con.md"),
        (r"\\?\C:\Notes\aux.md", r"\\?\C:\Notes\aux.md"),
        (r"\\.\pipe\scrubjay", r"\\.\pipe\scrubjay"),
        (r"Notes\aux.md", r"Notes\aux.md"),
    ],
)
def test_windows_is_given_the_form_that_it_takes_to_the_letter(path: str, expected: str) -> None:
    assert literal(path, "win32") == expected
    assert literal(expected, "win32") == expected


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize(
    "path", ["/home/ada/Notes/aux.md", "/home/ada/Notes./a ", r"/home/ada/C:\Notes", "/" + "x" * 9_000]
)
def test_elsewhere_every_path_is_literal(platform: Platform, path: str) -> None:
    assert literal(path, platform) == path


EVERYWHERE: tuple[Platform, ...] = ("linux", "darwin", "win32")


@pytest.mark.parametrize(
    ("path", "refused_on"),
    [
        ("Heron.md", ()),
        ("A.B/C d.md", ()),
        (".hidden/.note.md", ()),
        ("console.md", ()),
        ("auxiliary/com.md", ()),
        ("com10.md", ()),
        ("滇池红嘴鸥.md", ()),
        ("x" * 252 + ".md", ()),
        ("CON", ("win32",)),
        ("aux.md", ("win32",)),
        ("Nul.tar.md", ("win32",)),
        ("prn .md", ("win32",)),
        ("com1.md", ("win32",)),
        ("LPT³/a.md", ("win32",)),
        ("conin$", ("win32",)),
        ("Work./a.md", ("win32",)),
        ("Work /a.md", ("win32",)),
        ("a.md ", ("win32",)),
        ("Why?.md", ("win32",)),
        ("a:b.md", ("win32",)),
        ("a\\b.md", ("win32",)),
        ("a\tb.md", ("win32",)),
        ("é" * 200 + ".md", ("linux", "darwin")),
        ("x" * 300 + ".md", EVERYWHERE),
    ],
)
def test_a_new_name_is_refused_where_it_could_not_be_opened_again(path: str, refused_on: tuple[Platform, ...]) -> None:
    assert tuple(platform for platform in EVERYWHERE if why_no_file(path, platform)) == refused_on
