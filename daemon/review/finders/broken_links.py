"""Links that lead nowhere, and the note that was probably meant, by how alike names are."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from math import log
from sys import intern
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.link_style import ADDRESS_SAFE
from scrubjay.daemon.review.finders.link_view import FollowedLink, LinkView
from scrubjay.daemon.review.finders.mentions import file_name
from scrubjay.daemon.review.memos import Part, digest_of
from scrubjay.daemon.review.proposal import Change, Kind, Option
from scrubjay.daemon.review.review_notes import NoteBody, ReviewNotes, body_of
from scrubjay.profiles.names import fold, link_key
from scrubjay.profiles.search.results.plain_text import ADDRESS
from scrubjay.profiles.search.words.analysis import UNSPACED
from scrubjay.profiles.store.note_texts import StoredNote, beginnings_of
from scrubjay.profiles.store.rows import LinkRow

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DATE = re.compile(r"^\s*(?:19|20)\d\d-?\d\d-?\d\d(?:\d{4})?[\s_.-]+(?=\S)")
_LOOKED_AT = 60  # names that share most with one are compared with it letter by letter
_LETTERS = 0.5  # weight of the letters beside the words
_MISTYPED = 0.95  # likeness of names that differ in a letter, if they are long
_UNEQUAL = 0.96  # of names with other words, at most
_CLOSE = 1e-9  # by so much two ways to reckon a likeness may differ
_KINDS, _MOST_COUNTED = 32, 255  # of letters: the last five bits tell those of an alphabet apart
_ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ies|es|s|y)$")


@dataclass(frozen=True, slots=True)
class LinkName:
    """A name, taken apart. Small: of a large vault, some hundred thousand are kept at once."""

    written: str
    words: tuple[str, ...]  # folded, without what makes a plural of them and without a date before them

    @staticmethod
    def of(written: str) -> "LinkName":
        """A name as it is written."""
        found = _WORD.findall(fold(_CAMEL.sub(" ", _DATE.sub("", written))))
        return LinkName(written, tuple(intern(_ENDINGS.sub("", word)) for word in found))

    @property
    def letters(self) -> str:
        """Its words as one. Made each time, as the two below."""
        return "".join(self.words)

    def grams(self) -> Counter[str]:
        """How often it has each run of three letters, ends marked; of two in scripts without spaces."""
        marked = f"^{self.letters}$"
        size = 2 if UNSPACED.search(marked) else 3
        return Counter(marked[at : at + size] for at in range(max(len(marked) - size + 1, 1)))

    def different_words(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset(self.words)


class NameIndex:
    """Many names, to be compared with one after the other."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [LinkName.of(written) for written in names]
        postings: dict[str, array[int]] = {}
        different = array("d")
        self._totals = array("I")  # runs of letters of each
        self._repeated: dict[int, Mapping[str, int]] = {}
        counts, lengths = bytearray(), array("q")
        for number, name in enumerate(self._names):
            grams, letters = name.grams(), name.letters
            counts += _letter_counts(letters).tobytes()
            lengths.append(len(letters))
            for gram in grams:
                postings.setdefault(gram, array("i")).append(number)
            different.append(len(grams))
            self._totals.append(grams.total())
            if repeated := _repeated(grams):
                self._repeated[number] = repeated
        self._postings = {gram: np.array(numbers, dtype=np.int32) for gram, numbers in postings.items()}
        self._sizes = np.array(different)
        self._letters = np.frombuffer(counts, np.uint8).reshape(-1, _KINDS)
        self._lengths = np.frombuffer(lengths, np.int64)
        frequencies = Counter(word for name in self._names for word in set(name.words))
        self._weights = {word: log(1 + len(self._names) / count) for word, count in frequencies.items()}
        self._own_weights = array("d", (self._weight(name.different_words()) for name in self._names))

    def nearest(self, written: str, limit: int, least: float = 0.0) -> list[tuple[int, float]]:
        """The names nearest to one, by their numbers, with the likeness (0 to 1), best first; equal ones in order.

        least: where surely none of them has this likeness, none is given.
        """
        name = LinkName.of(written)
        grams, letters, words = name.grams(), name.letters, name.different_words()
        found = [self._postings[gram] for gram in grams if gram in self._postings]
        if not found or not letters:
            return []
        shared = np.bincount(np.concatenate(found), minlength=len(self._names))
        alike = 2 * shared / (self._sizes + len(grams))
        if len(alike) > _LOOKED_AT:  # the first of them need not be sorted among all
            likely = np.flatnonzero(alike >= np.partition(alike, -_LOOKED_AT)[-_LOOKED_AT])
        else:
            likely = np.arange(len(alike))
        best = likely[np.argsort(-alike[likely], kind="stable")][:_LOOKED_AT]
        best = best[alike[best] > 0]
        numbers: list[int] = best.tolist()
        counts: list[int] = shared[best].tolist()
        bounds: list[float] = self._bounds(name, best).tolist()
        pairs = list(zip(numbers, counts, bounds, strict=True))
        known, weight = self._names, self._weight(words)
        enough = min(least, _MISTYPED) - _CLOSE
        if least > _LETTERS and not any(
            bound >= enough or not words.isdisjoint(known[number].words) for number, _, bound in pairs
        ):
            return []  # without a word in common, letters alone are worth no more than their weight
        rated = [(number, *self._rated(name, grams, weight, number, count, bound)) for number, count, bound in pairs]
        if least and max(at_most for _, _, at_most in rated) < least - _CLOSE:
            return []
        in_common = _InCommon(letters)
        rated = [
            (number, surely, max(surely, min(at_most, in_common.typo(known[number].letters))))
            for number, surely, at_most in rated
        ]
        rated.sort(key=lambda each: -each[2])
        nearest: list[tuple[float, int]] = []
        for number, surely, at_most in rated:
            if at_most < least - _CLOSE and not (nearest and -nearest[0][0] >= least - _CLOSE):
                return []
            if len(nearest) == limit and at_most < -nearest[-1][0]:
                break  # neither this one nor any that follows is as near
            likeness = surely
            if at_most > surely:
                likeness = min(max(surely, _typo(letters, known[number].letters)), _UNEQUAL)
            nearest = sorted((*nearest, (-likeness, number)))[:limit]
        return [(number, -negative) for negative, number in nearest]

    def _rated(
        self, name: LinkName, grams: Counter[str], weight: float, number: int, shared: int, bound: float
    ) -> tuple[float, float]:
        """The likeness of a name to that of a number: what it is at least, and what at most.

        The same words in any order are .97, the same letters .98, as they are written 1. grams: the name's;
        weight: of its words. shared: how many different runs of letters both have. bound: how likely one is the other
        mistyped, at most.
        """
        other = self._names[number]
        if name.written == other.written:
            return 1.0, 1.0
        if len(name.letters) == self._lengths[number] and name.letters == other.letters:
            return 0.98, 0.98
        if len(name.words) == len(other.words) and sorted(name.words) == sorted(other.words):
            return 0.97, 0.97
        again = 0
        if number in self._repeated and len(grams) < grams.total():
            theirs = self._repeated[number]
            again = sum(min(count, theirs.get(gram, 1)) - 1 for gram, count in _repeated(grams).items())
        letters = 2 * (shared + again) / max(grams.total() + self._totals[number], 1)
        both = name.different_words().intersection(other.words)
        words = 2 * self._weight(both) / max(weight + self._own_weights[number], 1e-9) if both else 0.0
        mixed = min((1 - _LETTERS) * words + _LETTERS * letters, _UNEQUAL)
        return mixed, min(max(mixed, bound), _UNEQUAL) if letters > 0.2 else mixed

    def _bounds(self, name: LinkName, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """How likely one name is each of these mistyped, at most: by how often each has each letter."""
        counts = _letter_counts(name.letters)
        common = np.minimum(self._letters[numbers], counts).sum(axis=1, dtype=np.int64)
        is_full = (counts == _MOST_COUNTED).any() | (self._letters[numbers] == _MOST_COUNTED).any(axis=1)
        ratios = np.where(is_full, 1.0, 2 * common / (self._lengths[numbers] + len(name.letters)))
        return _MISTYPED * ratios ** _power(name.letters) + _CLOSE

    def _weight(self, words: frozenset[str]) -> float:
        return sum(self._weights.get(word, log(1 + len(self._names))) for word in words)


def _repeated(grams: Mapping[str, int]) -> Mapping[str, int]:
    return {gram: count for gram, count in grams.items() if count > 1}


def _letter_counts(letters: str) -> NDArray[np.uint8]:
    """How often a text has letters whose numbers leave the same remainder, shape (_KINDS,); `_MOST_COUNTED` at most."""
    kinds = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), "<u4") % np.uint32(_KINDS)
    return np.minimum(np.bincount(kinds, minlength=_KINDS), _MOST_COUNTED).astype(np.uint8)


class _InCommon:
    """How many letters other texts have in common with one, in their order: their longest common subsequence.

    By bits, a letter of the other a step (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004). What
    `SequenceMatcher` matches is such a sequence, too.
    """

    def __init__(self, letters: str) -> None:
        self._letters = letters
        self._places: dict[str, int] = {}
        for at, letter in enumerate(letters):
            self._places[letter] = self._places.get(letter, 0) | 1 << at

    def typo(self, other: str) -> float:
        """What `_typo` of the other is at most."""
        places = self._places
        left = (1 << len(self._letters)) - 1
        for letter in other:
            if here := places.get(letter, 0) & left:
                left = left + here | left - here
        count = len(self._letters) - (left & (1 << len(self._letters)) - 1).bit_count()
        ratio = 2 * count / max(len(self._letters) + len(other), 1)
        return float(_MISTYPED * ratio ** _power(self._letters)) + _CLOSE


def _power(letters: str) -> float:
    """In scripts without spaces a letter is as good as a syllable."""
    return 1.0 if UNSPACED.search(letters) else 1.5


def _typo(one: str, other: str) -> float:
    """How likely one is the other mistyped."""
    return float(_MISTYPED * SequenceMatcher(None, one, other, autojunk=False).ratio() ** _power(one))


PROPOSED_FROM = 0.78
"""Likeness of names. Of 200 notes renamed in a real vault, see docs/decisions/0029-review-finders.md."""
HINT_FROM = 5
"""Notes that link to a name that is like none: then it is worth a note of its own."""
_NEAREST = 12  # names looked at for each target
_CANDIDATES = 3  # offered
_SAME_FOLDER, _UNLINKED = 0.02, 0.03
_WEIGHTS = {"name": 1.0, "alias": 1.0, "title": 0.97, "heading": 0.95}
_SHORTEST_MISSPELT = 5  # letters of a word of which one may be wrong: short words are one letter from each other
_TARGETS_AT_ONCE = 500  # for whose proposals the texts of notes are read together
_MOST_LINKS = 500  # of one target that are changed by one proposal
_TEMPLATE = re.compile(r"<%|\{\{|[*?<>\"]|^\W*$|^\(?\w+://")
_ATTACHMENT = re.compile(r"\.(?!md$|markdown$)[A-Za-z][A-Za-z0-9]{1,9}$")
_HEADING = re.compile(r"^# ([^\n]+)", re.MULTILINE)
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n]+)\]\]"
    rf"|\[[^\[\]\n]*(?:\[[^\[\]\n]*\][^\[\]\n]*)*\]\([ \t]*(?:<(?P<angle>[^<>\n]*)>|(?P<address>{ADDRESS}))[^()\n]*\)"
)


_NEAR_NAMES = Part("near names", list[list[tuple[int, float]]])


@dataclass(frozen=True, slots=True)
class TargetCandidate:
    """A note that may have been meant."""

    note: StoredNote
    likeness: float  # 0 to 1
    is_same: bool  # it alone has the name that the link says, or the one that it misspells


class BrokenLinks:
    """Finds links that lead nowhere."""

    kinds: tuple[Kind, ...] = ("broken-link",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """One proposal a target: with notes to link to instead, or a hint where many notes want it."""
        view = notes.link_view
        for members in notes.by_vault.values():
            broken: defaultdict[str, list[FollowedLink]] = defaultdict(list)
            aliased: defaultdict[tuple[str, int], list[FollowedLink]] = defaultdict(list)
            for each in view.in_doubt(members):
                if not _may_be_a_note(each.link):
                    continue
                if each.target_id is None:
                    broken[link_key(each.link.target)].append(each)
                elif each.target_id in notes.by_id:
                    aliased[link_key(each.link.target), each.target_id].append(each)
            if broken or aliased:
                yield from _of_vault(notes, view, members, broken, aliased)


def _of_vault(
    notes: ReviewNotes,
    view: LinkView,
    members: Sequence[StoredNote],
    broken: Mapping[str, Sequence[FollowedLink]],
    aliased: Mapping[tuple[str, int], Sequence[FollowedLink]],
) -> Iterator[FoundProposal]:
    known = _KnownNames(members, _first_headings(notes, members), view.linked)
    meant: list[tuple[Sequence[FollowedLink], list[TargetCandidate]]] = [
        (links, [TargetCandidate(notes.by_id[target_id], 1.0, is_same=False)])
        for (_, target_id), links in sorted(aliased.items())
    ]
    firsts: defaultdict[int, list[str]] = defaultdict(list)  # by note: the targets whose first link it has
    for _, links in sorted(broken.items()):
        firsts[links[0].note_id].append(links[0].link.target)
    likely: dict[str, list[tuple[int, float]]] = {}
    for note_id, near in notes.memos.of(
        _NEAR_NAMES,
        (notes.by_id[note_id] for note_id in firsts),
        lambda note: (known.digest, firsts[note.note_id]),
        lambda some: ((note.note_id, [known.near(target) for target in firsts[note.note_id]]) for note in some),
    ):
        likely |= zip(firsts[note_id], near, strict=True)
    for _, links in sorted(broken.items()):
        sources = {each.note_id for each in links}
        candidates = known.candidates(links[0].link.target, likely[links[0].link.target], sources)
        if candidates and candidates[0].likeness >= PROPOSED_FROM:
            meant.append((links, candidates))
        elif len(sources) >= HINT_FROM:
            meant.append((links, []))
    for start in range(0, len(meant), _TARGETS_AT_ONCE):
        some = meant[start : start + _TARGETS_AT_ONCE]
        fixer = _Fixer(notes, view, _bodies(notes, {each.note_id for links, _ in some for each in links}))
        for links, candidates in some:
            if found := fixer.proposal(links, candidates) if candidates else fixer.hint(links):
                yield found


def _bodies(notes: ReviewNotes, note_ids: set[int]) -> dict[int, NoteBody]:
    return {
        note_id: body_of(passages, notes.by_id[note_id].title) for note_id, passages in notes.passages(sorted(note_ids))
    }


class _KnownNames:
    """The names of a vault's notes, to find the nearest to a target."""

    def __init__(self, members: Sequence[StoredNote], headings: Mapping[int, str], linked: Container[int]) -> None:
        self._linked = linked
        named: list[tuple[str, str, StoredNote]] = []
        for note in members:
            named.append((file_name(note.path), "name", note))
            named += [(alias, "alias", note) for alias in note.aliases]
            named += [(note.title, "title", note)] if note.title != file_name(note.path) else []
            named += [(headings[note.note_id], "heading", note)] if note.note_id in headings else []
        self._named = named

    @cached_property
    def digest(self) -> bytes:
        """A digest of all that `near` depends on beside its target: the names, in their order."""
        return digest_of([name for name, _, _ in self._named])

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex([name for name, _, _ in self._named])

    def near(self, target: str) -> list[tuple[int, float]]:
        """The names nearest to a target's, by their numbers, as `NameIndex.nearest` gives them."""
        return self._index.nearest(file_name(target), _NEAREST, PROPOSED_FROM - _SAME_FOLDER - _UNLINKED)

    def _same(self, wanted: str, near: Sequence[tuple[int, float]]) -> set[int]:
        """The notes that have the same name as is wanted; where there are none, those of which it is misspelt."""
        named = [self._named[number] for number, _ in near]
        names = [(name, note.note_id) for name, kind, note in named if kind == "name"]
        return {note_id for name, note_id in names if _is_same_name(wanted, name)} or {
            note_id for name, note_id in names if _is_misspelt(wanted, name)
        }

    def candidates(self, target: str, near: Sequence[tuple[int, float]], sources: set[int]) -> list[TargetCandidate]:
        """The notes that a target may mean, best first. near: as of `near`.

        sources: the notes that link to it; none of them is meant.
        """
        path = link_key(target.strip("/"))
        folder = path.rpartition("/")[0].replace("../", "").replace("./", "")
        wanted = file_name(target)
        same = self._same(wanted, near)
        best: dict[int, TargetCandidate] = {}
        for number, likeness in near:
            _, kind, note = self._named[number]
            if sources == {note.note_id}:
                continue
            own = link_key(note.path).rpartition("/")[0]
            bonus = _SAME_FOLDER if folder and own.endswith(folder) else 0.0
            bonus += _UNLINKED if note.note_id not in self._linked else 0.0
            score = likeness * _WEIGHTS[kind] + bonus
            if note.note_id not in best or score > best[note.note_id].likeness:
                best[note.note_id] = TargetCandidate(note, score, is_same=same == {note.note_id})
        return sorted(best.values(), key=lambda each: (-each.likeness, each.note.path))[:_CANDIDATES]


class _Fixer:
    """Makes proposals of links and the notes that they should lead to."""

    def __init__(self, notes: ReviewNotes, view: LinkView, bodies: Mapping[int, NoteBody]) -> None:
        self._notes = notes
        self._view = view
        self._bodies = bodies

    def proposal(self, links: Sequence[FollowedLink], candidates: Sequence[TargetCandidate]) -> FoundProposal | None:
        """A proposal with an option for each candidate; None where no link can be changed."""
        options: list[Option] = []
        others: list[TargetCandidate] = []
        for candidate in candidates:
            changes = [self._change(each, candidate.note) for each in links[:_MOST_LINKS]]
            kept = tuple(dict.fromkeys(change for change in changes if change is not None))
            if kept:
                score = round(min(candidate.likeness, 1.0), 3)
                label = candidate.note.path.removesuffix(".md")
                chosen = candidate.is_same and not options
                options.append(Option(id=candidate.note.path, label=label, changes=kept, chosen=chosen, score=score))
                others.append(candidate)
        if not options:
            return None
        first = links[0]
        return FoundProposal(
            kind="broken-link",
            note=self._notes.by_id[first.note_id],
            subject=link_key(first.link.target),
            rests_on=(),
            line=first.link.line,
            quote=self._quote(first),
            detail=first.link.target,
            others=tuple(self._notes.other(each.note, score=round(min(each.likeness, 1.0), 3)) for each in others),
            options=tuple(options),
            strength=options[0].score,
        )

    def hint(self, links: Sequence[FollowedLink]) -> FoundProposal:
        """That many notes link to a name which no note is like."""
        first = links[0]
        sources = dict.fromkeys(each.note_id for each in links)
        return FoundProposal(
            kind="broken-link",
            note=self._notes.by_id[first.note_id],
            subject=link_key(first.link.target),
            rests_on=(),
            line=first.link.line,
            quote=self._quote(first),
            detail=first.link.target,
            others=tuple(self._notes.other(self._notes.by_id[note_id]) for note_id in list(sources)[:20]),
            strength=0.0,
        )

    def _quote(self, each: FollowedLink) -> str:
        body = self._bodies.get(each.note_id)
        return body.line(each.link.line).strip() if body else ""

    def _change(self, each: FollowedLink, target: StoredNote) -> Change | None:
        note = self._notes.by_id[each.note_id]
        body = self._bodies.get(each.note_id, NoteBody((), frozenset()))
        line = body.line(each.link.line)
        if MARK_START in line:  # it would be refused, and all other notes' changes with it
            return None
        found = _as_written(line, each.link) if line else _unseen(each.link)
        if found is None:
            return None
        before, old, is_markdown = found
        absolute = "/" in each.link.target
        path = self._view.writer.path(each.note_id, target.note_id, markdown=is_markdown, absolute=absolute)
        if path is None:
            return None
        after = _replaced(before, old, path, each.link, in_table=body.is_in_table(each.link.line))
        column = body.place(each.link.line, line.index(before) + 1, before) if line else 0
        if column is None or after == before:
            return None
        return Change(
            action="replace",
            vault=self._notes.vault_name(note),
            path=note.path,
            line=each.link.line,
            column=column,
            before=before,
            after=after,
        )


def _may_be_a_note(link: LinkRow) -> bool:
    """Whether a link's target may be a note's: no attachment, no part of a template, no secret."""
    target = link.target
    return not (not target or _ATTACHMENT.search(target) or _TEMPLATE.search(target) or MARK_START in target)


def _as_written(line: str, link: LinkRow) -> tuple[str, str, bool] | None:
    """The first such link in its line: as written, what of it is the target, and whether it is a Markdown link."""
    for match in _LINK.finditer(line):
        if match["wiki"] is not None:
            old = re.split(r"[#|]", match["wiki"].replace("\\|", "|"), maxsplit=1)[0]
            if old.strip() == link.target:
                return match[0], old, False
            continue
        address = match["angle"] if match["angle"] is not None else match["address"]
        old = address.partition("#")[0]
        if unquote(old).strip() == link.target:
            return match[0], old, True
    return None


def _unseen(link: LinkRow) -> tuple[str, str, bool] | None:
    """The same for a line that is not in the index: only what is certain to stand there."""
    if link.kind == "embed":
        return None
    if link.kind == "markdown":
        old = quote(link.target, safe=ADDRESS_SAFE) if " " in link.target else link.target
        return f"]({old}", old, True
    if not link.text and not link.heading and not link.block:
        return f"[[{link.target}]]", link.target, False
    return f"[[{link.target}", link.target, False


def _replaced(before: str, old: str, path: str, link: LinkRow, *, in_table: bool) -> str:
    """The link with another target. A bare link goes on to show what it showed, unless the name was but misspelt."""
    if before.startswith("["):
        if before.endswith(f"[[{old}]]") and _is_another_name(file_name(link.target), file_name(path)):
            bar = "\\|" if in_table else "|"
            return f"[[{path}{bar}{old.strip()}]]"
        if before.startswith("[["):
            return before.replace(f"[[{old}", f"[[{path}", 1)
    at = before.rindex(f"({old}") if f"({old}" in before else before.rindex(f"<{old}")
    written = path if before[at] == "<" else quote(path, safe=ADDRESS_SAFE)
    return before[: at + 1] + written + before[at + 1 + len(old) :]


def _is_another_name(old: str, new: str) -> bool:
    """Whether two names have no word in common, so that a text with one of them would read oddly with the other."""
    return not _words(old) & _words(new)


def _is_same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case and for what parts their words."""
    return _letters(one) == _letters(other) != ""


def _is_misspelt(one: str, other: str) -> bool:
    """Whether two names differ inside one long word: a letter more, less, other, or two in each other's place.

    A number is never another one misspelt. With another end or beginning it is mostly another word: *Language* and
    *languages*, *Russia* and *Russian*.
    """
    words, others = _parts(one), _parts(other)
    different = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(different) != 1 or min(map(len, different[0])) < _SHORTEST_MISSPELT:
        return False
    mine, theirs = different[0]
    start = _in_common(mine, theirs)
    end = _in_common(mine[start:][::-1], theirs[start:][::-1])
    left, right = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    if not start or not end or any(character.isdecimal() for character in left + right):
        return False
    return max(len(left), len(right)) == 1 or (len(left) == 2 and left == right[::-1])


def _in_common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _letters(name: str) -> str:
    """A name without what parts its words. Signs stay: *🗂️ People* is another name than *People*."""
    return re.sub(r"[\s_.,:;'’()-]+", "", fold(name))


def _parts(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold(name))


def _words(name: str) -> set[str]:
    """Words, and the letters of scripts without spaces."""
    return {part for word in _parts(name) for part in (word if UNSPACED.search(word) else (word,))}


def _first_headings(notes: ReviewNotes, members: Sequence[StoredNote]) -> dict[int, str]:
    """Of each note its first outermost heading, if it may have been its name: words that no other note begins with."""
    found: dict[int, str] = {}
    for note_id, text, outermost in beginnings_of(notes.store, [note.note_id for note in members]):
        written = _HEADING.search(text)
        if heading := outermost or (written[1].strip() if written else ""):
            found[note_id] = heading
    common = Counter(_letters(heading) for heading in found.values())
    return {
        note_id: heading
        for note_id, heading in found.items()
        if common[_letters(heading)] == 1 and len(_words(heading)) > 1
    }
