"""Notes without tags, and which of their vault's own tags would fit."""

from collections.abc import Iterator

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.tag_evidence import TagEvidence
from scrubjay.daemon.review.finders.tag_model import learned
from scrubjay.daemon.review.proposal import Change, Kind, Option
from scrubjay.daemon.review.review_notes import ReviewNotes

_LEAST_WORDS = 15  # of a note that says enough to be tagged


class Untagged:
    """Finds notes without tags. Says nothing in a vault whose own tags can't be told from its notes."""

    kinds: tuple[Kind, ...] = ("untagged",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """One proposal a note, with an option for each tag."""
        for members in notes.by_vault.values():
            bare = [note for note in members if not note.tags and note.words >= _LEAST_WORDS]
            model = learned(TagEvidence(notes, members), members) if bare else None
            if model is None or not model.checked.is_good_enough:
                continue
            for note_id, rated in model.likely([note.note_id for note in bare]).items():
                note = notes.by_id[note_id]
                options = tuple(
                    tag_option(notes.vault_name(note), note.path, tag, likelihood) for tag, likelihood in rated
                )
                if options:
                    yield FoundProposal(
                        kind="untagged",
                        note=note,
                        detail=", ".join(f"#{option.label}" for option in options),
                        options=options,
                        strength=options[0].score,
                    )


def tag_option(vault: str, path: str, tag: str, likelihood: float) -> Option:
    """The option to give a note a tag. vault: its name."""
    change = Change(action="add-tags", vault=vault, path=path, tags=(tag,))
    return Option(id=f"tag:{tag}", label=tag, changes=(change,), score=round(likelihood, 3))
