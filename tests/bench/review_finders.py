"""`python -m tests.bench.review_finders --vault PATH [--kept FOLDER]`: how good the review's proposals are on a vault.

What is known to be right is hidden from the finders: links are replaced by their text, notes renamed behind the back of
their links, tags taken off. The vault is indexed with the bundled model; `--kept` keeps that index for the next time.
"""

import argparse
import random
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.links.link_graph import from_edges, load_graph
from scrubjay.daemon.links.link_resolver import NoteName, Resolver
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.review.finder import Finder, FoundProposal
from scrubjay.daemon.review.finders.broken_links import BrokenLinks
from scrubjay.daemon.review.finders.missing_links import MissingLinks
from scrubjay.daemon.review.finders.tag_forms import TagForms
from scrubjay.daemon.review.finders.untagged import Untagged
from scrubjay.daemon.review.link_map import articulations, communities, link_map
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.daemon.vault.markdown.markup import read_markup
from scrubjay.daemon.vault.read import RawNote, decode
from scrubjay.profiles.names import fold, link_key
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.note_texts import stored_notes
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store
from tests.bench.running import print_figures
from tests.helpers.indexed_vault import VAULT_ID, index_vault

LINKS, RENAMED, TAGGED, UNWRITTEN = 500, 200, 300, 300
_SEED = 1
_LINK = re.compile(r"(?<!!)\[\[[^\[\]\n]+\]\]|(?<!!)\[[^\[\]\n]+\]\([^()\s]+\)")
_HIDDEN_TAGS = re.compile(r"(?<!\S)#[^\s#]+")
_FIGURES = dict[str, object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bench:
    """A vault and its index."""

    root: Path
    store: Path
    rng: random.Random

    @contextmanager
    def opened(self, changed: Mapping[str, str] | None = None, gone: Iterable[str] = ()) -> Generator[ReviewNotes]:
        """The notes, after some were written anew or added, and others were deleted."""
        with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as folder:
            copy = Path(folder) / self.store.name
            shutil.copy(self.store, copy)
            store = FileStore.open(copy)
            ids = {note.path: note.note_id for note in stored_notes(store)}
            with store.writing() as writer:
                writer.forget_notes([ids[path] for path in gone])
            _put(store, changed or {})
            graph = load_graph(store).frozen()
            yield ReviewNotes(stored_notes(store), graph, {VAULT_ID: self.root.name}, time.time_ns(), store)
            store.close()

    def text(self, path: str) -> str:
        """A note as it is on disk, with plain line ends."""
        return decode((self.root / path).read_bytes())


def _put(store: Store, texts: Mapping[str, str]) -> None:
    context = PrepareContext(bytes(32), BUILT_IN, TokenCounter(BUNDLED).count_many, BUNDLED.max_tokens)
    raws = [RawNote(VAULT_ID, path, text, len(text), 1, fold(text).encode()[:16]) for path, text in texts.items()]
    for start in range(0, len(raws), 100):
        with store.writing() as writer:
            for bundle in prepare_many(raws[start : start + 100], context):
                if isinstance(bundle, NoteBundle):
                    writer.put_note(bundle)


def _timed(call: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    return call(), round(time.process_time() - began, 2)


def as_it_is(bench: Bench) -> _FIGURES:
    """How many proposals there are, what they cost, and whether what they would change stands where they say."""
    figures: _FIGURES = {}
    finders: tuple[Finder, ...] = (MissingLinks(), BrokenLinks(), Untagged(), TagForms())
    with bench.opened() as notes:
        figures["notes"] = len(notes.notes)
        all_found: list[FoundProposal] = []
        for finder in finders:
            found, seconds = _timed(lambda finder=finder: list(finder.find(notes)))
            figures[f"{finder.kinds[0]}: proposals, CPU s"] = f"{len(found)}, {seconds}"
            all_found += found
        titles = {note.note_id: note.title for note in notes.notes}
        figures["map: CPU s"] = _timed(lambda: link_map(notes.graph, titles, 40))[1]
    figures["changes that stand where they say (bar .99)"] = _placed(bench, all_found)
    return figures


def _placed(bench: Bench, found: Sequence[FoundProposal]) -> str:
    right = count = 0
    for change in (change for each in found for option in each.options for change in option.changes):
        if change.action == "replace":
            lines = bench.text(change.path).split("\n")
            line = lines[change.line - 1] if change.line <= len(lines) else ""
            at = change.column - 1
            stands = line[at:].startswith(change.before) if change.column else line.count(change.before) == 1
            right, count = right + stands, count + 1
    return f"{right / max(count, 1):.4f} of {count}"


def missing_links(bench: Bench) -> _FIGURES:
    """Links taken out, and proposed again. What else is proposed in the same notes counts as wrong, right or not."""
    with bench.opened() as notes:
        view = notes.link_view
        links = [
            (notes.by_id[each.note_id].path, each.link, notes.by_id[each.target_id].path)
            for each in view.links
            if each.link.kind != "embed" and each.target_id is not None and each.target_id != each.note_id
            if each.target_id in notes.by_id
        ]
    chosen = bench.rng.sample(links, min(LINKS, len(links)))
    by_note: defaultdict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for path, link, target in chosen:
        by_note[path].append((link.line, link.target, target))
    texts: dict[str, str] = {}
    gold: set[tuple[str, str]] = set()
    for path, taken in by_note.items():
        lines = bench.text(path).split("\n")
        for line, written, target in taken:
            without = _without_link(lines[line - 1], written)
            if without is not None:
                lines[line - 1] = without
                gold.add((path, target))
        texts[path] = "\n".join(lines)
    with bench.opened(texts) as notes:
        found = {(each.note.path, each.subject) for each in MissingLinks().find(notes) if each.note.path in texts}
    return {
        "links taken out": len(gold),
        "proposed again (bar .6)": round(len(found & gold) / len(gold), 3),
        "precision in the notes they were in (bar .6)": round(len(found & gold) / max(len(found), 1), 3),
    }


def _without_link(line: str, target: str) -> str | None:
    for match in _LINK.finditer(line):
        for link in read_markup(match[0], 1, lambda text, _: text).links:
            if link.target == target:
                return line[: match.start()] + (link.text or target) + line[match.end() :]
    return None


def broken_links(bench: Bench) -> _FIGURES:
    """Notes renamed behind the back of their links; others deleted, whose links mean nothing any more."""
    with bench.opened() as notes:
        view = notes.link_view
        linked = sorted(
            {
                notes.by_id[each.target_id].path
                for each in view.links
                if each.link.kind != "embed" and each.target_id is not None and each.target_id != each.note_id
                if each.target_id in notes.by_id
            }
        )
        taken = {link_key(note.path) for note in notes.notes}
    bench.rng.shuffle(linked)
    renamed: dict[str, str] = {}
    for path in linked:
        new = _renamed(path, bench.rng)
        if link_key(new) not in taken and len(renamed) < RENAMED:
            renamed[path] = new
    gone = [path for path in linked if path not in renamed][:RENAMED]
    texts = {new: _with_former_name(bench.text(path), path, new) for path, new in renamed.items()}
    with bench.opened(texts, [*renamed, *gone]) as notes:
        found = {each.subject: each for each in BrokenLinks().find(notes)}
        before = Resolver(
            [
                *(NoteName(name.id, name.vault, name.path) for name in notes.graph.names),
                *(NoteName(-1 - at, VAULT_ID, path) for at, path in enumerate((*renamed, *gone))),
            ]
        )
        now = Resolver(NoteName(name.id, name.vault, name.path) for name in notes.graph.names)
        meant: dict[str, str] = {}
        for each in notes.link_view.links:
            name = NoteName(each.note_id, VAULT_ID, notes.by_id[each.note_id].path)
            target = before.resolve(each.link.target, name)
            if target is not None and target < 0 and now.resolve(each.link.target, name) is None:
                meant[link_key(each.link.target)] = (*renamed, *gone)[-1 - target]
    first = {target: each.options[0].id for target, each in found.items() if each.options}
    ticked = {target: each.options[0].id for target, each in found.items() if each.options and each.options[0].chosen}
    wanted = {target: renamed[path] for target, path in meant.items() if path in renamed}
    lost = [target for target, path in meant.items() if path not in renamed]
    right = sum(first.get(target) == path for target, path in wanted.items())
    return {
        "targets of renamed notes": len(wanted),
        "right note named first (bar .85)": round(right / len(wanted), 3),
        "wrong note named": sum(target in first and first[target] != path for target, path in wanted.items()),
        "a note named for targets of deleted notes": f"{sum(target in first for target in lost)} of {len(lost)}",
        "taken beforehand, targets of renamed notes": sum(target in ticked for target in wanted),
        "of these wrong": sorted((t, ticked[t]) for t, path in wanted.items() if ticked.get(t, path) != path),
        "taken beforehand, targets of deleted notes (all wrong)": sorted(
            (target, ticked[target]) for target in lost if target in ticked
        ),
    }


def links_without_a_target(bench: Bench) -> _FIGURES:
    """Links to what never was a note: words and pairs of words of the notes, as people write them in examples."""
    with bench.opened() as notes:
        paths = [note.path for note in notes.notes]
        resolver = Resolver(NoteName(name.id, name.vault, name.path, name.aliases) for name in notes.graph.names)
    words: list[str] = []
    for path in bench.rng.sample(paths, min(200, len(paths))):
        words += re.findall(r"[^\W\d_]{4,}", bench.text(path))
    somewhere = NoteName(0, VAULT_ID, "new/Links.md")
    made: list[str] = []
    while len(made) < UNWRITTEN:
        written = " ".join(bench.rng.sample(words, bench.rng.choice((1, 1, 2))))
        if resolver.resolve(written, somewhere) is None and written not in made:
            made.append(written)
    with bench.opened({"new/Links.md": "\n".join(f"- [[{written}]]" for written in made)}) as notes:
        found = [each for each in BrokenLinks().find(notes) if each.note.path == "new/Links.md" and each.options]
    return {
        "links to what never was": len(made),
        "a note named": len(found),
        "taken beforehand (all wrong)": sorted((f.detail, f.options[0].id) for f in found if f.options[0].chosen),
    }


def _renamed(path: str, rng: random.Random) -> str:
    """Another path for a note, as people rename: mistyped, moved, with words more, less or in another order."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    words = stem.split()
    at = rng.randrange(len(stem))
    ways = (
        stem[:at] + rng.choice("aeirst") + stem[at:],
        stem[:at] + stem[at + 1 :] if len(stem) > 4 else stem,
        stem.replace(" ", "-") if " " in stem else stem.replace("-", " "),
        " ".join(words[1:]) if len(words) > 2 else stem,
        rng.choice(("Guide to ", "My ", "The ", "Notes on ")) + stem,
        f"2023-0{rng.randint(1, 9)}-1{rng.randint(0, 9)} {stem}",
        " ".join(reversed(words)),
        stem.removesuffix("s") if stem.endswith("s") else f"{stem}s",
        f"{stem} - overview",
        f"{rng.choice(('Draft', 'Reference page', 'New note'))} {rng.randrange(1000)}",
    )
    new = rng.choice(ways).strip()
    if not new or link_key(new) == link_key(stem):
        return f"Moved/Archive/{name}"
    return f"{folder}/{new}.md" if folder else f"{new}.md"


def _with_former_name(text: str, path: str, new: str) -> str:
    """A note that was given quite another name still says the one that it had, in its heading."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    if not re.search(r"/(?:Draft|Reference page|New note) \d+\.md$", f"/{new}") or re.search("^# ", text, re.MULTILINE):
        return text
    front = re.match(r"---\n.*?\n---\n", text, re.DOTALL)
    end = front.end() if front else 0
    return f"{text[:end]}# {stem}\n\n{text[end:]}"


def tags(bench: Bench) -> _FIGURES:
    """Tags hidden, and proposed again."""
    with bench.opened() as notes:
        tagged = [note for note in notes.notes if note.tags]
    chosen = bench.rng.sample(tagged, min(TAGGED, len(tagged) // 2))
    truth = {note.path: {fold(tag) for tag in note.tags} for note in chosen}
    texts = {path: _without_tags(bench.text(path)) for path in truth}
    with bench.opened(texts) as notes:
        bare = {note.path for note in notes.notes if not note.tags and note.path in truth}
        _embed(notes.store)
        found = {each.note.path: each for each in Untagged().find(notes) if each.note.path in bare}
    proposed = [(path, fold(option.label)) for path, each in found.items() for option in each.options[:3]]
    right = sum(tag in truth[path] for path, tag in proposed)
    return {
        "notes with tags, hidden": f"{len(tagged)}, {len(bare)}",
        "precision@3 (bar .5, or nothing is shown)": round(right / len(proposed), 3) if proposed else "nothing shown",
        "coverage (bar .5)": round(len(found) / max(len(bare), 1), 3),
    }


def _without_tags(text: str) -> str:
    front = re.match(r"---\n.*?\n---\n", text, re.DOTALL)
    end = front.end() if front else 0
    head = re.sub(r"^tags?:[^\n]*\n(?:[ \t]*-[^\n]*\n)*", "", text[:end], flags=re.MULTILINE)
    return head + _HIDDEN_TAGS.sub("", text[end:])


def _embed(store: Store) -> None:
    embedder = InProcessEmbedder(BUNDLED)
    while pending := store.pending_embeddings(BUNDLED.fingerprint, 64):
        vectors = embedder.embed_passages([each.text for each in pending])
        with store.writing() as writer:
            writer.put_embeddings(BUNDLED.fingerprint, [each.digest for each in pending], vectors)


def large_map() -> _FIGURES:
    """The map's two parts on 100,000 notes with 400,000 links, four in five of them within 500 groups."""
    rng = np.random.default_rng(_SEED)
    count, links = 100_000, 400_000
    one = rng.integers(0, count, links)
    near = (one // 200) * 200 + rng.integers(0, 200, links)
    other = np.where(rng.random(links) < 0.8, near, rng.integers(0, count, links))
    both = from_edges(np.concatenate((one, other)), np.concatenate((other, one)), count, count)
    return {
        "communities of 100,000 notes: CPU s": _timed(lambda: communities(both))[1],
        "their articulation points: CPU s": _timed(lambda: articulations(both))[1],
    }


def main() -> None:
    """Index a vault, hide what is known, and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--kept", type=Path, help="folder for the index")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as temporary:
        path = (arguments.kept or Path(temporary)) / "index.sqlite3"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            store = FileStore.open(path)
            index_vault(store, arguments.vault, InProcessEmbedder(BUNDLED))
            store.close()
        bench = Bench(arguments.vault, path, random.Random(_SEED))
        parts = {
            "as it is": as_it_is,
            "links": missing_links,
            "renamed": broken_links,
            "never written": links_without_a_target,
            "tags": tags,
        }
        for name, part in parts.items():
            print_figures(f"review finders, {name}", part(bench))
        print_figures("review finders, large map", large_map())


if __name__ == "__main__":
    main()
