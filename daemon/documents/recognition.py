"""Recognising the text of pictures and scanned pages: a page at a time, drawn in the box."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from scrubjay.daemon.documents.document_bundles import RawFile, lay_out
from scrubjay.daemon.documents.document_source import DocumentSource, FileContext, documents_on_disk
from scrubjay.daemon.documents.extracted import DocumentPart, Extracted, Kind, byte_limit, extension_of, kind_of
from scrubjay.daemon.documents.sandbox.box import Box
from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.plan import is_as_before
from scrubjay.daemon.indexing.prepare import NoteFilter
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.daemon.vault.read import FileStamp, UnreadableNote, opened
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.errors import NotFound
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import decisions_of
from scrubjay.profiles.store.recognised_texts import forget_unneeded, keep_recognised, recognised
from scrubjay.profiles.store.rows import NO_DECISIONS, KnownNote, RedactionPlace
from scrubjay.profiles.store.store import Store

_HIDDEN = ("open", "done")


class NoPicture(NotFound):
    """There is no picture of this page. The message says why."""

    code = "no-picture"


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page of an indexed PDF."""

    vault: VaultFolder
    path: str
    page: int  # from 1


def page_picture(profile: Profile, store: Store, box: Box, key: bytes, wanted: PdfPage, width: int) -> bytes:
    """The page as a PNG so many pixels wide, from the file as it is on disk. key: the installation's, for digests.

    Only of a file that is allowed now, and unchanged since it was read: what the filter said of it then holds. Only of
    a page that has text, of which nothing was hidden. Raises NoPicture, StoreError, and what the box raises.
    """
    if file_kind(wanted.path) != "pdf":
        raise NoPicture("Only pages of PDFs are shown as pictures.")
    if any(_is_hidden(row, wanted) for row in store.read(reads.redactions, wanted.vault.id)):
        raise NoPicture("A credential is hidden on this page, which a picture would show.")
    known = store.read(reads.known_notes, wanted.vault.id, [wanted.path], files=True).get(wanted.path)
    if known is None or str(wanted.page) not in {chunk.place for chunk in store.read(reads.note_chunks, known.id)}:
        raise NoPicture("There is no text of this page in the index.")
    picture = box.page_picture(_unchanged(profile, store, wanted, known, key), wanted.page, width)
    if not isinstance(picture, bytes):
        raise NoPicture(picture.sentence)
    return picture


def _unchanged(profile: Profile, store: Store, wanted: PdfPage, known: KnownNote, key: bytes) -> bytes:
    """The bytes of the file if they are those that were read. Raises NoPicture."""
    root = Path(wanted.vault.root)
    found = documents_on_disk(wanted.vault, store, profile.files, {wanted.path})
    stamp = next((stamp for stamp in found.files if stamp.path == wanted.path), None)
    data = b"" if stamp is None or not is_as_before(stamp, known) else _bytes_of(root, stamp)
    if bytes_digest(data, key) != known.digest:
        raise NoPicture("The file has changed since it was read, or may not be read any more.")
    return data


def _bytes_of(root: Path, stamp: FileStamp) -> bytes:
    kind = kind_of(stamp.path)
    try:
        with opened(root, stamp, byte_limit(kind) if kind else 0) as (file, _):
            return file.read()
    except UnreadableNote as error:
        raise NoPicture(error.reason) from None


def _is_hidden(row: RedactionPlace, wanted: PdfPage) -> bool:
    return row.path == wanted.path and row.standing in _HIDDEN and row.place in ("", str(wanted.page))


_READER = "1"
"""Raise it when the same picture would yield another text."""
Step: TypeAlias = Literal["page", "file", "nothing"]


class Recognises(Protocol):
    """What reads pictures, as far as it is needed here."""

    def recognise(self, extension: str, data: FileIO, size: int, page: int) -> Extracted:
        """See `Recogniser.recognise`."""
        ...


@dataclass(slots=True)
class _File:
    """A file whose pages are being recognised."""

    vault: VaultFolder
    stamp: FileStamp
    digest: bytes
    found: Extracted  # what is known of it besides
    pages: deque[int]  # that are left
    parts: list[DocumentPart]


class Recognition:
    """Goes through the files with unread pictures, the newest first. To be used from one thread at a time.

    What was recognised is kept by the file's digest and page, so that a break, a move or another name costs nothing.
    """

    def __init__(
        self,
        vaults: Sequence[VaultFolder],
        store: Store,
        how: FileContext,
        recogniser: Recognises,
        put: Callable[[RawFile], int],
    ) -> None:
        """put: prepares and stores a file that is complete; how many passages it came to."""
        self._vaults = vaults
        self._store = store
        self._how = how
        self._source = DocumentSource(store, how)
        self._recogniser = recogniser
        self._put = put
        self._current: _File | None = None
        self._given_up: set[tuple[str, str, int]] = set()  # vault, path and time of what could not be read just now

    def step(self) -> Step:
        """Recognise one page, or store a file that is complete, or find that nothing is left to do.

        Raises StoreError, BoxClosed, PreparingEnded, CannotPrepare, and OSError where the box can't be started.
        """
        if self._current is None:
            self._current = self._next()
        file = self._current
        if file is None:
            forget_unneeded(self._store)
            return "nothing"
        if file.pages:
            if not self._recognise(file, file.pages.popleft()):
                self._give_up(file.vault, file.stamp)
            return "page"
        self._put(self._complete(file))
        self._current = None
        return "file"

    def _next(self) -> _File | None:
        for vault in self._vaults:
            waiting = self._store.ownership().own(vault.id, self._store.read(reads.scanned_files, vault.id))
            for note in sorted(waiting.values(), key=lambda note: (-note.mtime_ns, note.path)):
                if (vault.id, note.path, note.mtime_ns) in self._given_up:
                    continue
                stamps = self._source.scan(vault, {note.path}).files
                stamp = next((stamp for stamp in stamps if stamp.path == note.path), None)
                begun = None if stamp is None or stamp.mtime_ns != note.mtime_ns else self._begin(vault, stamp)
                if begun is not None:
                    return begun
                self._given_up.add((vault.id, note.path, note.mtime_ns))  # it is read anew, or gone
        return None

    def _begin(self, vault: VaultFolder, stamp: FileStamp) -> _File | None:
        kind = kind_of(stamp.path)
        if kind is None:
            return None
        try:
            with opened(Path(vault.root), stamp, byte_limit(kind)) as (file, now):
                digest = self._source.digest(file)
                file.seek(0)
                if kind is Kind.IMAGE:
                    return _File(vault, now, digest, Extracted(kind), deque([1]), [])
                found = self._how.box.extract(extension_of(stamp.path), file, now.size)
        except UnreadableNote:
            return None
        return _File(vault, now, digest, found, deque(found.textless), list(found.parts))

    def _recognise(self, file: _File, page: int) -> bool:
        """Take in the text of a page; False where the file can't be read any more, or nothing can recognise."""
        reader = f"{_READER}:{page}"
        text = recognised(self._store, file.digest, reader)
        if text is None:
            kind = kind_of(file.stamp.path)
            try:
                with opened(Path(file.vault.root), file.stamp, byte_limit(kind) if kind else 0) as (data, now):
                    if (now.mtime_ns, now.size) != (file.stamp.mtime_ns, file.stamp.size):
                        return False
                    found = self._recogniser.recognise(extension_of(file.stamp.path), data, now.size, page)
            except UnreadableNote:
                return False
            if found.unreadable is not None and FailureReason(found.unreadable.reason).passes:
                return False
            text = self._redacted(file, DocumentPart(str(page), "", "\n".join(part.text for part in found.parts)))
            keep_recognised(self._store, file.digest, reader, text)
        if text:
            file.parts.append(DocumentPart(str(page), "", text))
        return True

    def _redacted(self, file: _File, new: DocumentPart) -> str:
        """The text of a page without credentials, announced on the pages before it or on itself."""
        if not new.text.strip():
            return ""
        before = [part for part in file.parts if part.place.isdecimal() and int(part.place) < int(new.place)]
        layout = lay_out(file_kind(file.stamp.path) or "", [*sorted(before, key=_page), new])
        context = self._how.context
        credentials = NoteFilter(context.rules, context.key, frozenset(), NO_DECISIONS)
        lines = credentials.whole(layout.text).split("\n")
        return "\n".join(lines[at - 1] for at in layout.stretches[-1].lines)

    def _complete(self, file: _File) -> RawFile:
        decisions = decisions_of(self._store, file.vault.id)
        parts = tuple(sorted(file.parts, key=_page))
        found = Extracted(
            file.found.kind, file.found.title, parts, file.found.links, None, file.found.left_out, textless=()
        )
        return self._source.recognised(file.vault.id, file.stamp, file.digest, found, decisions)

    def _give_up(self, vault: VaultFolder, stamp: FileStamp) -> None:
        self._given_up.add((vault.id, stamp.path, stamp.mtime_ns))
        self._current = None


def _page(part: DocumentPart) -> tuple[int, int]:
    """Pages in their order, what stands on none before them."""
    return (1, int(part.place)) if part.place.isdecimal() else (0, 0)
