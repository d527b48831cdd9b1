"""Results on their way out: frames of kind, flags, length and bytes on a pipe that belongs to one cell."""

from __future__ import annotations

import base64
import json
import re
import struct
from os import write
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

HEADER = struct.Struct(">BBI")
MIMES = (
    *("text/plain", "text/html", "text/markdown", "text/latex", "application/json"),
    *("image/png", "image/jpeg", "image/svg+xml"),
    *("application/vnd.plotly.v1+json", "application/vnd.vegalite.v6+json", "application/vnd.vega.v6+json"),
)
# Data that the reader draws. Each version of these draws what was written for an earlier one.
FIGURE = re.compile(r"application/vnd\.(plotly|vegalite|vega)\.v\d+\+json")
# The first of these that an object has is how it is shown.
RICHEST = (
    *("application/vnd.plotly.v1+json", "application/vnd.vegalite.v6+json", "application/vnd.vega.v6+json"),
    *("image/png", "image/jpeg", "image/svg+xml"),
    *("text/html", "text/markdown", "text/latex", "application/json", "text/plain"),
)
VALUE, TWIN = 1, 2
LARGEST = 4 * 1024 * 1024
LARGEST_TWIN = 64 * 1024
MOST = 200


class Results:
    def __init__(self, fd: int, room: int) -> None:
        self._fd = fd
        self._room = room
        self._count = 0
        self._lock = Lock()

    def publish(self, data: Mapping[str, object], value: bool = False) -> None:
        """Sends the richest form of an object, and its plain text beside it."""
        data = {_current(mime): content for mime, content in data.items()}
        mime = next((mime for mime in RICHEST if data.get(mime) is not None), None)
        if mime is None:
            return
        content = _encode(mime, data[mime])
        plain = data.get("text/plain")
        flags = VALUE if value else 0
        if len(content) > LARGEST and mime != "text/plain":
            size = f"{len(content):,} bytes of {mime}"
            notice = f"[{size} are too large to show: a result holds {LARGEST:,}. Save it to a file instead.]"
            mime, content, plain = "text/plain", notice.encode(), None
        with self._lock:
            self._count += 1
            if self._count > MOST:
                return
            if self._count == MOST:
                mime, content, plain = "text/plain", b"[More results than can be shown were left out.]", None
            self._send(MIMES.index(mime), flags, _cut(content, LARGEST))
            if mime != "text/plain" and isinstance(plain, str):
                self._send(0, flags | TWIN, _cut(_encode("text/plain", plain), LARGEST_TWIN))

    def _send(self, kind: int, flags: int, content: bytes) -> None:
        if len(content) + HEADER.size > self._room:
            if self._room > 1024:
                self._room = 0
                self._write(HEADER.pack(0, 0, 64) + b"[Results too large to show together were left out.]".ljust(64))
            return
        self._room -= len(content) + HEADER.size
        self._write(HEADER.pack(kind, flags, len(content)) + content)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[write(self._fd, view) :]


def _current(mime: str) -> str:
    """A figure's type with the version that we know."""
    figure = isinstance(mime, str) and FIGURE.fullmatch(mime)
    return next((known for known in MIMES if figure and f".{figure[1]}." in known), mime)


def _encode(mime: str, content: object) -> bytes:
    if mime.endswith("json") and not isinstance(content, (str, bytes)):
        content = json.dumps(content, default=str)
    if isinstance(content, str):
        if mime in ("image/png", "image/jpeg"):
            return base64.b64decode(content)
        return content.encode("utf-8", "replace")
    return bytes(content)  # type: ignore[call-overload,no-any-return]  # what can't be bytes raises


def _cut(content: bytes, limit: int) -> bytes:
    if len(content) <= limit:
        return content
    notice = f"\n[… {len(content) - limit:,} bytes left out …]".encode()
    return content[: limit - len(notice)].decode("utf-8", "ignore").encode() + notice
