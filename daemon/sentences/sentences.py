"""What the tray and `scrubjay setup` say: one value of `Sentences` per language, read from its file beside this module.

A file holds all that is said in its language, the panel and the search page read it, too: CONTRIBUTING.md, "Sentences".
What varies stands in braces, for `str.format`.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

_FOLDER = Path(__file__).parent
LANGUAGES = frozenset(file.stem for file in _FOLDER.glob("*.json"))


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence in the forms that a number needs; languages that need one form have `other` alone."""

    other: str
    one: str | None = None


class Sentences(msgspec.Struct, frozen=True, kw_only=True):
    """All sentences of one language."""

    language: str

    # What numbers look like, and what is counted.
    group: str = msgspec.field(name="number.group")
    group_from: str = msgspec.field(name="number.groupFrom")
    share: str = msgspec.field(name="number.percent")
    ones: str = msgspec.field(name="number.ones")
    notes: Counted = msgspec.field(name="count.notes")
    files: Counted = msgspec.field(name="count.files")
    passages: Counted
    yes: str
    no: str

    # The tray.
    start: str
    not_running: str
    open_page: str
    quick_search: str
    asks: str
    let_in: str
    refuse: str
    at_work: str
    paused: str
    asked: str
    attention: str
    ready: str
    locked: str
    unlock: str
    told: str
    state_idle: str
    state_scanning: str
    state_reading: str
    state_embedding: str
    state_paused: str
    state_locked: str
    state_failed: str
    state_away: str
    state_so_far: str
    retry: str
    pause: str
    lock: str
    credentials: str
    login: str
    logs: str
    quit: str
    failed: str
    searchable: str
    credential_found: str

    # `scrubjay setup`.
    vaults_known: str
    no_vault: str
    which_of_these: str
    which_folder: str
    neither: str
    profile_name: str
    encrypt: str
    belongs: str
    nothing_read: str
    whole: str
    whole_with_loose: str
    not_all_counted: str
    reads_only: str
    which_folders: str
    not_at_top: str
    leaves_out: str
    exclude_too: str
    shows_last: str
    exclude_hidden: str
    not_taken_over: str
    plugin_not_copied: str
    copy_plugin: str
    plugin_copied: str
    switch_plugin_on: str
    service_runs: str
    start_at_login: str
    started_by_hand: str
    service_installed: str
    runs_at: str
    profile_created: str
    nothing_yet: str
    never: str
    say_what: str
    nothing_allowed: str
    being_read: str
    in_background: str
    profile_is: str
    profile_is_because: str
    found_so_far: str
    found_by_word: str
    found_by_both: str
    left_out: str
    files_follow: str
    pictures_too: str
    page_opens: str
    page_file: str
    page_anytime: str
    option_needed: str
    answer_yes_or_no: str

    def number(self, number: int) -> str:
        """A number as the language writes it: `2,000`, `2.000`. Spanish groups from five digits on."""
        is_short = abs(number) < int(self.group_from)
        return str(number) if is_short else f"{number:,}".replace(",", self.group)

    def percent(self, share: float) -> str:
        """A share from 0 to 1, in whole percents."""
        return self.share.format(number=f"{100 * share:.0f}")

    def counted(self, what: Counted, count: int) -> str:
        """`1 note`, `2 notes`. In French, none is one (Unicode CLDR 46)."""
        is_one = str(count) in self.ones.split()
        form = what.one if is_one and what.one is not None else what.other
        return form.format(count=self.number(count))


class _Sentences(msgspec.Struct):
    """The sections of a language's file that are read here."""

    general: dict[str, Any]
    tray: dict[str, Any]
    setup: dict[str, Any]


@cache
def words_of(language: str) -> Sentences:
    """The words of one of `LANGUAGES`. Raises msgspec.ValidationError, naming the key, where its file lacks one."""
    read = msgspec.json.decode((_FOLDER / f"{language}.json").read_bytes(), type=_Sentences)
    return msgspec.convert({"language": language, **read.general, **read.tray, **read.setup}, Sentences)
