"""Rows of proposals, for tests that need no finder."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from scrubjay.daemon.review.proposal import KINDS, Kind, Option, Proposal
from scrubjay.profiles.store.proposals import MadeProposal, ProposalRow


def made_row(
    key: str,
    note_id: int,
    names: Mapping[int, tuple[bytes, str]],
    *,
    kind: Kind = "stale",
    path: str = "0.md",
    said: str | None = None,
    options: tuple[Option, ...] = (),
    **values: object,
) -> MadeProposal:
    """One about a note. names: as of `MadeProposal`. values: other fields of `ProposalRow`."""
    shown = Proposal(key=key, kind=kind, profile="", vault="v", path=path, title="", options=options)
    row = ProposalRow(
        key=key,
        finder=0,
        kind=KINDS.index(kind),
        strength=0.0,
        vault_name="v",
        path=path,
        place=0,
        vault="v",
        note_id=note_id,
        digest=b"d",
        subject=b"s",
        has_options=bool(options),
        body=msgspec.json.encode(shown),
    )
    return MadeProposal(replace(row, **values), said, names)  # type: ignore[arg-type]
