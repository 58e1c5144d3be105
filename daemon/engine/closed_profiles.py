"""Letting go of what notes said: at rest, and, as far as Python allows, once their profile is closed."""

import gc
import sys
from functools import lru_cache
from typing import Any

from scrubjay import credential_filter
from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.processes.memory import give_back, settle, trim, unsettle, wipe
from scrubjay.profiles.search.words import analysis, word_lists

_CACHE = type(lru_cache(str))
_MANY = 100  # texts that a cache remembers; one of fewer has what settings and languages make, which takes longer


def let_go(models: Models, preparation: Preparation) -> None:
    """Forget what is remembered of texts, end the processes that were sent some, and overwrite what is free by then.

    Takes half a second or so. What the processes have in hand for other profiles is done again by the next ones.
    """
    was_settled = unsettle()
    for each in gc.get_objects():
        if type(each) is _CACHE and _is_of_texts(each):
            each.cache_clear()
    models.forget_texts()
    preparation.forget_texts()
    give_back()
    wipe()
    trim()
    if was_settled:
        settle()


def forget_words() -> None:
    """Forget what functions of ours remember of the words and values that they were last asked about."""
    credential_filter.release_memory()
    analysis.release_memory()
    word_lists.release_memory()
    ours = (module for name, module in tuple(sys.modules.items()) if name.startswith("scrubjay."))
    for each in (value for module in ours for value in tuple(vars(module).values())):
        if type(each) is _CACHE and (each.cache_parameters()["maxsize"] or 0) >= _MANY:
            each.cache_clear()


def _is_of_texts(cache: Any) -> bool:
    """Whether it may be: one of ours that is bounded, since what comes in is without end."""
    is_ours = str(getattr(cache, "__module__", "")).startswith("scrubjay.")
    return is_ours and cache.cache_parameters()["maxsize"] not in (None, 1)
