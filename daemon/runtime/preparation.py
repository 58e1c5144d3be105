"""How the notes of each profile are prepared: by which rules, with which key, for which model."""

import logging
import secrets

from credential_filter import RuleError, Rules
from daemon.home import Home
from daemon.indexing.digest import text_digest
from daemon.indexing.prepare import PrepareContext
from daemon.private_files import kept_key
from daemon.runtime.models import Model
from daemon.user_rules import read_user_rules
from profiles.registry import Profile

_KEY_BYTES = 32

_log = logging.getLogger(__name__)


class Preparation:
    """The installation's key and the rules in force. `reload` takes over rules that the user changed."""

    def __init__(self, home: Home) -> None:
        self.rule_errors: tuple[RuleError, ...] = ()  # rules of the user's that were refused
        self._file = home.user_rules
        self._key = kept_key(home.data / "installation.key", lambda: secrets.token_bytes(_KEY_BYTES))
        self.reload()

    def reload(self) -> None:
        """Read the user's rules; one that is refused is left out and told."""
        self._rules, self.rule_errors = read_user_rules(self._file)
        self._by_options: dict[tuple[tuple[str, ...], tuple[str, ...]], Rules] = {}
        for error in self.rule_errors:
            _log.warning("a credential rule of yours was refused", extra={"code": error.rule})

    def rules_of(self, profile: Profile) -> Rules:
        """What is redacted for a profile: the built-in rules and the user's, with the profile's own options."""
        options = (tuple(profile.filter_groups), tuple(profile.filter_allow))
        if options not in self._by_options:
            self._by_options[options] = self._rules.with_groups(options[0]).with_allow(options[1])
        return self._by_options[options]

    def context(self, profile: Profile, model: Model, max_chunks: int) -> PrepareContext:
        """How the notes of a profile are prepared for a model. max_chunks: that are kept of one note."""
        rules, spec = self.rules_of(profile), model.embedder.spec
        return PrepareContext(
            self._key, rules, model.tokens.count_many, model.room, max_chunks=max_chunks, tokenizer=spec.name
        )

    def text_digest(self, text: str) -> bytes:
        """The digest that this installation gives to a chunk's text."""
        return text_digest(text, self._key)
