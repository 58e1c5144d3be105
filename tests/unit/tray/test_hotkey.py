"""The key of the quick search, as it is written in the settings."""

import pytest

from scrubjay.daemon.tray.hotkey import Hotkey, hotkey_from
from scrubjay.profiles.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected", "label"),
    [
        ("ctrl+alt+j", Hotkey(("ctrl", "alt"), "j"), "Ctrl+Alt+J"),
        (" Shift + CTRL + F5 ", Hotkey(("ctrl", "shift"), "f5"), "Ctrl+Shift+F5"),
        ("super+space", Hotkey(("super",), "space"), "Super+Space"),
        ("alt+7", Hotkey(("alt",), "7"), "Alt+7"),
    ],
)
def test_a_key_is_read_as_people_write_it(text: str, expected: Hotkey, label: str) -> None:
    found = hotkey_from(text)
    assert (found, found and found.label) == (expected, label)


def test_no_key_is_none() -> None:
    assert hotkey_from("  ") is None


@pytest.mark.parametrize(
    "text", ["j", "shift+j", "ctrl", "ctrl+", "ctrl+jj", "ctrl+ß", "ctrl+ctrl+j", "hyper+j", "ctrl+f13", "+", "ctrl j"]
)
def test_what_would_catch_ordinary_typing_or_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="ctrl\\+alt\\+j"):
        hotkey_from(text)
