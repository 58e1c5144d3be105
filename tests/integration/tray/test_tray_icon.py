"""The tray on a real X display, photographed."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.tray import tray_icon
from scrubjay.daemon.tray.appearance import DaemonSnapshot
from scrubjay.daemon.tray.hotkey import NoHotkey, hotkey_from, listen
from scrubjay.daemon.tray.tray_icon import NoTray, Tray
from tests.helpers.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="an X display is what Linux has")
pytest.importorskip("PIL", reason="Pillow comes with the extra scrubjay[tray]")

BLUE, AMBER = (0x2F, 0x6F, 0xB3), (0xD9, 0x82, 0x2B)


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Generator[str]:
    """An X display of its own, without a tray."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x200x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        name = f":{told.readline().strip()}"
    monkeypatch.setenv("DISPLAY", name)
    monkeypatch.setenv("PYSTRAY_BACKEND", "xorg")
    yield name
    server.terminate()
    server.wait(30)


@pytest.fixture
def panel(display: str) -> Generator[str]:
    """The display with a program that shows tray icons."""
    if shutil.which("trayer") is None:
        pytest.skip("trayer is not installed")
    options = ("--edge", "top", "--align", "left", "--width", "200", "--widthtype", "pixel", "--height", "48")
    bar = subprocess.Popen(["trayer", *options, "--heighttype", "pixel"], stderr=subprocess.DEVNULL)
    until(tray_icon.has_x_tray, lambda: "trayer offers no tray")
    yield display
    bar.terminate()
    bar.wait(30)


def photograph(display: str) -> Any:
    from PIL import ImageGrab

    return ImageGrab.grab(xdisplay=display)


def pixels_of(image: Any) -> list[tuple[int, ...]]:
    data = image.convert("RGB").tobytes()
    return [tuple(data[start : start + 3]) for start in range(0, len(data), 3)]


def has_colour(display: str, colour: tuple[int, int, int]) -> bool:
    return sum(1 for pixel in pixels_of(photograph(display)) if is_near(pixel, colour)) > 10


def is_near(pixel: tuple[int, ...], colour: tuple[int, int, int]) -> bool:
    """Nearly the colour: a bar makes the picture smaller."""
    return all(abs(part - wanted) < 12 for part, wanted in zip(pixel, colour, strict=True))


_PROGRAM = """
import sys
from pathlib import Path
from scrubjay.daemon.home import Home
from scrubjay.daemon.tray import tray_icon
from scrubjay.daemon.tray.hotkey import hotkey_from
from tests.unit.tray.test_appearance import NOTES, known

folder = Path(sys.argv[1])
tray_icon._EVERY_SECONDS = 0.1
tray_icon.do = lambda action, home: (folder / action.act).touch()


def look(home):
    return known(NOTES, warnings=("A rule was refused.",) if (folder / "needs").exists() else ())


tray = tray_icon.Tray(Home.below(folder), look, hotkey_from("ctrl+alt+j"))
tray.run()
"""


@pytest.mark.slow
def test_the_icon_changes_with_the_state_a_click_opens_the_page_and_the_key_the_quick_search(
    panel: str, tmp_path: Path
) -> None:
    # pystray's X backend shares one connection between threads and now and then loses a request: hence the attempts.
    for attempt in range(8):
        folder = tmp_path / f"{attempt}"
        folder.mkdir()
        shown = subprocess.Popen([sys.executable, "-c", _PROGRAM, str(folder)], stderr=subprocess.DEVNULL)
        try:
            if _shows_and_opens(panel, folder):
                return
        finally:
            shown.kill()
            shown.wait(30)
    raise AssertionError("the icon was never shown as it should be")


def _shows_and_opens(panel: str, folder: Path) -> bool:
    if not _within_seconds(20, lambda: has_colour(panel, BLUE)):
        return False
    photograph(panel).save(folder / "ready.png")
    (folder / "needs").touch()
    if not _within_seconds(10, lambda: has_colour(panel, AMBER)):
        return False
    photograph(panel).save(folder / "attention.png")
    click(panel, AMBER)
    if not _within_seconds(10, (folder / "open").exists):
        return False
    press(panel, "Control_L", "Alt_L", "j")
    return _within_seconds(10, (folder / "search").exists)


@pytest.mark.slow
def test_a_key_that_another_program_has_is_not_taken(display: str) -> None:
    taken = hotkey_from("ctrl+alt+f9")
    assert taken is not None
    listen(taken, lambda: None)
    with pytest.raises(NoHotkey, match="Ctrl\\+Alt\\+F9 belongs to another program"):
        listen(taken, lambda: None)


def _within_seconds(seconds: float, true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def click(display: str, colour: tuple[int, int, int]) -> None:
    """Click with the left button where this colour is on the screen."""
    from Xlib import X
    from Xlib import display as displays
    from Xlib.ext import xtest

    image = photograph(display)
    place = next(number for number, pixel in enumerate(pixels_of(image)) if is_near(pixel, colour))
    screen = displays.Display(display)
    xtest.fake_input(screen, X.MotionNotify, x=place % image.width, y=place // image.width + 4)
    xtest.fake_input(screen, X.ButtonPress, 1)
    xtest.fake_input(screen, X.ButtonRelease, 1)
    screen.sync()
    screen.close()


def press(display: str, *keys: str) -> None:
    """Press keys together, and let them go in the other order."""
    from Xlib import XK, X
    from Xlib import display as displays
    from Xlib.ext import xtest

    screen = displays.Display(display)
    codes = [screen.keysym_to_keycode(XK.string_to_keysym(key)) for key in keys]
    for code in codes:
        xtest.fake_input(screen, X.KeyPress, code)
    for code in reversed(codes):
        xtest.fake_input(screen, X.KeyRelease, code)
    screen.sync()
    screen.close()


def test_a_desktop_without_a_place_for_icons_is_told_so(display: str, tmp_path: Path) -> None:
    with pytest.raises(NoTray, match="no place for tray icons"):
        Tray(Home.below(tmp_path), lambda _home: DaemonSnapshot(None))


def test_without_a_desktop_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(NoTray, match="no desktop"):
        Tray(Home.below(tmp_path), lambda _home: DaemonSnapshot(None))
