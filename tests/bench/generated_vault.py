"""A vault of any size as people have them: words as common as in a language, links, tags, days, copies, files.

The same `Extent` gives the same bytes. What a vault has of links, tags, files and secrets grows with its notes, so that
figures of two sizes compare.
"""

import os
import random
import re
import zipfile
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import numpy as np

from tests.soak.gardener import WORDS

_COMMONEST = re.findall(
    r"\w+",
    "the of and to in a is that it was for on are as with they be at one have this from or had by not but what all were"
    " we when your can said there use an each which she do how their if will up other about out many then them so",
)
_WORDS_KNOWN = 40_000
_ZIPF = 1.07  # exponent: how fast words become rare
_SYLLABLES = re.findall(
    r"\w+", "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xa yo zu bra cle dri flo gru pla ste tri vos"
)
LAST_DAY = date(2026, 11, 1)
"""On which the last note was written; eight were on each day before."""

_A_DAY = 8  # notes
_DEPTH = 12  # of the deepest folder
_NOTE_WORDS = (180, 0.9)  # the median of a note's words, and the spread of its logarithm
_MOST_WORDS = 40_000
_LINKS = 8  # a note, on average
_DOCX = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{}</w:body></w:document>'


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a vault is: notes, of which an eighth are days, and files beside them."""

    notes: int
    seed: int = 1

    @property
    def days(self) -> int:
        """Daily notes."""
        return -(-self.notes // _A_DAY)

    @property
    def files(self) -> int:
        """Documents of an office program."""
        return self.notes // 20

    @property
    def tags(self) -> int:
        """Different tags, most of which a few notes have."""
        return max(10, self.notes * 3 // 5)


def write_vault(vault: Path, extent: Extent) -> None:
    """Write it into a folder that is empty or missing."""
    writer = _Writer(vault, extent)
    for number in range(extent.notes):
        writer.write_note(number)
    for number in range(extent.files):
        writer.write_file(number)


def rewrite(vault: Path, extent: Extent, share: float) -> list[Path]:
    """Add a paragraph to this share of the notes, as another branch of a repository would; their paths."""
    writer = _Writer(vault, Extent(extent.notes, extent.seed + 1))
    paths = sorted(vault.rglob("*.md"))
    changed = paths[: round(share * len(paths))]
    for path in changed:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{writer.paragraph(60)}\n")
    return changed


class _Writer:
    """Writes notes and files from one row of random numbers."""

    def __init__(self, vault: Path, extent: Extent) -> None:
        self._vault, self._extent = vault, extent
        self._rng = random.Random(extent.seed)
        self._words = _vocabulary()
        weights = 1.0 / np.arange(3, len(self._words) + 3) ** _ZIPF
        self._cumulated = np.cumsum(weights / weights.sum())
        self._numbers = np.random.default_rng(extent.seed)
        self._names: list[str] = []
        self._last: list[str] = []  # the paragraphs of the note before
        self._folders = _folders(self._rng, max(4, extent.notes // 60))

    def paragraph(self, words: int) -> str:
        """Sentences of so many words together."""
        chosen = self._chosen(words)
        sentences: list[str] = []
        at = 0
        while at < len(chosen):
            end = at + self._rng.randint(6, 18)
            sentences.append(f"{' '.join(chosen[at:end])}.".capitalize())
            at = end
        return " ".join(sentences)

    def write_note(self, number: int) -> None:
        """Write one note."""
        rng = self._rng
        day = LAST_DAY - timedelta((self._extent.notes - 1) // _A_DAY - number // _A_DAY)
        is_day = number % _A_DAY == 0
        title = day.isoformat() if is_day else f"{' '.join(self._rare(rng.randint(1, 3)))} {number}".capitalize()
        folder = f"Daily/{day:%Y}" if is_day else rng.choice(self._folders)
        median, spread = _NOTE_WORDS
        left = min(_MOST_WORDS, max(10, round(median * rng.lognormvariate(0, spread))))
        parts = [self._frontmatter(day)] if number % 3 == 0 else []
        parts.append(f"# {title}")
        if number % 60 == 59 and self._last:  # says nearly what the note before said
            paragraphs = [f"{each} {' '.join(self._rare(2))}" for each in self._last]
        else:
            paragraphs = self._paragraphs(left)
        for at, paragraph in enumerate(paragraphs):
            if at % 4 == 3:
                parts.append(f"## {' '.join(self._rare(2)).capitalize()}")
            parts.append(paragraph)
        parts.append(self._links(number))
        parts.append(f"#{self._tag()} #{self._tag()}")
        if number % 50 == 1:
            parts.append(f"{'pass'}{'word'}: {self._secret()}")
        path = self._vault / folder / f"{title}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        written = datetime.combine(day, time(8 + number % _A_DAY), UTC).timestamp()
        os.utime(path, (written, written))
        self._names.append(title)
        self._last = paragraphs

    def write_file(self, number: int) -> None:
        """Write one document."""
        paragraphs = (self.paragraph(self._rng.randint(40, 120)) for _ in range(3))
        body = "".join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in paragraphs)
        path = self._vault / "Files" / f"{number // 100}" / f"{' '.join(self._rare(2))} {number}.docx"
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", _DOCX.format(body))

    def _paragraphs(self, words: int) -> list[str]:
        found: list[str] = []
        while words > 0:
            length = min(words, self._rng.randint(30, 110))
            found.append(self.paragraph(length))
            words -= length
        return found

    def _links(self, number: int) -> str:
        """Links to earlier notes, most of them to a few; one in thirty to none."""
        links: list[str] = []
        for _ in range(min(number, self._rng.randint(0, 2 * _LINKS))):
            target = self._names[int(number * self._rng.random() ** 3)]
            links.append(f"[[{target}x]]" if self._rng.random() < 1 / 30 else f"[[{target}]]")
        return " and ".join(("See", *links))

    def _frontmatter(self, day: date) -> str:
        status = self._rng.choice(("draft", "open", "done"))
        alias = " ".join(self._rare(2))
        return f"---\ntags: [{self._tag()}]\nstatus: {status}\ncreated: {day}\naliases: [{alias}]\n---"

    def _tag(self) -> str:
        number = int(self._extent.tags * self._rng.random() ** 2)
        return f"{self._words[len(_COMMONEST) + number % 500]}/{number}"

    def _secret(self) -> str:
        return "".join(self._rng.choices("abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789", k=20))

    def _chosen(self, count: int) -> list[str]:
        rows = np.searchsorted(self._cumulated, self._numbers.random(count))
        return [self._words[row] for row in rows.clip(max=len(self._words) - 1).tolist()]

    def _rare(self, count: int) -> list[str]:
        """Words that are no function words."""
        return self._rng.choices(self._words[len(_COMMONEST) :], k=count)


def _vocabulary() -> list[str]:
    """Words from the commonest to the rarest, the same in all vaults."""
    rng, found = random.Random(7), dict.fromkeys((*_COMMONEST, *(word.casefold() for word in WORDS)))
    while len(found) < _WORDS_KNOWN:
        found["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))] = None
    return list(found)


def _folders(rng: random.Random, count: int) -> list[str]:
    """Folders within one another, some of them deep."""
    found = ["Notes"]
    while len(found) < count:
        within = rng.choice(found)
        if within.count("/") < _DEPTH - 1:
            found.append(f"{within}/{rng.choice(WORDS).capitalize()} {len(found)}")
    return found
