"""Watches on a directory and all below it that count: what changes there is told by inotify.

Hidden files and directories, packages and environments don't count: nobody calls what is in them a result.
"""

from __future__ import annotations

import _struct
import os
from time import monotonic

from coved import libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from os import DirEntry

MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x2, 0x8, 0x40, 0x80, 0x100, 0x200
OVERFLOW, IGNORED, IS_DIRECTORY = 0x4000, 0x8000, 0x40000000
ONLY_DIRECTORIES, NO_LINKS, NO_UNLINKED = 0x01000000, 0x02000000, 0x04000000
MASK = MODIFY | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | ONLY_DIRECTORIES | NO_LINKS | NO_UNLINKED
EVENT = _struct.Struct("iIII")
BUFFER = 64 * 1024

MOST = 4096
LONGEST_PATH = 4000
# However much there is to look at, everybody else in the sandbox waits no longer than this.
LONGEST_LOOK = 0.2
ASIDE = frozenset((b"node_modules", b"__pycache__", b"site-packages", b"dist-packages", b"lost+found"))
# A directory with one of these in it is an environment.
MARKS = frozenset((b"pyvenv.cfg", b"conda-meta"))


def counts(name: bytes) -> bool:
    return not name.startswith(b".") and name not in ASIDE


class Watches:
    def __init__(self, root: bytes) -> None:
        self._root = root
        self.fd = libc.inotify_open()
        # Whether everything that counts is watched.
        self.complete = self.fd is not None
        self._paths: dict[int, bytes] = {}

    def close(self) -> None:
        if self.fd is not None:
            os.close(self.fd)
        self.fd, self._paths = None, {}

    def add(self, top: bytes, on_file: Callable[[DirEntry[bytes]], None] | None = None) -> bool:
        """Watches from `top` down and tells `on_file` each file's entry. False if there is more than time allows."""
        stack, until = [top], monotonic() + LONGEST_LOOK
        while stack:
            path = stack.pop()
            number = self._watch(path)
            inner, files = _list(path, on_file is not None, MARKS if path != self._root else ())
            if inner is None:
                self._forget(number)
                continue
            stack += inner
            if on_file is not None:
                for entry in files:
                    on_file(entry)
            if monotonic() > until:
                return False
        return True

    def forget_below(self, top: bytes) -> None:
        """It was moved away, or turned out to be an environment."""
        for number, path in list(self._paths.items()):
            if path == top or path.startswith(top + b"/"):
                self._forget(number)

    def read(self, on_event: Callable[[bytes, int, bytes], None]) -> bool:
        """Tells `on_event` of each event: directory, mask, name. False if some were lost, or there are too many."""
        if self.fd is None or not self.complete:
            return False
        until = monotonic() + LONGEST_LOOK
        while True:
            try:
                data = os.read(self.fd, BUFFER)
            except BlockingIOError:
                return True
            at = 0
            while at < len(data):
                number, mask, _, length = EVENT.unpack_from(data, at)
                name = data[at + 16 : at + 16 + length].rstrip(b"\0")
                at += 16 + length
                if mask & OVERFLOW:
                    return False
                if mask & IGNORED:
                    self._paths.pop(number, None)
                elif name and number in self._paths:
                    on_event(self._paths[number], mask, name)
                if monotonic() > until:
                    return False

    def _watch(self, path: bytes) -> int | None:
        if self.fd is None:
            return None
        if len(self._paths) == MOST:
            self.complete = False
            return None
        number = libc.inotify_watch(self.fd, path, MASK)
        if number is not None:
            self._paths[number] = path
        elif os.access(path, os.R_OK):
            # Neither gone nor closed to us, so there is no room for another watch.
            self.complete = False
        return number

    def _forget(self, number: int | None) -> None:
        """What was queued under this number meanwhile is heard no more."""
        if self.fd is not None and number is not None and self._paths.pop(number, None) is not None:
            libc.inotify_forget(self.fd, number)


def _list(path: bytes, wants_files: bool, marks: Collection[bytes]) -> tuple[list[bytes] | None, list[DirEntry[bytes]]]:
    """The directories and files in one that count; None for an environment, and for what is gone or closed to us."""
    inner: list[bytes] = []
    files: list[DirEntry[bytes]] = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                name = entry.name
                if name in marks:
                    return None, files
                if not counts(name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if len(entry.path) < LONGEST_PATH:
                        inner.append(entry.path)
                elif wants_files:
                    files.append(entry)
    except OSError:
        return None, files
    return inner, files
