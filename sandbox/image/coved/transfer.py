"""File contents on a stream: read as fast as the server takes them, written beside the target and then moved there."""

from __future__ import annotations

import os
from stat import S_IMODE

from coved.files import describe
from coved.framing import MAX_CHUNK
from coved.paths import NODE, open_regular, require_regular
from coved.pipe_session import Handler
from coved.refusal import from_os_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.paths import Roots
    from coved.pipe_session import Stream

BODY = 1


class Reading(Handler):
    def __init__(self, roots: Roots, stream: Stream, path: object, offset: int, length: int | None) -> None:
        node = roots.node(path)
        try:
            self._fd: int | None = open_regular(node, os.O_RDONLY)
        finally:
            os.close(node)
        self._stream = stream
        self._offset = offset
        self._left = length
        stream.handler = self
        stream.reply({"stat": describe(b"", os.fstat(self._fd))})
        self.credited(BODY)

    def credited(self, channel: int) -> None:
        try:
            while self._fd is not None and (room := self._stream.room(BODY)) > 0:
                want = min(room, MAX_CHUNK, MAX_CHUNK if self._left is None else self._left)
                data = os.pread(self._fd, want, self._offset) if want else b""
                if not data:
                    self.closed()
                    return self._stream.finish({})
                self._offset += len(data)
                if self._left is not None:
                    self._left -= len(data)
                self._stream.send(BODY, data)
        except OSError as error:
            self.closed()
            self._stream.refuse(from_os_error(error))

    def closed(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


class Writing(Handler):
    """Replaces a file by renaming a finished one over it, or appends in place."""

    def __init__(self, roots: Roots, stream: Stream, path: object, append: bool, make: bool, mode: int) -> None:
        self._stream = stream
        self._written = 0
        self._name: bytes | None = None
        self._folder, self._target = roots.parent(path, writing=True, make=make)
        try:
            existing = self._look()
            if append:
                self._fd: int | None = self._open_end(existing, mode)
            else:
                self._fd = self._open_beside(existing, mode)
        except BaseException:
            os.close(self._folder)
            raise
        stream.handler = self

    def received(self, data: bytes) -> None:
        if self._fd is None:
            return self._stream.consumed(len(data))
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self.closed()
            return self._stream.refuse(from_os_error(error))
        self._written += len(data)
        self._stream.consumed(len(data))

    def ended(self, channel: int) -> None:
        if self._fd is None:
            return
        try:
            if self._name is not None:
                os.rename(self._name, self._target, src_dir_fd=self._folder, dst_dir_fd=self._folder)
                self._name = None
            size = os.fstat(self._fd).st_size
        except OSError as error:
            self.closed()
            return self._stream.refuse(from_os_error(error))
        self.closed()
        self._stream.finish({"bytes": self._written, "size": size})

    def closed(self) -> None:
        """Whatever isn't finished leaves nothing behind."""
        if self._fd is None:
            return
        os.close(self._fd)
        self._fd = None
        try:
            if self._name is not None:
                os.unlink(self._name, dir_fd=self._folder)
        except FileNotFoundError:
            self._name = None
        finally:
            os.close(self._folder)

    def _look(self) -> int | None:
        """An open node of what is there now, if it is something that can be written to."""
        try:
            node = os.open(self._target, NODE, dir_fd=self._folder)
        except FileNotFoundError:
            return None
        try:
            require_regular(node)
        except BaseException:
            os.close(node)
            raise
        return node

    def _open_end(self, existing: int | None, mode: int) -> int:
        if existing is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_APPEND | os.O_CLOEXEC
            return os.open(self._target, flags, mode, dir_fd=self._folder)
        try:
            return open_regular(existing, os.O_WRONLY | os.O_APPEND)
        finally:
            os.close(existing)

    def _open_beside(self, existing: int | None, mode: int) -> int:
        if existing is not None:
            mode = S_IMODE(os.fstat(existing).st_mode)
            os.close(existing)
        name = b".cove-%s.tmp" % os.urandom(6).hex().encode()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(name, flags, 0o600, dir_fd=self._folder)
        self._name = name
        os.fchmod(fd, mode & 0o777)
        return fd
