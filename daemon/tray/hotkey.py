"""A key that opens the quick search from any program, where the system lets one be taken.

On X11 it is grabbed from the root window (Xlib, which pystray brings), on Windows registered (RegisterHotKey). Wayland
and macOS give keys to no program: there the desktop's own settings bind one to `scrubjay open --window`.
"""

import ctypes
import importlib
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scrubjay.profiles.errors import Unavailable, UsageError

_MODIFIERS = ("ctrl", "alt", "shift", "super")
_WINDOWS_MODIFIERS = {"alt": 1, "ctrl": 2, "shift": 4, "super": 8}
_NO_REPEAT, _WM_HOTKEY = 0x4000, 0x0312
_NAMED = {"space": 0x20, **{f"f{number}": 0x6F + number for number in range(1, 13)}}  # virtual-key codes


class NoHotkey(Unavailable):
    """The key can't be had. The message says why, and what to do instead."""

    code = "no-hotkey"


@dataclass(frozen=True, slots=True)
class Hotkey:
    """Keys that are pressed together, in lower case: modifiers in their usual order, and one more."""

    modifiers: tuple[str, ...]
    key: str

    @property
    def label(self) -> str:
        """As people write it: Ctrl+Alt+J."""
        return "+".join(part.capitalize() for part in (*self.modifiers, self.key))


def hotkey_from(text: str) -> Hotkey | None:
    """Read `ctrl+alt+j`; None of an empty text. Raises UsageError for anything else."""
    if not text.strip():
        return None
    *before, key = (part.strip().lower() for part in text.split("+"))
    modifiers = tuple(name for name in _MODIFIERS if name in before)
    is_key = key in _NAMED or (len(key) == 1 and key.isascii() and key.isalnum())
    if not is_key or not {"ctrl", "alt", "super"} & set(before) or sorted(before) != sorted(modifiers):
        raise UsageError(
            f'quick_search_key = "{text}" can\'t be used. Write one such as "ctrl+alt+j": ctrl, alt or super, perhaps'
            ' shift, and a letter, a digit, space or f1 to f12; "" for none.'
        )
    return Hotkey(modifiers, key)


def listen(hotkey: Hotkey, pressed: Callable[[], object]) -> None:
    """Call `pressed`, in a thread of its own, at each press until the program ends. Raises NoHotkey."""
    if sys.platform == "win32":
        take = _take_windows
    elif sys.platform != "darwin" and os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        take = _take_x
    else:
        raise NoHotkey("This desktop gives keys to no program: bind one to `scrubjay open --window` in its settings.")
    taken: list[bool] = []
    ready = threading.Event()

    def follow() -> None:
        wait = take(hotkey)
        taken.append(wait is not None)
        ready.set()
        while wait is not None and wait():
            pressed()

    threading.Thread(target=follow, name="hotkey", daemon=True).start()
    if not ready.wait(10) or not taken[0]:
        raise NoHotkey(f"{hotkey.label} belongs to another program. Set quick_search_key to another one.")


def _take_x(hotkey: Hotkey) -> Callable[[], bool] | None:
    """What waits for the next press; None where the key can't be had."""
    x, xk, display_module = map(importlib.import_module, ("Xlib.X", "Xlib.XK", "Xlib.display"))
    error_module = importlib.import_module("Xlib.error")
    masks = {"ctrl": x.ControlMask, "alt": x.Mod1Mask, "shift": x.ShiftMask, "super": x.Mod4Mask}
    try:
        display = display_module.Display()
    except Exception:  # noqa: BLE001 - Xlib's errors share no base
        return None
    root = display.screen().root
    keysym = xk.string_to_keysym(hotkey.key.upper() if hotkey.key in _NAMED and hotkey.key != "space" else hotkey.key)
    code = display.keysym_to_keycode(keysym)
    mask = sum(masks[name] for name in hotkey.modifiers)
    refused = error_module.CatchError(error_module.BadAccess)
    for locks in (0, x.LockMask, x.Mod2Mask, x.LockMask | x.Mod2Mask):  # Caps Lock and Num Lock count as modifiers
        root.grab_key(code, mask | locks, True, x.GrabModeAsync, x.GrabModeAsync, onerror=refused)
    display.sync()
    if not code or refused.get_error() is not None:
        display.close()
        return None

    def wait() -> bool:
        try:
            while display.next_event().type != x.KeyPress:
                pass
        except error_module.ConnectionClosedError:  # the session ends
            return False
        return True

    return wait


def _take_windows(hotkey: Hotkey) -> Callable[[], bool] | None:
    """As `_take_x`; to be called in the thread that waits."""
    user32: Any = getattr(ctypes, "windll").user32  # noqa: B009 - there is no such name elsewhere
    modifiers = _NO_REPEAT + sum(_WINDOWS_MODIFIERS[name] for name in hotkey.modifiers)
    if not user32.RegisterHotKey(None, 1, modifiers, _NAMED.get(hotkey.key) or ord(hotkey.key.upper())):
        return None
    message = ctypes.create_string_buffer(64)  # a MSG is smaller

    def wait() -> bool:
        while user32.GetMessageW(message, None, 0, 0) > 0:
            if ctypes.c_uint.from_buffer(message, ctypes.sizeof(ctypes.c_void_p)).value == _WM_HOTKEY:
                return True
        return False

    return wait
