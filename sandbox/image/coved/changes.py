"""Which files of the workspace changed while something ran. A change is told to everything that ran when it happened.

Watches are set up with the first run and kept from then on. Where they can't tell, because too much happened at once or
there are too many directories, one look at the files' times does.
"""

from __future__ import annotations

import os
from stat import S_ISREG
from time import monotonic, time

from coved.loop import READ
from coved.paths import decode_name
from coved.watches import CREATE, DELETE, IS_DIRECTORY, MARKS, MOVED_FROM, MOVED_TO, Watches, counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import DirEntry
    from typing import TypedDict

    from coved.loop import Loop

    class Change(TypedDict):
        path: str
        size: int
        modified_ms: int


MOST_REMEMBERED = 4096
MOST_LISTED = 200
MOST_LISTED_BYTES = 64 * 1024
# Events are read in batches: whoever writes a lot costs us little.
PAUSE = 0.02
# Files' times are as coarse as the kernel's tick.
TICK = 0.02


class Mark:
    """Where in the row of changes a run began."""

    __slots__ = ("since",)

    def __init__(self, since: int) -> None:
        self.since = since


class Changes:
    def __init__(self, loop: Loop, root: bytes) -> None:
        self._loop = loop
        self._root = root
        self._watches = Watches(root)
        self._looked = False
        self._listening: int | None = None
        self._alive: set[Mark] = set()
        # Path → when, counted in changes; the latest last.
        self._changed: dict[bytes, int] = {}
        self._count = 0
        self._lost = 0
        self._settled = 0.0

    def begin(self) -> Mark:
        """A mark for `end`."""
        self._settle()
        mark = Mark(self._count)
        self._alive.add(mark)
        self._listen()
        return mark

    def end(self, mark: Mark) -> tuple[list[Change], bool]:
        """The files that changed since, those for people first, then the latest; and whether there were more."""
        if mark not in self._alive:
            return [], False
        self._settle()
        self._alive.discard(mark)
        paths = [path for path, at in reversed(self._changed.items()) if at > mark.since]
        lost = self._lost > mark.since
        if not self._alive:
            self._changed.clear()
            self._stop_listening()
        outputs = self._root + b"/outputs/"
        paths.sort(key=lambda path: not path.startswith(outputs))
        listed, more = self._describe(paths)
        return listed, lost or more

    def _describe(self, paths: list[bytes]) -> tuple[list[Change], bool]:
        listed: list[Change] = []
        room = MOST_LISTED_BYTES
        for path in paths:
            try:
                status = os.lstat(path)
            except OSError:
                continue
            if not S_ISREG(status.st_mode):
                continue
            shown = decode_name(b"/workspace" + path[len(self._root) :])
            room -= len(shown)
            if len(listed) == MOST_LISTED or room < 0:
                return listed, True
            listed.append({"path": shown, "size": status.st_size, "modified_ms": max(0, status.st_mtime_ns // 1000000)})
        return listed, False

    def _settle(self) -> None:
        """Brings what is known up to date."""
        if not self._looked or not self._watches.read(self._heard):
            self._look()
        self._settled = time()

    def _look(self) -> None:
        """Watches everything anew and, if somebody wants to know, finds what changed since we last knew all."""
        self._stop_listening()
        if self._looked:
            self._watches.close()
            self._watches = Watches(self._root)
        self._looked = True
        since = (self._settled - TICK) * 1000000000
        whole = self._watches.add(
            self._root, (lambda entry: self._note_if_recent(entry, since)) if self._alive else None
        )
        if not whole:
            self._watches.complete = False
            if self._alive:
                self._count += 1
                self._lost = self._count
        if self._alive:
            self._listen()

    def _note_if_recent(self, entry: DirEntry[bytes], since: float) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return
        if max(status.st_ctime_ns, status.st_mtime_ns) >= since and S_ISREG(status.st_mode):
            self._note(entry.path)

    def _heard(self, directory: bytes, mask: int, name: bytes) -> None:
        path = directory + b"/" + name
        if name in MARKS and mask & (CREATE | MOVED_TO) and directory != self._root:
            self._forget_below(directory)
        elif not counts(name):
            return
        elif mask & IS_DIRECTORY:
            if mask & MOVED_FROM:
                self._forget_below(path)
            elif mask & (CREATE | MOVED_TO) and not self._watches.add(path, lambda entry: self._note(entry.path)):
                self._watches.complete = False
        elif mask & (DELETE | MOVED_FROM):
            self._changed.pop(path, None)
        else:
            self._note(path)

    def _note(self, path: bytes) -> None:
        if not self._alive:
            return
        self._changed.pop(path, None)
        self._count += 1
        self._changed[path] = self._count
        if len(self._changed) > MOST_REMEMBERED:
            self._lost = self._changed.pop(next(iter(self._changed)))

    def _forget_below(self, top: bytes) -> None:
        self._watches.forget_below(top)
        for path in [path for path in self._changed if path.startswith(top + b"/")]:
            del self._changed[path]

    def _listen(self) -> None:
        """While something runs, events are read now and then, so that the kernel's queue doesn't overflow."""
        fd = self._watches.fd
        if self._listening is None and fd is not None and self._watches.complete:
            self._listening = fd
            self._loop.watch(fd, READ, self._readable)

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._loop.forget(self._listening)
            self._listening = None

    def _readable(self, events: int) -> None:
        began = monotonic()
        self._settle()
        self._stop_listening()
        self._loop.after(max(PAUSE, 4 * (monotonic() - began)), self._listen_again)

    def _listen_again(self) -> None:
        if self._alive:
            self._listen()
