"""A page of a PDF as a picture, drawn in the box. A picture can't be redacted, so not every page has one."""

from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.errors import NotFound
from scrubjay.daemon.extracting.box.box import Box
from scrubjay.daemon.extracting.kinds import byte_limit, kind_of
from scrubjay.daemon.files.file_plan import look
from scrubjay.daemon.indexing.plan import bytes_digest, is_as_before
from scrubjay.daemon.vault.file_kinds import file_kind, wanted_files
from scrubjay.daemon.vault.read import FileStamp, Unreadable, opened
from scrubjay.profiles.database.rows import KnownNote, RedactionPlace
from scrubjay.profiles.registry.registry import Profile, VaultFolder
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
    if any(_is_hidden(row, wanted) for row in store.redactions(wanted.vault.id)):
        raise NoPicture("A credential is hidden on this page, which a picture would show.")
    known = store.known_files(wanted.vault.id, [wanted.path]).get(wanted.path)
    if known is None or str(wanted.page) not in {chunk.place for chunk in store.note_chunks(known.id)}:
        raise NoPicture("There is no text of this page in the index.")
    picture = box.page_picture(_unchanged(profile, store, wanted, known, key), wanted.page, width)
    if not isinstance(picture, bytes):
        raise NoPicture(picture.sentence)
    return picture


def _unchanged(profile: Profile, store: Store, wanted: PdfPage, known: KnownNote, key: bytes) -> bytes:
    """The bytes of the file if they are those that were read. Raises NoPicture."""
    root = Path(wanted.vault.root)
    found = look(wanted.vault, store, wanted_files(root, profile.files), {wanted.path})
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
    except Unreadable as error:
        raise NoPicture(error.reason) from None


def _is_hidden(row: RedactionPlace, wanted: PdfPage) -> bool:
    return row.path == wanted.path and row.standing in _HIDDEN and row.place in ("", str(wanted.page))
