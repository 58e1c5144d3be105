"""Where credentials stand in the notes, as it travels; never what they are."""

from collections.abc import Iterator, Mapping, Sequence

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.server.endpoints.credentials import Credential
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import vault_name
from scrubjay.profiles.search.results.places import place_name
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import RedactionPlace, RedactionRow
from scrubjay.profiles.store.store import Store

_ABOUT = {rule.id: rule.about for rule in BUILT_IN.active}


def credentials_of(stores: Mapping[str, Store], profiles: Sequence[Profile]) -> Iterator[Credential]:
    """Every credential that was found, hidden or let stand, by profile, path and line."""
    for profile in profiles:
        if profile.name not in stores:
            continue
        store = stores[profile.name]
        for place in store.read(reads.redactions):
            yield credential_reply(profile, vault_name(store, profile, place.vault), place.path, place)


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
