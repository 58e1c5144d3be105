"""A parsed query, sorted into what filters notes, what ranks them and what rules passages out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from daemon.search.query_tree import Either, Every, Exclude, InProfile, Node, Phrase, Query, QueryWarning, Where, Word
from profiles.filters import AllOf, AnyOf, InVault, Not, NoteFilter

VaultIds = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the legs are asked.

    Words rank and never filter: a note that lacks one is found lower down. Phrases outside `OR` are demanded, inside
    one they rank. Under `OR`, a condition on notes filters only if every branch has one.
    """

    text: str  # the words and phrases as a sentence, for the semantic leg; "" where only filters were given
    words: tuple[str, ...]
    phrases: tuple[str, ...]  # demanded
    optional_phrases: tuple[str, ...]
    excluded: tuple[str, ...]  # words
    excluded_phrases: tuple[str, ...]
    where: NoteFilter | None
    profiles: tuple[str, ...]  # named with profile:, empty where none was
    excluded_profiles: tuple[str, ...]
    warnings: tuple[QueryWarning, ...]


def plan_query(query: Query, vault_ids: VaultIds) -> Plan:
    """Sort the tree. `vault_ids` gives the ids of the vaults of a name; of none, nothing matches, with a warning."""
    sorter = _Sorter(vault_ids)
    sorter.visit(query.tree, wanted=True, in_either=False)
    where = sorter.condition(query.tree, wanted=True)
    return Plan(
        text=" ".join(sorter.text),
        words=tuple(sorter.words),
        phrases=tuple(sorter.phrases),
        optional_phrases=tuple(sorter.optional_phrases),
        excluded=tuple(sorter.excluded),
        excluded_phrases=tuple(sorter.excluded_phrases),
        where=where,
        profiles=tuple(sorter.profiles),
        excluded_profiles=tuple(sorter.excluded_profiles),
        warnings=(*query.warnings, *sorter.warnings),
    )


@dataclass(slots=True)
class _Sorter:
    vault_ids: VaultIds
    text: list[str] = field(default_factory=list[str])
    words: list[str] = field(default_factory=list[str])
    phrases: list[str] = field(default_factory=list[str])
    optional_phrases: list[str] = field(default_factory=list[str])
    excluded: list[str] = field(default_factory=list[str])
    excluded_phrases: list[str] = field(default_factory=list[str])
    profiles: list[str] = field(default_factory=list[str])
    excluded_profiles: list[str] = field(default_factory=list[str])
    warnings: list[QueryWarning] = field(default_factory=list[QueryWarning])

    def visit(self, node: Node, *, wanted: bool, in_either: bool) -> None:
        """Collect the words, phrases and profiles below `node`."""
        match node:
            case Word(text):
                self._word(text, wanted)
            case Phrase(text):
                self._phrase(text, wanted, in_either)
            case InProfile(name):
                (self.profiles if wanted else self.excluded_profiles).append(name)
            case Exclude(part):
                self._warn_of_narrowing(part)
                self.visit(part, wanted=not wanted, in_either=in_either)
            case Every(parts):
                for part in parts:
                    self.visit(part, wanted=wanted, in_either=in_either)
            case Either(parts):
                for part in parts:
                    self.visit(part, wanted=wanted, in_either=True)
            case Where():
                pass

    def _word(self, text: str, wanted: bool) -> None:
        (self.words if wanted else self.excluded).append(text)
        if wanted:
            self.text.append(text)

    def _phrase(self, text: str, wanted: bool, in_either: bool) -> None:
        if not wanted:
            self.excluded_phrases.append(text)
            return
        (self.optional_phrases if in_either else self.phrases).append(text)
        self.text.append(text)

    def _warn_of_narrowing(self, part: Node) -> None:
        if isinstance(part, Every) and sum(isinstance(inner, Word | Phrase) for inner in part.parts) > 1:
            message = (
                "An excluded group leaves out notes with ANY of its words; quote them to exclude them side by side."
            )
            self.warnings.append(QueryWarning("narrower-exclusion", message, 0, 0))

    def condition(self, node: Node, *, wanted: bool) -> NoteFilter | None:
        """The condition on notes in `node`; None where it has none, and so holds for every note."""
        match node:
            case Where(InVault(name)):
                return _signed(self._vault(name), wanted)
            case Where(condition):
                return _signed(condition, wanted)
            case Exclude(part):
                return self.condition(part, wanted=not wanted)
            case Either(parts) if wanted:
                conditions = self._conditions(parts, wanted)
                return _joined(conditions, AnyOf) if len(conditions) == len(parts) else None
            case Every(parts) | Either(parts):
                return _joined(self._conditions(parts, wanted), AllOf)
            case Word() | Phrase() | InProfile():
                return None

    def _conditions(self, parts: tuple[Node, ...], wanted: bool) -> list[NoteFilter]:
        return [found for part in parts if (found := self.condition(part, wanted=wanted)) is not None]

    def _vault(self, name: str) -> NoteFilter:
        ids = self.vault_ids(name)
        if not ids:
            message = "No vault that can be searched has this name."
            self.warnings.append(QueryWarning("unknown-vault", message, 0, 0))
        return AnyOf(tuple(InVault(vault) for vault in ids))


def _signed(condition: NoteFilter, wanted: bool) -> NoteFilter:
    return condition if wanted else Not(condition)


def _joined(conditions: list[NoteFilter], how: type[AllOf] | type[AnyOf]) -> NoteFilter | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return how(tuple(conditions))
