"""Which of the languages the user of this machine reads, as the system tells."""

import locale
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache

from scrubjay.daemon.program import Platform, this_platform
from scrubjay.daemon.sentences.sentences import LANGUAGES, Sentences, words_of

_TRADITIONAL = re.compile(r"zh[-_](.*[-_])?(hant|tw|hk|mo)\b", re.IGNORECASE)  # zh.json is in the simplified signs
_SECONDS = 2.0


@cache
def system_words() -> Sentences:
    """The words of the user's language; English where there are none in it."""
    return words_for(system_languages(this_platform(), os.environ))


def words_for(languages: Iterable[str]) -> Sentences:
    """The words of the first of these languages (`de_AT.UTF-8`, `zh-Hans`) that has any; else the English."""
    for language in languages:
        found = re.split(r"[-_.@]", language.lower())[0]
        if found in LANGUAGES and not _TRADITIONAL.match(language):
            return words_of(found)
    return words_of("en")


def system_languages(platform: Platform, environment: Mapping[str, str]) -> tuple[str, ...]:
    """What the environment says (POSIX: LANGUAGE, LC_ALL, LC_MESSAGES, LANG), else the system's own setting."""
    said = environment.get("LC_ALL") or environment.get("LC_MESSAGES") or environment.get("LANG") or ""
    if said and said not in ("C", "POSIX") and not said.startswith("C."):
        return (*filter(None, environment.get("LANGUAGE", "").split(":")), said)
    if platform == "darwin" and not said:
        return _of_macos()
    return _of_windows() if platform == "win32" and not said else ()


def _of_macos() -> tuple[str, ...]:
    """What is started from the dock has no LANG."""
    command = ("/usr/bin/defaults", "read", "-g", "AppleLanguages")
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(re.findall(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*", listed))


def _of_windows() -> tuple[str, ...]:
    if sys.platform != "win32":
        return ()
    import ctypes  # noqa: PLC0415 - only there

    number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
    return (locale.windows_locale.get(number, ""),)
