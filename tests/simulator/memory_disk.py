"""A file system in memory that answers the calls which `daemon.vault` makes of `os`, and remembers what was opened."""

import errno
import itertools
import os
import posixpath
import stat
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace

from scrubjay.profiles.names import file_key

ROOT = "/vault"
_HOME_DEVICE = 1
_IN_THE_CLOUD = 0x400000  # Windows' FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS, which `placeholders` knows on every system


@dataclass(slots=True, eq=False)
class Node:
    """A file (`data`), a folder (`children`) or a link (`target`)."""

    inode: int
    mtime_ns: int = 0
    changed_ns: int = 0
    data: bytes = b""
    children: dict[str, "Node"] | None = None
    target: str | None = None
    device: int | None = None  # of a folder on which another drive is mounted
    refused: int = 0  # the errno of every attempt to look into it
    in_the_cloud: bool = False

    @property
    def is_folder(self) -> bool:
        return self.children is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """What `os.scandir` yields, as far as the scan asks."""

    name: str
    node: Node
    device: int

    def is_symlink(self) -> bool:
        return self.node.target is not None

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        assert not follow_symlinks
        return self.node.is_folder

    def stat(self, *, follow_symlinks: bool) -> SimpleNamespace:
        assert not follow_symlinks
        return _stat(self.node, self.device)


@dataclass(slots=True)
class MemoryDisk:
    """The file system; it stands in for the module `os` in what reads vaults.

    ignores_case: whether names that differ in case or Unicode form alone are one name, as on macOS and Windows.
    step: called before every call, and may raise: a kill, or somebody who changes a file meanwhile.
    """

    ignores_case: bool = False
    step: Callable[[str], None] = lambda _: None
    opened: list[str] = field(default_factory=list[str])  # files, and
    listed: list[str] = field(default_factory=list[str])  # folders, vault-relative and as the disk spells them
    name = "posix"

    def __post_init__(self) -> None:
        self._inodes = itertools.count(2)
        self._changes = itertools.count(1)
        self._handles: dict[int, tuple[str, Node, int]] = {}  # path, node, bytes read
        self._next_handle = itertools.count(1000)
        self._top = Node(1, children={})
        self._top_children()["vault"] = self.folder()
        self.path = SimpleNamespace(join=posixpath.join, dirname=posixpath.dirname, realpath=self._realpath)

    _inodes: "itertools.count[int]" = field(init=False)
    _changes: "itertools.count[int]" = field(init=False)
    _handles: dict[int, tuple[str, Node, int]] = field(init=False)
    _next_handle: "itertools.count[int]" = field(init=False)
    _top: Node = field(init=False)
    path: SimpleNamespace = field(init=False)

    # What `daemon.vault` calls

    @contextmanager
    def scandir(self, folder: str) -> Generator[Iterable[Entry]]:
        self.step("scandir")
        node, device = self._walk(folder)
        self.listed.append(_relative(folder))
        if node.children is None:
            raise NotADirectoryError(errno.ENOTDIR, "not a folder")
        if node.refused:
            raise OSError(node.refused, "refused")
        yield [Entry(name, each, each.device or device) for name, each in node.children.items()]

    def stat(self, path: str | os.PathLike[str]) -> SimpleNamespace:
        return _stat(*self._walk(os.fspath(path)))

    def open(self, path: str | os.PathLike[str], _flags: int, *, dir_fd: int | None = None) -> int:
        self.step("open")
        if dir_fd is None:
            whole = os.fspath(path)
            node, _ = self._walk(whole)
        else:
            above, folder, _ = self._handles[dir_fd]
            whole = f"{above}/{path}"
            node = self._child(folder, os.fspath(path))
        if node.target is not None:
            raise OSError(errno.ELOOP, "a link")
        if node.refused == errno.EACCES:
            raise OSError(node.refused, "refused")
        handle = next(self._next_handle)
        self._handles[handle] = (whole, node, 0)
        if not node.is_folder:
            self.opened.append(_relative(whole))
        return handle

    def fstat(self, handle: int) -> SimpleNamespace:
        return _stat(self._handles[handle][1], _HOME_DEVICE)

    def read(self, handle: int, count: int) -> bytes:
        self.step("read")
        path, node, position = self._handles[handle]
        if node.refused:
            raise OSError(node.refused, "refused")
        part = node.data[position : position + count]
        self._handles[handle] = (path, node, position + len(part))
        return part

    def close(self, handle: int) -> None:
        del self._handles[handle]

    # What the person at the vault does

    @property
    def vault(self) -> Node:
        """The vault's folder as it is now."""
        return self._top_children()["vault"]

    @vault.setter
    def vault(self, node: Node) -> None:
        self._top_children()["vault"] = node

    def folder(self, *, device: int | None = None) -> Node:
        """A new folder, in no other."""
        return Node(next(self._inodes), children={}, device=device)

    def file(self, data: bytes, mtime_ns: int) -> Node:
        """A new file, in no folder."""
        return Node(next(self._inodes), mtime_ns, data=data)

    def link(self, target: str) -> Node:
        """A new link, in no folder."""
        return Node(next(self._inodes), target=target)

    def find(self, path: str) -> Node | None:
        """What lies at a vault-relative path; None: nothing."""
        try:
            return self._walk(posixpath.join(ROOT, path))[0]
        except OSError:
            return None

    def put(self, path: str, node: Node) -> None:
        """Put a node at a vault-relative path, over what is there; folders on the way are made."""
        *folders, name = path.split("/")
        at = self.vault
        for part in folders:
            spelt = self._spelt(at, part)
            if not at.children or spelt not in at.children or not at.children[spelt].is_folder:
                assert at.children is not None
                at.children[spelt] = self.folder()
            at = at.children[spelt]
        assert at.children is not None
        at.children[self._spelt(at, name)] = node
        self.mark(node)

    def mark(self, node: Node) -> None:
        """The node has changed, and the file system notes when."""
        node.changed_ns = next(self._changes)

    def take(self, path: str) -> Node:
        """Take what lies at a path out of the vault."""
        above, _, name = path.rpartition("/")
        folder = self.find(above)
        assert folder is not None
        assert folder.children is not None
        return folder.children.pop(self._spelt(folder, name))

    def walk(self) -> Generator[tuple[str, Node]]:
        """All that lies in the vault, by vault-relative path as the disk spells it, folders before what they hold."""
        waiting = [("", self.vault)]
        while waiting:
            above, node = waiting.pop()
            for name, each in sorted((node.children or {}).items()):
                path = f"{above}/{name}" if above else name
                yield path, each
                waiting.append((path, each))

    def _walk(self, path: str) -> tuple[Node, int]:
        node, device = self._top, _HOME_DEVICE
        for part in path.split("/"):
            if part:
                node = self._child(node, part)
                device = node.device or device
        return node, device

    def _child(self, folder: Node, name: str) -> Node:
        if folder.children is None:
            raise NotADirectoryError(errno.ENOTDIR, "not a folder")
        if folder.refused:
            raise OSError(folder.refused, "refused")
        found = folder.children.get(self._spelt(folder, name))
        if found is None:
            raise FileNotFoundError(errno.ENOENT, "not there")
        return found

    def _spelt(self, folder: Node, name: str) -> str:
        """The name as the folder has it, where this file system takes it for the same."""
        if not self.ignores_case or not folder.children or name in folder.children:
            return name
        return next((each for each in folder.children if file_key(each) == file_key(name)), name)

    def _realpath(self, path: str) -> str:
        try:
            node, _ = self._walk(path)
        except OSError:
            return path
        return node.target if node.target is not None else path

    def _top_children(self) -> dict[str, Node]:
        assert self._top.children is not None
        return self._top.children


def _stat(node: Node, device: int) -> SimpleNamespace:
    kind = stat.S_IFDIR if node.is_folder else stat.S_IFLNK if node.target is not None else stat.S_IFREG
    return SimpleNamespace(
        st_mode=kind,
        st_dev=device,
        st_ino=node.inode,
        st_nlink=1,
        st_size=len(node.data),
        st_mtime_ns=node.mtime_ns,
        st_ctime_ns=node.changed_ns,
        st_file_attributes=_IN_THE_CLOUD if node.in_the_cloud else 0,
    )


def _relative(path: str) -> str:
    return path.removeprefix(ROOT).strip("/")
