"""Somebody who keeps notes, and whatever else befalls a vault: sync tools, drives, clocks, clouds. All from a seed."""

import errno
import json
import random
import string
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from watchfiles import Change

from tests.simulator.memory_disk import MemoryDisk, Node
from tests.simulator.stream import EventStream

FOLDERS = ("", "Work", "Work/Deep", "Café", "Drive", "Drive/Inner", "Private", "archive")
"""Where notes come to lie; `Private` is never allowed."""
DRIVE = "Drive"
_NAMES = ("Note", "note", "Café", "Zebra 🦓", "Plan", "2024-05-01", "a", "b", "c", "d")
_WORDS = ("heron", "weir", "eel", "reed", "otter", "willow", "mill", "ford", "bridge", "lock", "barge", "heath")
_LITTER = (".obsidian/app.json", ".stfolder/marker", ".DS_Store", "lost+found/.keep")
_ODD_TIMES = (-(2**63) - 10**9, -1, 0, 2**63, 15_000_000_000 * 10**9, -11_644_473_600 * 10**9)
_SECOND = 10**9


@dataclass(slots=True)
class Person:
    """Changes the vault, and tells the event stream of it."""

    disk: MemoryDisk
    stream: EventStream
    rng: random.Random
    now_ns: int = 1_700_000_000 * _SECOND  # the wall clock
    secrets: list[str] = field(default_factory=list[str])
    away: dict[str, Node] = field(default_factory=dict[str, Node])  # unmounted drives by their folder, "" the vault
    log: list[str] = field(default_factory=list[str])

    def act(self) -> None:
        """One random change."""
        actions = (
            (self._create, 14),
            (self._edit, 14),
            (self._edit_unseen_by_stamps, 3),
            (self._touch, 3),
            (self._odd_time, 2),
            (self._save_atomically, 4),
            (self._save_slowly, 2),
            (self._delete, 7),
            (self._rename, 6),
            (self._respell, 5),
            (self._conflict, 3),
            (self._move, 6),
            (self._move_folder, 4),
            (self._delete_folder, 1),
            (self._write_secret, 3),
            (self._write_oddity, 4),
            (self._put_link, 1),
            (self._write_what_is_no_note, 2),
            (self._to_the_cloud, 2),
            (self._refuse, 3),
            (self._ignore_in_obsidian, 1),
            (self._set_clock, 1),
            (self._unmount, 2),
            (self._mount, 3),
            (self._delete_most, 1),
        )
        action = self.rng.choices([each for each, _ in actions], [weight for _, weight in actions])[0]
        action()
        self.now_ns += self.rng.randrange(3 * _SECOND)

    def calm_down(self, allowed: Iterable[str]) -> None:
        """All drives and allowed folders are there, permissions are given, files are downloaded."""
        while self.away:
            self._mount()
        for place in allowed:
            if place != "." and not place.endswith(".md") and self.disk.find(place) is None:
                self._put(place, self.disk.folder())
        for path, node in list(self.disk.walk()):
            if node.refused or node.in_the_cloud:
                self._give_back(path, node)

    def _give_back(self, path: str, node: Node) -> None:
        """Let a file or folder be looked into again. Of a drive that was repaired the system tells nobody."""
        is_repaired = node.refused == errno.EIO
        node.refused, node.in_the_cloud = 0, False
        if is_repaired:
            self.log.append(f"repaired {path}")
            self.stream.lose()
        else:
            self.disk.mark(node)
            self._tell(Change.modified, path)

    def _tell(self, kind: Change, path: str) -> None:
        self.log.append(f"{kind.name} {path}")
        self.stream.tell(kind, path)

    def _notes(self) -> list[str]:
        return [path for path, node in self.disk.walk() if path.endswith(".md") and not node.is_folder]

    def _any_note(self) -> str | None:
        notes = self._notes()
        return self.rng.choice(notes) if notes else None

    def _folder(self) -> str:
        return self.rng.choice(FOLDERS)

    def _free(self) -> str:
        name = f"{self.rng.choice(_NAMES)}{self.rng.choice(('', '', ' 2', ' 3'))}.md"
        if self.rng.random() < 0.3:
            name = unicodedata.normalize("NFD", name)
        folder = self._folder()
        return f"{folder}/{name}" if folder else name

    def _text(self) -> bytes:
        words = " ".join(self.rng.choices(_WORDS, k=self.rng.randint(1, 30)))
        linked = self.rng.choice(_NAMES)
        return f"# {self.rng.choice(_WORDS)}\n\n{words} [[{linked}|{self.rng.choice(_WORDS)}]] #tag\n".encode()

    def _write(self, path: str, data: bytes, *, mtime_ns: int | None = None) -> None:
        """Write a file; the system may tell of a new folder alone, not of what was put into it at once."""
        parent = path.rpartition("/")[0]
        is_new_folder = bool(parent) and self.disk.find(parent) is None
        before = self.disk.find(path)
        if (before is not None and before.is_folder) or self._is_blocked(path):
            return
        stamp = self.now_ns if mtime_ns is None else mtime_ns
        if before is not None and before.target is None:
            before.data, before.mtime_ns = data, stamp
            self.disk.mark(before)
            self._tell(Change.modified, path)
            return
        if is_new_folder:
            top = parent
            while "/" in top and self.disk.find(top.rpartition("/")[0]) is None:
                top = top.rpartition("/")[0]
            self.disk.put(path, self.disk.file(data, stamp))
            self._tell(Change.added, top)
            return
        self.disk.put(path, self.disk.file(data, stamp))
        self._tell(Change.added, path)

    def _is_blocked(self, path: str) -> bool:
        """Whether the path lies on a drive that is away, or in a folder that lets nobody in."""
        if any(not place or path == place or path.startswith(f"{place}/") for place in self.away):
            return True
        above = path.rpartition("/")[0]
        while above:
            node = self.disk.find(above)
            if node is None and self.disk.find(above.rpartition("/")[0]) is None:
                above = above.rpartition("/")[0]
                continue
            if node is not None and (node.refused or not node.is_folder):
                return True
            above = above.rpartition("/")[0]
        return False

    def _create(self) -> None:
        self._write(self._free(), self._text())

    def _edit(self) -> None:
        if path := self._any_note():
            self._write(path, self._text())

    def _edit_unseen_by_stamps(self) -> None:
        """As a tool that restores time stamps does."""
        path = self._any_note()
        node = self.disk.find(path) if path else None
        if path and node and node.data:
            letter = self.rng.choice(string.ascii_lowercase).encode()
            self._write(path, node.data[:-1] + letter, mtime_ns=node.mtime_ns)

    def _touch(self) -> None:
        path = self._any_note()
        node = self.disk.find(path) if path else None
        if path and node:
            node.mtime_ns = self.now_ns
            self.disk.mark(node)
            self._tell(Change.modified, path)

    def _odd_time(self) -> None:
        if path := self._any_note():
            self._write(path, self._text(), mtime_ns=self.rng.choice(_ODD_TIMES))

    def _save_atomically(self) -> None:
        path = self._any_note()
        if path is None or self._is_blocked(path):
            return
        above, _, name = path.rpartition("/")
        temporary = f"{above}/.{name}.tmp" if above else f".{name}.tmp"
        self._write(temporary, self._text())
        self.disk.put(path, self.disk.take(temporary))
        self._tell(Change.deleted, temporary)
        self._tell(Change.added, path)

    def _save_slowly(self) -> None:
        if path := self._any_note():
            text = self._text()
            self._write(path, text[: len(text) // 2])
            self.now_ns += 1000
            self._write(path, text)

    def _remove(self, path: str) -> Node | None:
        if self._is_blocked(path) or self.disk.find(path) is None:
            return None
        self._tell(Change.deleted, path)
        return self.disk.take(path)

    def _delete(self) -> None:
        if path := self._any_note():
            self._remove(path)

    def _put(self, path: str, node: Node) -> None:
        self.disk.put(path, node)
        self._tell(Change.added, path)

    def _rename(self) -> None:
        path, target = self._any_note(), self._free()
        if path and not self._is_blocked(target) and self.disk.find(target.rpartition("/")[0]) is not None:
            if (there := self.disk.find(target)) is not None and there.is_folder:
                return
            if (node := self._remove(path)) is not None:
                self._put(target, node)

    def _respell(self) -> None:
        """Another case, or another Unicode form, of the same name; of a folder as well."""
        paths = [path for path, node in self.disk.walk() if path.endswith(".md") or node.is_folder]
        if not paths:
            return
        path = self.rng.choice(paths)
        above, _, name = path.rpartition("/")
        if self._is_hidden(path) or path in (DRIVE, "Private"):
            return
        spelt = self.rng.choice(
            (name.swapcase() if name.isascii() else name.upper(), unicodedata.normalize("NFD", name))
        )
        spelt = spelt.removesuffix(".MD") + ".md" if spelt.endswith(".MD") else spelt
        target = f"{above}/{spelt}" if above else spelt
        node = self.disk.find(path)
        there = self.disk.find(target)
        if node is None or target == path or (there is not None and there is not node) or self._is_blocked(path):
            return
        if self._remove(path) is not None:
            self._put(target, node)

    def _conflict(self) -> None:
        path = self._any_note()
        if path and (node := self.disk.find(path)):
            mark = self.rng.choice((" (conflicted copy 2024-05-01)", ".sync-conflict-20240501-101010-ABCDEFG"))
            self._write(f"{path.removesuffix('.md')}{mark}.md", node.data + b"theirs\n")

    def _move(self) -> None:
        path, folder = self._any_note(), self._folder()
        if path is None:
            return
        name = path.rpartition("/")[2]
        target = f"{folder}/{name}" if folder else name
        there = self.disk.find(target)
        if self._is_blocked(target) or self.disk.find(folder) is None or (there and there.is_folder):
            return
        if (node := self._remove(path)) is not None:
            self._put(target, node)

    def _move_folder(self) -> None:
        folders = [path for path in ("Work", "Work/Deep", "Café", "archive", "Moved") if self.disk.find(path)]
        target = self.rng.choice(("Work", "archive", "Moved", "Moved/Within", "Private/Moved"))
        if not folders:
            return
        path = self.rng.choice(folders)
        above = target.rpartition("/")[0]
        if f"{target}/".startswith(f"{path}/") or self.disk.find(target) or not self.disk.find(above):
            return
        if self._is_blocked(f"{target}/x"):
            return
        if (node := self._remove(path)) is not None:
            self._put(target, node)

    def _delete_folder(self) -> None:
        path = self.rng.choice(("Work", "Work/Deep", "Café", "archive", "Moved"))
        if self.disk.find(path):
            self._remove(path)

    def _delete_most(self) -> None:
        for path in self._notes():
            if self.rng.random() < 0.9:
                self._remove(path)

    def _secret(self) -> str:
        secret = "ghp" + "_" + "".join(self.rng.choices(string.ascii_letters + string.digits, k=36))
        self.secrets.append(secret)
        return secret

    def _write_secret(self) -> None:
        secret = self._secret()
        if self.rng.random() < 0.2:
            self._write(f"{secret}.md", self._text())
        else:
            path = self._any_note() or self._free()
            self._write(path, self._text() + f"The token is {secret}.\n".encode())

    def _write_oddity(self) -> None:
        oddities = (
            b"",
            b"\0\0binary",
            b"\xff\xfeh\0i\0",
            b"caf\xe9 in Latin-1",
            b"---\nscrubjay: false\n---\nnot for the index\n",
            b"---\n[broken: {yaml\n---\nbody\n",
            b"---\naliases: [Other, Plan]\ncreated: 2024-03-05\n---\nbody with [[Other]]\n",
            b"long " * 1000,
        )
        self._write(self._any_note() or self._free(), self.rng.choice(oddities))

    def _put_link(self) -> None:
        target = self.rng.choice(("/etc/outside.md", "/vault/Work", "/vault/a.md"))
        path = f"{self.rng.choice(('link.md', 'Work/linked', 'link'))}"
        if not self._is_blocked(path) and self.disk.find(path) is None and self.disk.find(path.rpartition("/")[0]):
            self._put(path, self.disk.link(target))

    def _write_what_is_no_note(self) -> None:
        name = self.rng.choice(("picture.png", ".hidden/Note.md", ".trash/Old.md", ".hidden.md", "draft.md.part"))
        self._write(name, f"not for the index: {self._secret()}\n".encode())

    def _to_the_cloud(self) -> None:
        path = self._any_note()
        node = self.disk.find(path) if path else None
        if path and node and node.target is None and not self._is_blocked(path):
            node.in_the_cloud = not node.in_the_cloud
            self.disk.mark(node)
            self._tell(Change.modified, path)

    def _refuse(self) -> None:
        """Take away, or give back, the permission to look into a file or a folder, or break it."""
        paths = [path for path, node in self.disk.walk() if node.target is None and not self._is_hidden(path)]
        if not paths:
            return
        path = self.rng.choice(paths)
        node = self.disk.find(path)
        if node is None or self._is_blocked(path) or path in self.away:
            return
        if node.refused:
            self._give_back(path, node)
        else:
            node.refused = self.rng.choice((errno.EACCES, errno.EACCES, errno.EIO))
            self.disk.mark(node)
            self._tell(Change.modified, path)

    def _ignore_in_obsidian(self) -> None:
        filters = self.rng.choice(([], ["archive/"], ["Work/Deep/"], ["/Plan/"]))
        self._write(".obsidian/app.json", json.dumps({"userIgnoreFilters": filters}).encode())

    def _set_clock(self) -> None:
        self.now_ns += self.rng.choice((-1, 1)) * self.rng.choice((3600, 86400 * 400)) * _SECOND

    def _unmount(self) -> None:
        """A drive goes: what is left is the folder it was mounted on, empty or with some tool's litter."""
        place = self.rng.choice(("", DRIVE, DRIVE))
        if self.away or (place and ((node := self.disk.find(place)) is None or node.device is None or node.refused)):
            return
        if place:
            self.away[place] = self.disk.take(place)
            self.disk.put(place, self.disk.folder())
            self.stream.lose()
        else:
            self.away[place] = self.disk.vault
            self.disk.vault = self.disk.folder()
        self.log.append(f"unmount {place or 'the vault'}")
        for litter in self.rng.sample(_LITTER, self.rng.randint(0, 2)):
            self.disk.put(f"{place}/{litter}" if place else litter, self.disk.file(b"{}", self.now_ns))

    def _mount(self) -> None:
        for place, node in list(self.away.items()):
            del self.away[place]
            if place:
                self.disk.put(place, node)
                self.stream.lose()
            else:
                self.disk.vault = node
            self.log.append(f"mount {place or 'the vault'}")

    @staticmethod
    def _is_hidden(path: str) -> bool:
        return any(name.startswith(".") for name in path.split("/"))
