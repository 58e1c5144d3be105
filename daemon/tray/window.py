"""The quick search: the search page in a window of its own, without a browser's bars, where a browser can do that."""

import shutil
import subprocess
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scrubjay.daemon.program import Platform

_SIZE = "860,640"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "brave-browser", "microsoft-edge")
_MAC = ("Google Chrome", "Chromium", "Brave Browser", "Microsoft Edge")
_WINDOWS = (
    ("ProgramFiles(x86)", "Microsoft/Edge/Application/msedge.exe"),
    ("ProgramFiles", "Google/Chrome/Application/chrome.exe"),
    ("LOCALAPPDATA", "Google/Chrome/Application/chrome.exe"),
    ("ProgramFiles", "BraveSoftware/Brave-Browser/Application/brave.exe"),
)


def browsers(platform: Platform, environment: Mapping[str, str]) -> list[Path]:
    """Where browsers that open a window of one page would be, the likeliest first. Nothing is looked at."""
    if platform == "darwin":
        return [Path(f"/Applications/{name}.app/Contents/MacOS/{name}") for name in _MAC]
    if platform == "win32":
        return [Path(environment[folder], path) for folder, path in _WINDOWS if folder in environment]
    return [Path(folder, name) for name in _NAMES for folder in environment.get("PATH", "").split(":") if folder]


def open_window(
    page: Path,
    platform: Platform,
    environment: Mapping[str, str],
    start: Callable[[Sequence[str]], object] = lambda command: subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ),
) -> bool:
    """Open the file of the search page in a window of its own; in a tab where no browser here can. False: not at all.

    page: as `Home.page`. A browser is told the path of the file alone, which holds no secret.
    """
    for browser in browsers(platform, environment):
        if shutil.which(browser):
            start((str(browser), f"--app={page.as_uri()}", f"--window-size={_SIZE}"))
            return True
    return webbrowser.open(page.as_uri())
