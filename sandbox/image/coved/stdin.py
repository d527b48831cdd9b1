"""A command's standard input: what has come but doesn't fit yet waits here, at most a window of it."""

from __future__ import annotations

import os
from _collections import deque

from coved.loop import WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.loop import Loop
    from coved.pipe_session import Stream


class Stdin:
    def __init__(self, loop: Loop, fd: int) -> None:
        self._loop = loop
        self._fd: int | None = fd
        self._waiting: deque[tuple[memoryview, Stream]] = deque()
        self._watched = False
        self._ending = False

    def write(self, data: bytes, stream: Stream) -> None:
        if self._fd is None or self._ending:
            # Nobody reads any more; what still arrives is taken and dropped.
            return stream.consumed(len(data))
        self._waiting.append((memoryview(data), stream))
        if not self._watched:
            self._flush()

    def end(self) -> None:
        self._ending = True
        if not self._waiting:
            self.close()

    def close(self) -> None:
        if self._fd is None:
            return
        if self._watched:
            self._loop.forget(self._fd)
        os.close(self._fd)
        self._fd = None
        while self._waiting:
            data, stream = self._waiting.popleft()
            stream.consumed(len(data))

    def _flush(self, events: int = 0) -> None:
        if self._fd is None:
            return
        try:
            while self._waiting:
                data, stream = self._waiting[0]
                count = os.write(self._fd, data)
                stream.consumed(count)
                if count == len(data):
                    self._waiting.popleft()
                else:
                    self._waiting[0] = (data[count:], stream)
        except BlockingIOError:
            if not self._watched:
                self._watched = True
                self._loop.watch(self._fd, WRITE, self._flush)
            return
        except OSError:
            return self.close()
        if self._watched:
            self._watched = False
            self._loop.forget(self._fd)
        if self._ending:
            self.close()
