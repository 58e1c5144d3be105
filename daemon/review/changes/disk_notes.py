"""The notes of a profile on disk, as plans read them: allowed ones alone, and through no link."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from scrubjay.daemon.program import this_platform
from scrubjay.daemon.review.changes.change_plan import Place
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.paths import literal, spellings, why_no_file
from scrubjay.daemon.vault.read import FileStamp, UnreadableNote, opened
from scrubjay.daemon.vault.scan import scan
from scrubjay.profiles.names import file_key
from scrubjay.profiles.registry.registry import Profile, VaultFolder

_MOST_BYTES = 5_000_000  # of one note, as for reading it into the index


class DiskNotes:
    """As `change_plan.VaultFiles`. Looks at the disk each time, but lists a vault's files once."""

    def __init__(self, profile: Profile) -> None:
        self._vaults: Mapping[str, VaultFolder] = {vault.name: vault for vault in profile.vaults}
        self._stamps: dict[str, Mapping[str, FileStamp]] = {}

    def vault(self, name: str) -> VaultFolder:
        """The vault of this name. Raises ChangeRefused."""
        if name not in self._vaults:
            raise ChangeRefused("gone", f"The profile has no vault named {name!r}.")
        return self._vaults[name]

    def read(self, place: Place) -> bytes:  # noqa: D102 (as Notes)
        vault = self.vault(place[0])
        stamp = self._stamps.get(place[0], {}).get(place[1]) or self.stamp(place)
        try:
            with opened(Path(vault.root), stamp, _MOST_BYTES) as (file, _):
                return file.read()
        except UnreadableNote as error:
            raise ChangeRefused("gone", f"{place[1]}: {error.reason}") from None

    def stamp(self, place: Place) -> FileStamp:
        """A note that may be read, as the disk spells its path. Raises ChangeRefused."""
        found = scan(self.vault(place[0]), only=(place[1],), empty_is_away=False).files
        stamp = next((file for file in found if file.path == place[1]), None)
        if stamp is None:
            raise ChangeRefused("gone", f"{place[1]} is not there, or is no note that may be read.")
        return stamp

    def why_absent(self, place: Place) -> str:
        """Why no change of a note that was there can be made now, in a sentence; "" where it is there to be read."""
        vault, path = self.vault(place[0]), place[1]
        root = Path(literal(str(Path(vault.root).resolve()), this_platform()))
        if not Allowance.of_vault(vault).allows(path):
            return f"{path} may not be read now, so it stays as it is until the profile may read it again."
        found = spellings(root, root / path)[0]
        if found.resolve() != found:
            return f"{path} lies behind a link, and links are not followed."
        return "" if found.is_file() else f"{path} is not there any more."

    def check_target(self, place: Place, source: Place) -> None:  # noqa: D102
        vault = self.vault(place[0])
        if not Allowance.of_vault(vault).allows(place[1]):
            raise ChangeRefused(
                "not-allowed", f"{place[1]} is in no folder that the profile may read; move it by hand."
            )
        if why := why_no_file(place[1], this_platform()):
            raise ChangeRefused("invalid", f"{source[1]} can't move there: {why}")
        root = Path(literal(str(Path(vault.root).resolve()), this_platform()))
        target = root / place[1]
        if target.resolve() != target:
            raise ChangeRefused("not-allowed", f"{place[1]} lies behind a link, and links are not followed.")
        same = file_key(place[1]) == file_key(source[1])
        if target.exists() and not (same and target.samefile(root / source[1])):
            raise ChangeRefused("exists", f"There is a file at {place[1]} already; choose another name.")

    def paths(self, vault: str) -> Sequence[str]:  # noqa: D102
        if vault not in self._stamps:
            found = scan(self.vault(vault), wants=lambda _: True).files
            self._stamps[vault] = {file.path: file for file in found}
        return tuple(self._stamps[vault])
