"""The tray on the screen, by pystray: redrawn when what it shows has changed."""

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from scrubjay.daemon.home import Home
from scrubjay.daemon.sentences.system import system_words
from scrubjay.daemon.tray.appearance import SEPARATOR, Action, DaemonSnapshot, MenuEntry, TrayView, notices, view_of
from scrubjay.daemon.tray.hotkey import Hotkey, NoHotkey, listen
from scrubjay.daemon.tray.menu_actions import do, look
from scrubjay.profiles.errors import ScrubjayError, Unavailable

_EVERY_SECONDS = 3.0


class NoTray(Unavailable):
    """There is no system tray here, or nothing to draw it with. The message says which and what to do."""

    code = "no-tray"


class Tray:
    """The icon and its menu, until quit. Raises NoTray when made where there is no tray."""

    def __init__(self, home: Home, look: Callable[[Home], DaemonSnapshot] = look, hotkey: Hotkey | None = None) -> None:
        self._pystray = _pystray()
        self._home = home
        self._look = look
        self._hotkey = hotkey
        self._hotkey_label = ""
        self._snapshot = look(home)
        self._words = system_words()
        self._view = view_of(self._snapshot, self._words)
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._icon = self._pystray.Icon("scrubjay", self._picture(), self._view.title, self._menu())
        _hear_clicks(self._icon)

    @property
    def view(self) -> TrayView:
        """What is shown now."""
        return self._view

    def run(self) -> None:
        """Show it; returns when the user quits."""
        self._icon.run(setup=self._follow)  # pystray calls it in a thread of its own

    def quit(self) -> None:
        """Take it away, soon: only the thread that draws touches the icon."""
        self._stop.set()
        self._wake.set()

    def _follow(self, icon: Any) -> None:
        icon.visible = True
        _colour_with_the_menu_bar(icon)
        self._listen()
        self._wake.set()
        while not self._stop.is_set():
            self._wake.wait(_EVERY_SECONDS)
            self._wake.clear()
            if self._stop.is_set():
                break
            now = replace(self._look(self._home), hotkey=self._hotkey_label)
            for notice in notices(self._snapshot, now, self._words):
                self._notify(notice)
            self._snapshot = now
            self._draw(view_of(now, self._words))
        icon.stop()

    def _listen(self) -> None:
        if self._hotkey is not None:
            with contextlib.suppress(NoHotkey):  # the menu names no key then
                listen(self._hotkey, partial(self._act, Action("search")))
                self._hotkey_label = self._hotkey.label

    def _draw(self, view: TrayView) -> None:
        before, self._view = self._view, view
        if (view.light, view.share) != (before.light, before.share):
            self._icon.icon = self._picture()
            _colour_with_the_menu_bar(self._icon)
        if view.title != before.title:
            self._icon.title = view.title
        if view.menu != before.menu:
            self._icon.menu = self._menu()

    def _picture(self) -> Any:
        from scrubjay.daemon.tray.picture import picture  # noqa: PLC0415 - Pillow comes with the extra

        return picture(self._view.light, self._view.share, is_template=sys.platform == "darwin")

    def _menu(self) -> Any:
        return self._pystray.Menu(*(self._item(entry) for entry in self._view.menu))

    def _item(self, entry: MenuEntry) -> Any:
        if entry == SEPARATOR:
            return self._pystray.Menu.SEPARATOR
        if entry.entries:
            inner = self._pystray.Menu(*(self._item(each) for each in entry.entries))
            return self._pystray.MenuItem(entry.label, inner)
        action, checked = entry.action, entry.checked
        return self._pystray.MenuItem(
            entry.label,
            None if action is None else partial(self._act, action),
            checked=None if checked is None else partial(_always, checked),
            default=entry.is_default,
            enabled=action is not None,
        )

    def _act(self, action: Action, *_: object) -> None:
        if action.act == "quit":
            self.quit()
            return
        try:
            do(action, self._home)
        except ScrubjayError as error:
            self._notify(str(error))
        self._wake.set()

    def _notify(self, sentence: str) -> None:
        with contextlib.suppress(NotImplementedError):  # some trays show no notifications
            self._icon.notify(sentence, "Scrubjay")


def _always(value: bool, _: object) -> bool:
    return value


def _hear_clicks(icon: Any) -> None:
    """On plain X, pystray 0.19 handles clicks but never asks the display for them."""
    window = getattr(icon, "_window", None)
    if type(icon).__module__.endswith("_xorg") and window is not None:
        x = importlib.import_module("Xlib.X")
        window.change_attributes(event_mask=x.ExposureMask | x.StructureNotifyMask | x.ButtonPressMask)


def _colour_with_the_menu_bar(icon: Any) -> None:
    """On macOS, have the system colour the picture as it does the others: pystray 0.19 does not say that it may."""
    image = getattr(icon, "_icon_image", None)
    if sys.platform == "darwin" and image is not None:
        image.setTemplate_(True)


def _pystray() -> Any:
    """The library, once it is sure that there is a tray to show something in. Raises NoTray."""
    try:
        importlib.import_module("PIL")
    except ImportError:
        raise NoTray('The tray needs two more packages: pip install "scrubjay[tray]".') from None
    is_desktop = sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY"))
    if not is_desktop:
        raise NoTray("There is no desktop here to show an icon on. Everything works without it: see `scrubjay --help`.")
    try:
        library = importlib.import_module("pystray")
    except ImportError:
        raise NoTray('The tray needs two more packages: pip install "scrubjay[tray]".') from None
    except Exception as error:  # noqa: BLE001 - a desktop's own libraries raise what they like when the session is not theirs
        raise NoTray(f"The desktop's tray can't be reached ({type(error).__name__}).") from None
    if library.Icon.__module__.endswith("_xorg") and not has_x_tray():
        raise NoTray("This desktop has no place for tray icons (on GNOME: the extension AppIndicator gives one).")
    return library


def has_x_tray() -> bool:
    """Whether a program on the X display shows tray icons (System Tray Protocol, freedesktop.org)."""
    display_module = importlib.import_module("Xlib.display")
    try:
        display = display_module.Display()
    except Exception:  # noqa: BLE001 - Xlib's errors share no base
        return False
    owner = display.get_selection_owner(display.intern_atom(f"_NET_SYSTEM_TRAY_S{display.get_default_screen()}"))
    display.close()
    return bool(owner)
