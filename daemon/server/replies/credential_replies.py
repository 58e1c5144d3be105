"""Where credentials stand in the notes, as it travels; never what they are."""

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.server.endpoints.credentials import Credential
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.results.places import place_name
from scrubjay.profiles.store.rows import RedactionPlace, RedactionRow

_ABOUT = {rule.id: rule.about for rule in BUILT_IN.active}


def credential_reply(profile: Profile, vault: str, path: str, found: RedactionRow | RedactionPlace) -> Credential:
    """One credential of a note, and how it stands. vault: its name."""
    return Credential(
        profile=profile.name,
        vault=vault,
        path=path,
        line=found.line,
        column=found.column,
        rule=found.rule,
        about=_ABOUT.get(found.rule, "a rule of your own"),
        standing=found.standing,
        place=place_name(file_kind(path) or NOTE, found.place),
    )
