"""The way out: a port on loopback whose connections are carried to the server, one stream each. No rules live here."""

from __future__ import annotations

import _socket
import select
from _collections import deque

from coved.framing import CLOSE, MAX_CHUNK
from coved.loop import READ, WRITE, complain
from coved.pipe_session import Handler, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.loop import Loop
    from coved.pipe_session import PipeSession
    from coved.refusal import Refusal

# What can be held at all is this many windows, in both directions: code inside may open whatever it likes.
MOST_CONNECTIONS = 256
WINDOW = 64 * 1024
BACKLOG = 256
AT_ONCE = 64
OUT = 1

BROKEN = select.EPOLLERR
HUNG_UP = select.EPOLLHUP
RESET_ON_CLOSE = (1).to_bytes(4, "little") + bytes(4)


class Egress:
    def __init__(self, loop: Loop, port: int, session: Callable[[], PipeSession | None]) -> None:
        """`session` gives the session that a server listens on right now, or None."""
        self._loop = loop
        self._session = session
        self._open = 0
        self._paused = False
        try:
            self._listener = _listen(port)
        except OSError as error:
            # Everything else works without a network.
            return complain(error)
        loop.watch(self._listener.fileno(), READ, self._accept)

    def left(self) -> None:
        self._open -= 1
        self._listen_again()

    def _accept(self, events: int) -> None:
        try:
            for _ in range(AT_ONCE):
                if self._open >= MOST_CONNECTIONS:
                    # The others wait in the backlog.
                    return self._pause()
                fd = self._listener._accept()[0]  # type: ignore[attr-defined]  # typeshed leaves it out
                self._welcome(_socket.socket(fileno=fd))
        except BlockingIOError:
            return
        except OSError as error:
            # No descriptor left: it would be ready again at once, and again.
            complain(error)
            self._pause()
            self._loop.after(0.1, self._listen_again)

    def _welcome(self, sock: _socket.socket) -> None:
        session = self._session()
        if session is None:
            return sock.close()
        sock.setblocking(False)
        sock.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        self._open += 1
        EgressConnection(self._loop, sock, session, self.left)

    def _pause(self) -> None:
        if not self._paused:
            self._paused = True
            self._loop.change(self._listener.fileno(), 0)

    def _listen_again(self) -> None:
        if self._paused and self._open < MOST_CONNECTIONS:
            self._paused = False
            self._loop.change(self._listener.fileno(), READ)


class EgressConnection(Handler):
    """One connection: read as fast as the server takes it, written as fast as the client does. Its place is given
    back when both sides have closed, so that the server sets the pace."""

    def __init__(self, loop: Loop, sock: _socket.socket, session: PipeSession, left: Callable[[], None]) -> None:
        self._loop = loop
        self._socket = sock
        self._open = True
        self._left = left
        self._waiting: deque[memoryview] = deque()
        self._client_ended = False
        self._server_ended = False
        self._server_gone = False
        self._watched: int | None = READ
        self._stream = session.open(lambda session, number: EgressStream(session, number, WINDOW))
        self._stream.handler = self
        loop.watch(sock.fileno(), READ, self._ready)

    def received(self, data: bytes) -> None:
        if not self._open:
            return
        self._waiting.append(memoryview(data))
        self._flush()

    def ended(self, channel: int) -> None:
        self._server_ended = True
        self._flush()

    def credited(self, channel: int) -> None:
        self._watch()

    def closed(self) -> None:
        """The server is done with it: what it sent before its end is still delivered, if it said that this was all."""
        if self._server_gone:
            return
        self._server_gone = True
        if not self._open:
            self._left()
        elif not self._server_ended:
            self._close(reset=True)
        else:
            self._flush()

    def _ready(self, events: int) -> None:
        # Asked for, because an event may have been meant for the one that had this descriptor before.
        if events & BROKEN and self._socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_ERROR):
            return self._close(reset=True)
        if events & WRITE:
            self._flush()
        if events & (READ | HUNG_UP) and self._open and not (self._client_ended or self._server_gone):
            self._read(bool(events & HUNG_UP))

    def _read(self, hung_up: bool) -> None:
        room = min(self._stream.room(OUT), MAX_CHUNK)
        if room <= 0:
            # Both ends have said that they are done and the rest waits for credit: no event can tell us more.
            return self._unwatch() if hung_up else self._watch()
        try:
            data = self._socket.recv(room)
        except BlockingIOError:
            return
        except OSError:
            return self._close(reset=True)
        if data:
            self._stream.send(OUT, data)
        else:
            self._client_ended = True
            self._stream.end(OUT)
        self._settle()

    def _flush(self) -> None:
        if not self._open:
            return
        try:
            while self._waiting:
                data = self._waiting[0]
                count = self._socket.send(data)
                self._stream.consumed(count)
                if count == len(data):
                    self._waiting.popleft()
                else:
                    self._waiting[0] = data[count:]
            if self._server_ended and not self._server_gone and not self._client_ended:
                self._socket.shutdown(_socket.SHUT_WR)
        except BlockingIOError:
            return self._watch()
        except OSError:
            return self._close(reset=True)
        self._settle()

    def _settle(self) -> None:
        """Closes once everything was said and delivered."""
        delivered = self._server_ended and not self._waiting
        if delivered and (self._client_ended or self._server_gone):
            self._close(reset=False)
        else:
            self._watch()

    def _watch(self) -> None:
        if not self._open:
            return
        wanted = WRITE if self._waiting else 0
        if not self._client_ended and not self._server_gone and self._stream.room(OUT) > 0:
            wanted |= READ
        if self._watched is None:
            self._loop.watch(self._socket.fileno(), wanted, self._ready)
        elif wanted != self._watched:
            self._loop.change(self._socket.fileno(), wanted)
        self._watched = wanted

    def _unwatch(self) -> None:
        self._loop.forget(self._socket.fileno())
        self._watched = None

    def _close(self, reset: bool) -> None:
        self._open = False
        self._waiting.clear()
        self._loop.forget(self._socket.fileno())
        if reset:
            self._socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_LINGER, RESET_ON_CLOSE)
        self._socket.close()
        self._stream.close()
        if self._server_gone:
            self._left()


class EgressStream(Stream):
    def close(self) -> None:
        self._session.send(CLOSE, 0, self.number, b"")

    def refuse(self, refusal: Refusal) -> None:
        return  # there is no request to refuse; the connection was closed


def _listen(port: int) -> _socket.socket:
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC | _socket.SOCK_NONBLOCK)
    listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(BACKLOG)
    return listener
