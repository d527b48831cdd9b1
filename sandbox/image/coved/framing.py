"""Frames: a ten-byte header (payload length, type, channel, stream) and a payload. docs/protocol.md has the table."""

from __future__ import annotations

import _struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 1
MAX_PAYLOAD = 256 * 1024
MAX_CHUNK = 64 * 1024
WINDOW = 512 * 1024

HELLO, OPEN, REPLY, DATA, CREDIT, END, CLOSE, ACK, PING, PONG, BYE = range(1, 12)
# These are numbered, kept until acknowledged and sent again after a reconnect.
SEQUENCED = frozenset((OPEN, REPLY, DATA, CREDIT, END, CLOSE))

MORE, FINAL = 0, 1  # channel of a REPLY: more to come, or the last word on its stream

HEADER = _struct.Struct(">IBBI")
U32 = _struct.Struct(">I")
U64 = _struct.Struct(">Q")


class BadFrame(Exception):
    """The other side broke the protocol; the connection is closed with this as the reason."""


def encode(kind: int, channel: int, stream: int, payload: bytes = b"") -> bytes:
    return HEADER.pack(len(payload), kind, channel, stream) + payload


class Decoder:
    """Cuts a byte stream into frames; never holds more than one frame that isn't whole."""

    def __init__(self) -> None:
        self.buffer = b""

    def feed(self, data: bytes) -> Iterator[tuple[int, int, int, bytes]]:
        buffer = self.buffer + data if self.buffer else data
        size = len(buffer)
        at = 0
        while size - at >= 10:
            length, kind, channel, stream = HEADER.unpack_from(buffer, at)
            if length > MAX_PAYLOAD or not HELLO <= kind <= BYE:
                raise BadFrame(f"frame of type {kind} with {length} bytes")
            end = at + 10 + length
            if end > size:
                break
            yield kind, channel, stream, buffer[at + 10 : end]
            at = end
        self.buffer = buffer[at:]
