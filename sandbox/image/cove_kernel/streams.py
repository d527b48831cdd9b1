"""Standard output and error: a pipe of its own for each cell, whatever the last one did to them."""

from __future__ import annotations

import io
import os
import sys
from time import monotonic

FLUSHES_PER_SECOND = 1000
BUFFER = 32 * 1024


class Streams:
    def __init__(self) -> None:
        self._nothing = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        self._own: dict[int, io.TextIOWrapper] = {}
        for fd in (1, 2):
            os.dup2(self._nothing, fd)

    def open(self, stdout: int, stderr: int) -> None:
        for fd, name, pipe in ((1, "stdout", stdout), (2, "stderr", stderr)):
            os.dup2(pipe, fd)
            os.close(pipe)
            # The same object as before where it still works: loggers hold on to it.
            stream = self._own.get(fd)
            if stream is None or stream.closed or stream.buffer.closed:
                stream = self._own[fd] = _text_on(fd)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)

    def close(self) -> None:
        """What is written between cells, by threads or late, goes nowhere."""
        for fd, name in ((1, "stdout"), (2, "stderr")):
            own = self._own.get(fd)
            theirs = getattr(sys, name, None)
            if theirs is not None and theirs is not own:
                _try(theirs, "flush")
            _try(own, "flush")
            _try(own and own.buffer, "flush_all")
            os.dup2(self._nothing, fd)


class _Patient(io.BufferedWriter):
    """Line by line, so that output comes live, unless there are so many lines that nobody could follow."""

    _left = 1
    _since = 0.0

    def flush(self) -> None:
        self._left -= 1
        if self._left > 0:
            super().flush()
        elif not self._left & 63 and monotonic() - self._since > 1:
            self._left, self._since = FLUSHES_PER_SECOND, monotonic()
            super().flush()

    def flush_all(self) -> None:
        self._left, self._since = 1, 0.0
        super().flush()


def _text_on(fd: int) -> io.TextIOWrapper:
    raw = _Patient(io.FileIO(fd, "w", closefd=False), BUFFER)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _try(stream: object, method: str) -> None:
    try:
        getattr(stream, method)()
    except Exception:
        return  # closed, or something of theirs that can't be flushed
