"""What the tray and `scrubjay setup` say: one value of `Words` per language.

To add a sentence, add a field here and a value in each language's module: pyright names those that lack it. What varies
stands in braces, for `str.format`. The panel and the search page have their own: `obsidian-plugin/src/words/`.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "de", "fr", "es", "zh", "ja"]


@dataclass(frozen=True, slots=True)
class Counted:
    """A sentence in the two forms that a number needs; languages that need one have it twice."""

    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """All sentences of one language."""

    language: Language

    # What numbers look like, and what is counted.
    group: str
    share: str
    notes: Counted
    files: Counted
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
    indexing: str
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
    page_opens: str
    page_file: str
    page_anytime: str
    option_needed: str
    answer_yes_or_no: str

    def number(self, number: int) -> str:
        """A number as the language writes it: `2,000`, `2.000`. Spanish groups from five digits on."""
        is_short = self.language == "es" and abs(number) < 10_000
        return str(number) if is_short else f"{number:,}".replace(",", self.group)

    def percent(self, share: float) -> str:
        """A share from 0 to 1, in whole percents."""
        return self.share.format(number=f"{100 * share:.0f}")

    def counted(self, what: Counted, count: int) -> str:
        """`1 note`, `2 notes`. In French, none is one (Unicode CLDR 46)."""
        is_one = count == 1 or (count == 0 and self.language == "fr")
        return (what.one if is_one else what.other).format(count=self.number(count))
