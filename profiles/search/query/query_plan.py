"""A parsed query, sorted into what ranks notes and what is demanded of them."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scrubjay.profiles.search.query.query_tree import (
    Either,
    Every,
    Exclude,
    InProfile,
    Node,
    Phrase,
    Query,
    QueryWarning,
    Where,
    Word,
)
from scrubjay.profiles.search.words.analysis import phrase_terms, query_terms
from scrubjay.profiles.store.filters import AllOf, AnyOf, HasText, InVault, Not, NoteFilter

VaultIds = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Demand:
    """A condition that notes must fulfil, and where it stands in the query: code points, end exclusive."""

    condition: NoteFilter
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What the legs search for.

    Words rank and never filter: a note that lacks one is found lower down. Filters, phrases and exclusions are
    demanded. Under `OR`, if any branch demands something, each does: of a branch of words alone, one of the words.
    """

    text: str  # the words and phrases as a sentence, for the semantic leg; "" where only filters were given
    words: tuple[str, ...]  # full-width letters and the like folded, here and in `text` and `phrases`
    phrases: tuple[str, ...]  # that rank, demanded or not
    share: float  # of the words and phrases, that a note has which says all it is asked for: one side of each OR
    demands: tuple[Demand, ...]
    profiles: tuple[InProfile, ...]  # named with profile:, empty where none was
    excluded_profiles: tuple[InProfile, ...]
    warnings: tuple[QueryWarning, ...]
    sort: str = ""  # what the query's own `sort:` names

    @property
    def where(self) -> NoteFilter | None:
        """Everything that a note must fulfil, for both legs alike; None where nothing is demanded."""
        return _joined([demand.condition for demand in self.demands], AllOf)

    @property
    def is_list(self) -> bool:
        """Whether it asks for all notes that fulfil something, or are in a profile or an order, and for no words."""
        named = (*self.profiles, *self.excluded_profiles)
        return not self.text and bool(self.demands or named or self.sort)

    @property
    def only_excludes(self) -> bool:
        """Whether it asks for all notes but some."""
        return self.is_list and all(isinstance(each.condition, Not) for each in self.demands) and bool(self.demands)


def plan_query(query: Query, vault_ids: VaultIds) -> QueryPlan:
    """Sort the tree. `vault_ids` gives the ids of the vaults of a name; of none, nothing matches, with a warning."""
    sorter = _Sorter(vault_ids)
    sorter.collect(query.tree, wanted=True)
    demands = tuple(
        Demand(condition, *part.span)
        for part in _leaves(query.tree)
        if (condition := sorter.demanded(part)) is not None
    )
    return QueryPlan(
        text=" ".join(sorter.text),
        words=tuple(sorter.words),
        phrases=tuple(sorter.phrases),
        share=_most_words(query.tree) / max(1, len(sorter.words) + len(sorter.phrases)) or 1.0,
        demands=demands,
        profiles=tuple(sorter.profiles),
        excluded_profiles=tuple(sorter.excluded_profiles),
        warnings=(*query.warnings, *sorter.warnings),
        sort=query.sort,
    )


def _most_words(node: Node) -> int:
    """How many of the wanted words and phrases a note says that says one side of each `OR`."""
    match node:
        case Word() | Phrase():
            return 1
        case Every(parts):
            return sum(map(_most_words, parts))
        case Either(parts):
            return max(map(_most_words, parts))
        case _:
            return 0


def _leaves(node: Node) -> Iterator[Node]:
    """The parts that are wanted together, out of their groups."""
    if isinstance(node, Every):
        for part in node.parts:
            yield from _leaves(part)
    else:
        yield node


@dataclass(slots=True)
class _Sorter:
    vault_ids: VaultIds
    text: list[str] = field(default_factory=list[str])
    words: list[str] = field(default_factory=list[str])
    phrases: list[str] = field(default_factory=list[str])
    profiles: list[InProfile] = field(default_factory=list[InProfile])
    excluded_profiles: list[InProfile] = field(default_factory=list[InProfile])
    warnings: list[QueryWarning] = field(default_factory=list[QueryWarning])

    def collect(self, node: Node, *, wanted: bool) -> None:
        """Take the words and phrases that rank, and the profiles, below `node`."""
        match node:
            case Word(text) | Phrase(text) if wanted:
                folded = unicodedata.normalize("NFKC", text)
                (self.words if isinstance(node, Word) else self.phrases).append(folded)
                self.text.append(folded)
            case InProfile():
                (self.profiles if wanted else self.excluded_profiles).append(node)
            case Exclude(part):
                self.collect(part, wanted=not wanted)
            case Every(parts) | Either(parts):
                if isinstance(node, Either):
                    self._warn_of_profiles(parts)
                for part in parts:
                    self.collect(part, wanted=wanted)
            case Word() | Phrase() | Where():
                pass

    def _warn_of_profiles(self, branches: Sequence[Node]) -> None:
        named = [next((leaf for leaf in _leaves(branch) if isinstance(leaf, InProfile)), None) for branch in branches]
        first = next((leaf for leaf in named if leaf is not None), None)
        if first is not None and None in named:
            message = "profile: beside OR holds for the whole query, not for its own side alone."
            self.warnings.append(QueryWarning("profile-in-or", message, *first.span))

    def demanded(self, node: Node) -> NoteFilter | None:
        """What a note must fulfil for a wanted `node`; None where it demands nothing, since words rank only."""
        match node:
            case Word():
                return None
            case Every(parts):
                return _joined(self._known(map(self.demanded, parts)), AllOf)
            case Either(parts):
                conditions = [self.demanded(part) for part in parts]
                if not any(conditions):
                    return None
                ways = (found or _any_word(part) for part, found in zip(parts, conditions, strict=True))
                return _joined(self._known(ways), AnyOf)
            case _:
                return self._holds(node)

    def _holds(self, node: Node) -> NoteFilter | None:
        """The condition that notes described by `node` fulfil; None where it describes any."""
        condition: NoteFilter | None = None
        match node:
            case Word(text) | Phrase(text):
                condition = HasText(text) if phrase_terms(text) else None
            case Where(InVault(name)):
                condition = self._in_vault(name, node)
            case Where():
                condition = node.condition
            case Exclude(part):
                inner = self._holds(part)
                condition = None if inner is None else Not(inner)
            case Every(parts):
                condition = _joined(self._known(map(self._holds, parts)), AllOf)
            case Either(parts):
                condition = _joined(self._known(map(self._holds, parts)), AnyOf)
            case InProfile():
                pass
        return condition

    def _known(self, conditions: Iterator[NoteFilter | None]) -> list[NoteFilter]:
        return [condition for condition in conditions if condition is not None]

    def _in_vault(self, name: str, node: Node) -> NoteFilter:
        ids = self.vault_ids(name)
        if not ids:
            message = "No vault that can be searched has this name."
            self.warnings.append(QueryWarning("unknown-vault", message, *node.span))
        return AnyOf(tuple(InVault(vault) for vault in ids))


def _any_word(node: Node) -> NoteFilter | None:
    """That a note holds one of the words of a branch that demands nothing; not of its stop words, if it has others."""
    words = [leaf.text for leaf in _words(node)]
    telling = set(query_terms(" ".join(words)))
    conditions: list[NoteFilter] = [HasText(word) for word in words if telling.intersection(query_terms(word))]
    return _joined(conditions, AnyOf)


def _words(node: Node) -> Iterator[Word]:
    match node:
        case Word():
            yield node
        case Every(parts) | Either(parts):
            for part in parts:
                yield from _words(part)
        case _:
            pass


def _joined(conditions: list[NoteFilter], how: type[AllOf] | type[AnyOf]) -> NoteFilter | None:
    different = tuple(dict.fromkeys(conditions))
    if len(different) < 2:
        return different[0] if different else None
    return how(different)
