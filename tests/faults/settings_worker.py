"""Changes a profile's settings again and again: `python -m tests.faults.settings_worker FOLDER ID FIELD ROUNDS`."""

import sys
from pathlib import Path

import msgspec

from scrubjay.profiles.registry.registry import Profile, Registry


def main(folder: str, profile_id: str, field: str, rounds: int) -> None:
    """Add `<field> <n>` to what the only vault excludes ("exclude") or allows ("allow"), `rounds` times."""
    registry = Registry(Path(folder))
    for number in range(rounds):
        added = f"{field} {number}"

        def with_folder(now: Profile, added: str = added) -> Profile:
            (vault,) = now.vaults
            listed = (*getattr(vault, field), added)
            return msgspec.structs.replace(now, vaults=(msgspec.structs.replace(vault, **{field: listed}),))

        registry.change(profile_id, with_folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
