"""Letting go of what notes said: at rest, and, as far as Python allows, once their profile is closed."""

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from scrubjay import credential_filter
from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.processes.memory import give_back, settle, trim, unsettle, wipe
from scrubjay.profiles.search.words import analysis, word_lists

_CACHE = type(lru_cache(str))
_REMEMBER = ("scrubjay.", "litestar.")  # the latter addresses with what was asked for, and cookies
_MANY = 100  # texts that a cache remembers; one of fewer has what settings and languages make, which takes longer


def let_go(models: Models, preparation: Preparation) -> None:
    """Forget what is remembered of texts, end the processes that were sent some, and overwrite what is free by then.

    Takes half a second or so. What the processes have in hand for other profiles is done again by the next ones.
    """
    was_settled = unsettle()
    for each in _caches():
        if _size(each) not in (None, 1):  # else what settings, not texts, make
            each.cache_clear()
    models.forget_texts()
    preparation.forget_texts()
    give_back()
    wipe()
    trim()
    if was_settled:
        settle()


def forget_words() -> None:
    """Forget what functions remember of the words and values that they were last asked about."""
    credential_filter.release_memory()
    analysis.release_memory()
    word_lists.release_memory()
    for each in _caches():
        if (_size(each) or 0) >= _MANY:
            each.cache_clear()


def _caches() -> Iterator[Any]:
    """Those of functions, by their modules. What lists all objects there are has tuples, too, that other threads are
    just making, and these then fail with SystemError.
    """
    searched = (module for name, module in tuple(sys.modules.items()) if name.startswith(_REMEMBER))
    return (value for module in searched for value in tuple(vars(module).values()) if type(value) is _CACHE)


def _size(cache: Any) -> int | None:
    """Of how much it remembers at most; None of one without end."""
    return cache.cache_parameters()["maxsize"]
