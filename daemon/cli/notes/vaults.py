"""Where the vaults of results lie, and the address by which Obsidian opens a note."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.profiles import LIST_PROFILES
from scrubjay.profiles.search.results.places import place_anchor
from scrubjay.profiles.search.types import SearchResult


@dataclass(frozen=True, slots=True)
class VaultFolders:
    """The folders of all vaults that the client may know the places of, by profile and vault."""

    roots: dict[tuple[str, str], Path]

    @classmethod
    def of(cls, client: ScrubjayClient) -> "VaultFolders":
        """Asks the API once."""
        return cls(
            {
                (profile.name, vault.name): Path(vault.root)
                for profile in client.ask(LIST_PROFILES).profiles
                for vault in profile.vaults
                if vault.root is not None
            }
        )

    def file(self, result: SearchResult) -> Path | None:
        """The note's file; None where its vault's place is not known."""
        root = self.roots.get((result.profile, result.vault))
        return None if root is None else root / result.path

    def address(self, result: SearchResult) -> str | None:
        """`obsidian://open?path=…`, which finds the vault by the file, and opens a PDF at its page; None as `file`."""
        file, anchor = self.file(result), place_anchor(result.kind, result.place)
        place = f"#{anchor}" if anchor else ""
        return None if file is None else f"obsidian://open?path={quote(str(file) + place, safe='')}"

    def name(self, result: SearchResult) -> str:
        """The profile, and the vault where the profile has several."""
        several = sum(profile == result.profile for profile, _ in self.roots) > 1
        return f"{result.profile}/{result.vault}" if several else result.profile
