"""Letting go of what a profile's notes said, once it is closed, as far as Python allows."""

import gc
from functools import lru_cache
from typing import Any

from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.processes.memory import give_back, settle, unsettle, wipe

_CACHE = type(lru_cache(str))


def let_go(models: Models, preparation: Preparation) -> None:
    """Forget what is remembered of texts, end the processes that were sent some, and overwrite what is free by then.

    Takes half a second or so. What the processes have in hand for other profiles is done again by the next ones.
    """
    was_settled = unsettle()
    gc.collect()
    for each in gc.get_objects():
        if type(each) is _CACHE and _is_of_texts(each):
            each.cache_clear()
    models.forget_texts()
    preparation.forget_texts()
    give_back()
    wipe()
    give_back()
    if was_settled:
        settle()


def _is_of_texts(cache: Any) -> bool:
    """Whether it may be: one of ours that is bounded, since what comes in is without end."""
    is_ours = str(getattr(cache, "__module__", "")).startswith("scrubjay.")
    return is_ours and cache.cache_parameters()["maxsize"] not in (None, 1)
