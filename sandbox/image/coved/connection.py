"""One connection of the server: bytes in and out, the greeting, and an end to silence."""

from __future__ import annotations

import _signal
from _collections import deque

from coved.framing import (
    ACK,
    BYE,
    HELLO,
    PING,
    PONG,
    SEQUENCED,
    U64,
    VERSION,
    BadFrame,
    Decoder,
    encode,
)
from coved.loop import READ, WRITE
from coved.messages import dumps, loads
from coved.processes import send as send_signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

    from coved.listener import Listener
    from coved.loop import Loop
    from coved.pipe_session import PipeSession

SILENT_TICKS = 3
READ_SIZE = 64 * 1024
JOIN_SIZE = 256 * 1024


class Connection:
    def __init__(self, loop: Loop, sock: socket, relay: int, listener: Listener) -> None:
        self.session: PipeSession | None = None
        self.open = True
        self._loop = loop
        self._socket = sock
        self._relay = relay
        self._listener = listener
        self._decoder = Decoder()
        self._out: deque[bytes] = deque()
        self._blocked = False
        self._quiet_ticks = 0
        sock.setblocking(False)
        loop.watch(sock.fileno(), READ, self._ready)
        self._timer = loop.after(listener.tick_seconds, self._tick)

    def send(self, frame: bytes) -> None:
        self._out.append(frame)

    def flush(self) -> None:
        if not self._out or self._blocked or not self.open:
            return
        try:
            while self._out:
                batch, size = [], 0
                while self._out and size < JOIN_SIZE:
                    batch.append(self._out.popleft())
                    size += len(batch[-1])
                data = batch[0] if len(batch) == 1 else b"".join(batch)
                sent = self._socket.send(data)
                if sent < len(data):
                    self._out.appendleft(data[sent:])
        except BlockingIOError:
            self._out.appendleft(data)
            self._blocked = True
            self._loop.change(self._socket.fileno(), READ | WRITE)
        except OSError:
            return self.close()
        if self._relay > 1:
            # Code in the sandbox may have stopped it, and nothing would arrive: what it is to carry wakes it sooner.
            send_signal(self._relay, _signal.SIGCONT)

    def close(self, reason: str | None = None) -> None:
        if not self.open:
            return
        if reason is not None:
            self._out.append(encode(BYE, 0, 0, dumps({"reason": reason})))
            self._blocked = False
            self.flush()
        if not self.open:
            return
        self.open = False
        self._loop.cancel(self._timer)
        self._loop.forget(self._socket.fileno())
        self._socket.close()
        # The relay of a server that crashed would wait for input forever.
        if self._relay > 1:
            send_signal(self._relay, _signal.SIGTERM)
            send_signal(self._relay, _signal.SIGCONT)
        self._listener.closed(self)

    def _ready(self, events: int) -> None:
        if events & WRITE and self._blocked:
            self._blocked = False
            self._loop.change(self._socket.fileno(), READ)
            self.flush()
        if not self.open or not events & ~WRITE:
            return
        try:
            data = self._socket.recv(READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.close()
        self._quiet_ticks = 0
        try:
            for kind, channel, stream, payload in self._decoder.feed(data):
                self._receive(kind, channel, stream, payload)
                if not self.open:
                    return
        except BadFrame as error:
            self._listener.violated(self, str(error))

    def _receive(self, kind: int, channel: int, stream: int, payload: bytes) -> None:
        if self.session is None:
            return self._greet(kind, payload)
        if kind in SEQUENCED:
            self.session.receive(kind, channel, stream, payload)
        elif kind in (PING, ACK):
            if len(payload) != 8:
                raise BadFrame(f"an acknowledgement of {len(payload)} bytes")
            self.session.acknowledge(U64.unpack(payload)[0])
            if kind == PING:
                self.send(encode(PONG, 0, 0, U64.pack(self.session.received)))
        elif kind == BYE:
            self._listener.left(self)
        else:
            raise BadFrame(f"a frame of type {kind} from the server")

    def _greet(self, kind: int, payload: bytes) -> None:
        try:
            hello = loads(payload) if kind == HELLO else {}
        except ValueError:
            hello = {}
        name, seen = hello.get("session"), hello.get("received")
        if hello.get("version") != VERSION:
            raise BadFrame(f"this daemon speaks version {VERSION}")
        if not isinstance(name, str) or not 8 <= len(name) <= 64 or type(seen) is not int:
            raise BadFrame("a greeting without a session")
        self._listener.greeted(self, name, seen)

    def _tick(self) -> None:
        # Ticks are counted, not seconds: a container that was frozen for an hour has missed one.
        self._quiet_ticks += 1
        if self._quiet_ticks > SILENT_TICKS:
            return self.close("silence")
        self._listener.tick()
        self._timer = self._loop.after(self._listener.tick_seconds, self._tick)
