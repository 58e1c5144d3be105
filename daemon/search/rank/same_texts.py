"""Equal texts of profiles whose digests have different keys: a team's have the team's, a file's the installation's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

import msgspec

from scrubjay.daemon.search.rank.legs import Legs, Turn
from scrubjay.profiles.store.store import Store

_SIZE = 16


def with_common_digests(legs: Sequence[Legs], stores: Mapping[str, Store], turn: Turn) -> tuple[Legs, ...]:
    """Legs whose hits have one digest wherever they hold one text; as they are where the stores share a key.

    The digests are made of the texts of the hits, hold for this search alone, and are kept nowhere. A store that can't
    give its texts keeps its own.
    """
    keys = {stores[leg.profile].path if stores[leg.profile].machine else None for leg in legs}
    if len(keys) < 2:
        return tuple(legs)
    hits = {leg.profile: [hit.chunk_id for hit in (*leg.lexical, *leg.semantic)] for leg in legs}
    texts, _ = turn.each(
        {name: store for name, store in stores.items() if hits.get(name)}, lambda name, store: store.texts(hits[name])
    )
    return tuple(_with_digests(leg, texts.get(leg.profile, {})) for leg in legs)


def _with_digests(leg: Legs, texts: Mapping[int, str]) -> Legs:
    known = {chunk: _digest(text) for chunk, text in texts.items()}
    common = {hit.digest: known[hit.chunk_id] for hit in (*leg.lexical, *leg.semantic) if hit.chunk_id in known}
    vectors = {common[digest]: vector for digest, vector in leg.vectors.items() if digest in common}
    return replace(
        leg,
        lexical=[msgspec.structs.replace(hit, digest=common.get(hit.digest, hit.digest)) for hit in leg.lexical],
        nearest=replace(
            leg.nearest,
            hits=[msgspec.structs.replace(hit, digest=common.get(hit.digest, hit.digest)) for hit in leg.semantic],
            vectors={**leg.vectors, **vectors},  # what links lead to is looked up by the store's own
        ),
    )


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()
