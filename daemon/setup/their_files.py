"""Settings of other programs: read and written so that nothing of them is lost, and what was made for us goes again."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scrubjay.daemon.home import Home
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.private_files import locked, replace_theirs, write_private


class NotEditable(UsageError):
    """The file can't be changed, or not without losing something of it."""

    code = "not-editable"


class _Record(msgspec.Struct, frozen=True):
    """What was not there before we came."""

    paths: tuple[str, ...] = ()  # files and folders
    objects: dict[str, tuple[tuple[str, ...], ...]] = {}  # in the file of this path: names from the top


@dataclass(frozen=True, slots=True)
class TheirFile:
    """A file as it was read. Its bytes are kept: line ends, a mark of the byte order, mode and owner."""

    home: Home
    path: Path
    content: bytes | None  # None: there is no file

    @classmethod
    def read(cls, home: Home, place: Path) -> "TheirFile":
        """The file at `place`, or where the link there leads. Raises NotEditable where it could not be written."""
        try:
            path = place.resolve()  # a link, as dotfiles often are, stays one
            content = path.read_bytes() if path.exists() else None
        except (OSError, RuntimeError) as error:
            raise NotEditable(f"{place} can't be read, so it was left as it is: {_reason(error)}.") from None
        if content is not None and not _is_writable(path):
            raise NotEditable(f"{path} may not be written, so it was left as it is. Allow that, then try again.")
        if content is None and not os.access(_first_there(path.parent), os.W_OK):
            raise NotEditable(f"{path} can't be made: {_first_there(path.parent)} may not be written.")
        try:
            (content or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise NotEditable(
                f"{path} is not UTF-8, so it was left as it is. Save it as UTF-8, then try again."
            ) from None
        return cls(home, path, content)

    @property
    def text(self) -> str | None:
        """What it says, with its line ends; None where there is no file."""
        return None if self.content is None else self.content.decode("utf-8")

    @property
    def made(self) -> tuple[tuple[str, ...], ...]:
        """The objects in it that were made for us."""
        return _record(self.home).objects.get(str(self.path), ())

    def write(self, text: str, made: Iterable[Sequence[str]]) -> None:
        """Replace its text, and remember what that makes, in it too. Raises NotEditable."""
        paths = [str(path) for path in (self.path, *self.path.parents) if not path.exists()]
        objects = {str(self.path): tuple(dict.fromkeys((*map(tuple, made), *self.made)))}
        _remember(  # first: what is made without being known would stay for ever
            self.home,
            lambda record: _Record(
                tuple(dict.fromkeys((*record.paths, *paths))),
                record.objects | (objects if any(objects.values()) else {}),
            ),
        )
        self._replace(text)

    def take_back(self, text: str) -> None:
        """Replace its text; what was made for us and holds nothing any more goes. Raises NotEditable."""
        made = _record(self.home).paths
        if str(self.path) not in made or text.strip("\ufeff \t\r\n"):
            self._replace(text)
            return
        self._check_unchanged()
        self.path.unlink(missing_ok=True)
        for folder in self.path.parents:
            if str(folder) not in made:
                break
            with contextlib.suppress(OSError):  # it holds something
                folder.rmdir()
        gone = {str(path) for path in (self.path, *self.path.parents) if not path.exists()}
        _remember(
            self.home,
            lambda record: _Record(
                tuple(path for path in record.paths if path not in gone),
                {path: objects for path, objects in record.objects.items() if path not in gone},
            ),
        )

    def _replace(self, text: str) -> None:
        content = text.encode("utf-8")
        if content == self.content:
            return
        self._check_unchanged()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_theirs(self.path, content)
        except OSError as error:
            raise NotEditable(f"{self.path} could not be written, and is as it was: {_reason(error)}.") from None

    def _check_unchanged(self) -> None:
        if (self.path.read_bytes() if self.path.exists() else None) != self.content:
            raise NotEditable(f"{self.path} was changed by another program at this moment. Try again.")


def _is_writable(path: Path) -> bool:
    """Whether its owner lets it be written, and another file may take its place."""
    found = path.stat()
    is_own = os.name != "posix" or os.geteuid() in (0, found.st_uid)  # or its owner would become another
    return (
        stat.S_ISREG(found.st_mode)
        and bool(found.st_mode & stat.S_IWUSR)
        and is_own
        and os.access(path, os.W_OK)
        and os.access(path.parent, os.W_OK)
    )


def _first_there(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _reason(error: BaseException) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _place(home: Home) -> Path:
    return home.data / "made.json"


def _record(home: Home) -> _Record:
    try:
        return msgspec.json.decode(_place(home).read_bytes(), type=_Record)
    except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
        return _Record()  # then what was made stays, empty


def _remember(home: Home, change: Callable[[_Record], _Record]) -> None:
    with locked(_place(home)):
        before = _record(home)
        if (after := change(before)) != before:
            write_private(_place(home), msgspec.json.format(msgspec.json.encode(after), indent=1))
