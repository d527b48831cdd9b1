"""What a command wrote: the beginning and the end are kept, the middle of too much is only counted."""

from __future__ import annotations

from _collections import deque


class Output:
    def __init__(self, head_size: int, tail_size: int) -> None:
        self.total = 0
        self.head = bytearray()
        self._head_size = head_size
        self._tail_size = tail_size
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0

    @property
    def kept_bytes(self) -> int:
        return len(self.head) + self._tail_bytes

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self._head_size - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        if data and self._tail_size:
            self._tail.append(data)
            self._tail_bytes += len(data)
            while self._tail_bytes - len(self._tail[0]) >= self._tail_size:
                self._tail_bytes -= len(self._tail.popleft())

    def close(self) -> None:
        """No more comes: the tail becomes one piece of its exact size."""
        tail = b"".join(self._tail)[-self._tail_size :] if self._tail_size else b""
        self._tail = deque((tail,)) if tail else deque()
        self._tail_bytes = len(tail)

    def after(self, offset: int, limit: int, closed: bool) -> tuple[int, bytes]:
        """The next piece from `offset`, and where it begins; the tail only once nothing more can come."""
        if offset < len(self.head):
            return offset, bytes(self.head[offset : offset + limit])
        if not closed or not self._tail:
            return offset, b""
        start = max(offset, self.total - self._tail_bytes)
        skip = start - (self.total - self._tail_bytes)
        return start, self._tail[0][skip : skip + limit]

    def finished(self, offset: int) -> bool:
        return offset >= (self.total if self._tail else len(self.head))
