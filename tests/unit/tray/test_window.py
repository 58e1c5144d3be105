"""The window of the quick search: which browser, and what it is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from scrubjay.daemon.program import Platform
from scrubjay.daemon.tray import window
from scrubjay.daemon.tray.window import browsers, open_window


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"PATH": "/a::/b"}, ["/a/chromium", "/b/chromium", "/a/chromium-browser"]),
        ("linux", {}, []),
        ("darwin", {}, ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]),
        ("win32", {"ProgramFiles": "/P"}, ["/P/Google/Chrome/Application/chrome.exe"]),
    ],
)
def test_each_system_has_its_places(platform: Platform, environment: dict[str, str], expected: list[str]) -> None:
    assert [path.as_posix() for path in browsers(platform, environment)][: len(expected)] == expected


def test_a_browser_that_can_opens_a_window_and_is_told_nothing_but_the_file(tmp_path: Path) -> None:
    started: list[Sequence[str]] = []
    browser, page = tmp_path / "chromium", tmp_path / "state" / "scrubjay.html"
    browser.write_text("")
    browser.chmod(0o755)
    assert open_window(page, "linux", {"PATH": str(tmp_path)}, started.append)
    assert [command[:2] for command in started] == [(str(browser), f"--app={page.as_uri()}")]


def test_another_browser_opens_a_tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(window.webbrowser, "open", opened.append)
    open_window(tmp_path / "page.html", "linux", {"PATH": str(tmp_path)})
    assert opened == [(tmp_path / "page.html").as_uri()]
