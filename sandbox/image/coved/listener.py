"""The way to the server: a listening socket that heals itself, one session, and the newest connection wins."""

from __future__ import annotations

import _socket
import os

from coved.connection import Connection
from coved.framing import HELLO, VERSION, encode
from coved.loop import READ
from coved.messages import dumps
from coved.pipe_session import PipeSession

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.loop import Loop, Timer
    from coved.messages import Message
    from coved.pipe_session import Stream

KEEP_SESSION = 60
LOOK_AFTER_SOCKET = 5
MAX_CONNECTIONS = 8


class Listener:
    def __init__(
        self,
        loop: Loop,
        path: str,
        boot_id: str,
        answer: Callable[[Stream, Message], None],
        tick_seconds: float,
        trust_anyone: bool = False,
    ) -> None:
        self.tick_seconds = tick_seconds
        self._loop = loop
        self._path = path
        self._boot_id = boot_id
        self._answer = answer
        self._trust_anyone = trust_anyone
        self._connections: list[Connection] = []
        self._session: PipeSession | None = None
        self._expiry: Timer | None = None
        self._watch: Timer | None = None
        self._socket: _socket.socket | None = None
        self._identity: tuple[int, int] | None = None
        self._listen()
        loop.before_wait.append(self._flush)

    def live_session(self) -> PipeSession | None:
        """The session of a server that is connected right now, or None."""
        session = self._session
        return session if session is not None and session.connected else None

    def greeted(self, connection: Connection, name: str, seen: int) -> None:
        session = self._session
        resumed = session is not None and session.name == name and session.can_resume(seen)
        self._drop_others(connection)
        if session is None or not resumed:
            self._expire()
            session = self._session = PipeSession(name, self._answer)
        hello = {"version": VERSION, "boot": self._boot_id, "resumed": resumed, "received": session.received}
        connection.send(encode(HELLO, 0, 0, dumps(hello)))
        session.resume(connection, seen if resumed else 0)
        connection.session = session
        self._loop.cancel(self._expiry)
        self._loop.cancel(self._watch)

    def closed(self, connection: Connection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
        if connection.session is not None and connection.session is self._session:
            self._session.pause()
            self._expiry = self._loop.after(KEEP_SESSION, self._expire)
        if not self._connections:
            self.tick()
            self._watch_socket()

    def violated(self, connection: Connection, reason: str) -> None:
        """Whoever breaks the protocol is not picked up where they left off."""
        if connection.session is not None and connection.session is self._session:
            self._expire()
        connection.close(reason)

    def left(self, connection: Connection) -> None:
        if connection.session is self._session:
            self._expire()
        connection.close()

    def tick(self) -> None:
        """Code in the sandbox may unlink the socket or put its own in its place: take the path back."""
        try:
            status = os.lstat(self._path)
            if (status.st_dev, status.st_ino) == self._identity:
                return
        except OSError:
            self._identity = None
        self._listen()

    def _listen(self) -> None:
        if self._socket is not None:
            self._loop.forget(self._socket.fileno())
            self._socket.close()
            self._socket = None
        folder = self._path.rpartition("/")[0]
        os.chmod(folder, 0o700)
        if os.path.lexists(self._path):
            _get_rid_of(self._path)
        listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC | _socket.SOCK_NONBLOCK)
        listener.bind(self._path)
        listener.listen(128)
        status = os.lstat(self._path)
        self._identity = (status.st_dev, status.st_ino)
        self._socket = listener
        self._loop.watch(listener.fileno(), READ, lambda events: self._accept(listener))

    def _watch_socket(self) -> None:
        self._loop.cancel(self._watch)
        self._watch = self._loop.after(LOOK_AFTER_SOCKET, self._look_after_socket)

    def _look_after_socket(self) -> None:
        # Again first: a failure to listen is no reason to stop trying.
        self._watch_socket()
        self.tick()

    def _accept(self, listener: _socket.socket) -> None:
        try:
            while True:
                self._welcome(listener._accept()[0])  # type: ignore[attr-defined]  # typeshed leaves it out
        except BlockingIOError:
            return

    def _welcome(self, fd: int) -> None:
        sock = _socket.socket(fileno=fd)
        peer = int.from_bytes(sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)[:4], "little")
        if not self._trust_anyone and _parent_of(peer) != 0:
            return sock.close()
        if len(self._connections) >= MAX_CONNECTIONS:
            self._drop_a_silent_one()
        self._connections.append(Connection(self._loop, sock, 0 if self._trust_anyone else peer, self))

    def _drop_others(self, connection: Connection) -> None:
        for other in self._connections[:]:
            if other is not connection and other.session is not None:
                other.session = None
                other.close("replaced")

    def _drop_a_silent_one(self) -> None:
        """Connections that never greeted make room for one that might."""
        for connection in self._connections:
            if connection.session is None:
                return connection.close("too many connections")

    def _expire(self) -> None:
        self._loop.cancel(self._expiry)
        session, self._session = self._session, None
        if session is not None:
            session.end()

    def _flush(self) -> None:
        for connection in self._connections[:]:
            connection.flush()


def _get_rid_of(path: str) -> None:
    try:
        os.unlink(path)
    except IsADirectoryError:
        os.rename(path, f"{path}-{os.urandom(8).hex()}")


def _parent_of(pid: int) -> int:
    """Only a process that was put into the container from outside (`docker exec`) has no parent in it."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b") ")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return -1
