"""How the notes of each profile are prepared: by which rules, with which key, for which model, within which limits."""

import logging
import os
from collections.abc import Callable
from functools import partial

from scrubjay.credential_filter import RuleError, Rules
from scrubjay.daemon.documents.document_bundles import prepare_files
from scrubjay.daemon.documents.document_indexer import FileIndexer
from scrubjay.daemon.documents.document_source import FileContext
from scrubjay.daemon.documents.recognition import Recognition
from scrubjay.daemon.engine.open_models import Boxes
from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.watched_preparer import WatchedPreparer
from scrubjay.daemon.processes.memory_room import memory_room
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.settings import Settings
from scrubjay.daemon.standing_values import installation_key
from scrubjay.daemon.user_rules import read_user_rules
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.registry.export import INSTALLATION
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

_ROOM_FOR_TWO = 1 << 30
_log = logging.getLogger(__name__)


def prepares_apart(room: int, cores: int) -> bool:
    """Whether notes and files are prepared in processes of their own, at the same time. room: bytes of memory."""
    return room >= _ROOM_FOR_TWO and cores > 1


class Preparation:
    """What digests are made with, and the rules and limits in force. Close it when done."""

    def __init__(self, home: Home, settings: Settings, scheduler: Scheduler) -> None:
        self.rule_errors: tuple[RuleError, ...] = ()  # rules of the user's that were refused
        self._file = home.user_rules
        self._own_key = installation_key(home)
        self._team_keys: dict[str, bytes] = {}  # of teams' profiles that were opened, by id
        self._preparer = WatchedPreparer(lambda: self._settings.note_seconds, scheduler)
        # Of their own where there is room, so that no note waits for a file.
        self._file_preparer = (
            WatchedPreparer(lambda: self._settings.note_seconds, scheduler)
            if prepares_apart(memory_room(), os.cpu_count() or 1)
            else self._preparer
        )
        self.boxes = Boxes(lambda: self._settings.note_seconds, scheduler, is_strict=lambda: self._settings.require_box)
        self.reload(settings)

    def reload(self, settings: Settings) -> None:
        """Take over the settings, and the user's rules; one that is refused is left out and reported."""
        self._settings = settings
        self._rules, self.rule_errors = read_user_rules(self._file)
        self._by_options: dict[tuple[tuple[str, ...], tuple[str, ...], frozenset[str], bytes], Rules] = {}
        for error in self.rule_errors:
            _log.warning("a credential rule of yours was refused", extra={"code": error.rule})

    def take_key(self, profile: Profile, team_key: bytes | None) -> None:
        """From now on this profile's digests are made with its team's key; None: with the installation's."""
        if team_key is None:
            self._team_keys.pop(profile.id, None)
        else:
            self._team_keys[profile.id] = team_key

    def digest_key(self, profile: Profile) -> bytes:
        """What the digests of an open profile are made with: its team's key, or the installation's."""
        return self._team_keys.get(profile.id, self._own_key)

    def rules_of(self, profile: Profile) -> Rules:
        """What is redacted of a profile's small texts: as of its notes, and values that stand in all of them stand."""
        return self._kept(profile, frozenset(profile.filter_digests))

    def _kept(self, profile: Profile, digests: frozenset[str] = frozenset()) -> Rules:
        """The built-in rules and the user's, with the profile's own options; made once."""
        options = (profile.filter_groups, profile.filter_allow, digests, self.digest_key(profile))
        if options not in self._by_options:
            rules = self._rules.with_groups(profile.filter_groups).with_allow(profile.filter_allow)
            self._by_options[options] = rules.with_digests(options[3], digests) if digests else rules
        return self._by_options[options]

    def indexer(self, opened: OpenProfile) -> Indexer:
        """The indexer that updates a profile's store from its vaults."""
        limits = self._settings.limits
        return Indexer(
            opened.profile.vaults,
            opened.store,
            self._context(opened),
            opened.progress,
            ReadLimits(limits.note_bytes, limits.notes_per_profile),
            self._preparer.prepare,
            self._preparer.forget_texts,
        )

    def file_indexer(self, opened: OpenProfile) -> FileIndexer:
        """The indexer that updates a profile's store from the files beside notes that its vaults have."""
        return FileIndexer(opened.profile.vaults, opened.store, self._file_context(opened))

    def recognition(self, opened: OpenProfile, indexer: FileIndexer) -> Recognition | None:
        """What recognises a profile's pictures and stores them by `indexer`; None where it has that switched off."""
        if not opened.profile.files.ocr:
            return None
        recogniser = self.boxes.recogniser_of(opened.profile.id)
        how = self._file_context(opened)
        return Recognition(opened.profile.vaults, opened.store, how, recogniser, indexer.put)

    def fingerprint(self, opened: OpenProfile) -> str:
        """What the notes of a profile are prepared with now: rules, parser, chunker, tokenizer."""
        return self._context(opened).fingerprint

    def text_digest(self, profile: Profile) -> Callable[[str], bytes]:
        """What gives the digest of a chunk's text in a profile."""
        return partial(text_digest, key=self.digest_key(profile))

    def has_other_key(self, profile: Profile, store: Store) -> bool:
        """Whether a store's digests were made with another key, which was lost; asked once, it is no other any more.

        A store that does not say with which was imported, or is of an older version. Raises StoreError.
        """
        mark, before = text_digest("", self.digest_key(profile)).hex(), store.read(reads.meta, INSTALLATION)
        if before != mark:
            store.set_meta(INSTALLATION, mark)
        return before not in (None, "", mark)

    def forget_texts(self) -> None:
        """End the processes that have notes and files in memory; others start when they are needed."""
        self._preparer.forget_texts()
        self._file_preparer.forget_texts()

    def close(self) -> None:
        """End the processes that read and prepare notes and files."""
        self._preparer.close()
        self._file_preparer.close()
        self.boxes.close()

    def _file_context(self, opened: OpenProfile) -> FileContext:
        return FileContext(
            self._context(opened),
            opened.profile.files,
            self.boxes.of(opened.profile.id),
            partial(self._file_preparer.prepare_by, prepare_files),
        )

    def _context(self, opened: OpenProfile) -> PrepareContext:
        model, max_chunks = opened.model, self._settings.limits.chunks_per_note
        return PrepareContext(
            self.digest_key(opened.profile),
            self._kept(opened.profile),
            model.tokens.count_many,
            model.room,
            max_chunks=max_chunks,
            tokenizer=model.embedder.spec.name,
            everywhere=frozenset(opened.profile.filter_digests),
        )
