"""Pipes that background processes still write to after their shell has gone: emptied slowly, so none blocks or dies."""

from __future__ import annotations

import os

from coved.loop import READ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.loop import Loop

PAUSE = 0.1
CHUNK = 64 * 1024
MOST = 128


class Leftovers:
    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._fds: list[int] = []

    def add(self, fd: int) -> None:
        self._fds.append(fd)
        self._loop.watch(fd, READ, lambda events: self._drain(fd))
        while len(self._fds) > MOST:
            self._close(self._fds[0])

    def _drain(self, fd: int) -> None:
        try:
            if not os.read(fd, CHUNK):
                return self._close(fd)
        except BlockingIOError:
            return
        # What writes without end gets a share, not the whole processor.
        self._loop.forget(fd)
        self._loop.after(PAUSE, lambda: self._watch_again(fd))

    def _watch_again(self, fd: int) -> None:
        if fd in self._fds:
            self._loop.watch(fd, READ, lambda events: self._drain(fd))

    def _close(self, fd: int) -> None:
        self._loop.forget(fd)
        self._fds.remove(fd)
        os.close(fd)
