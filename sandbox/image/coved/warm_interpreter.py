"""The warm interpreter, seen from the daemon: started when a session is wanted, dismissed when none was for a while."""

from __future__ import annotations

import _signal
import _socket
import marshal
import os
from time import monotonic

from coved.loop import READ
from coved.refusal import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.loop import Loop, Timer
    from coved.workers import Workers

PYTHON = b"/usr/bin/python3"
# Isolated, so that what users install can't keep sessions from starting; sessions add it to their own path.
ARGUMENTS = (PYTHON, b"-I", b"-u", b"/usr/lib/cove/cove_kernel/__main__.py")
KEEP = 60
READY = b"warm"


class WarmInterpreter:
    def __init__(self, loop: Loop, workers: Workers, environment: dict[bytes, bytes]) -> None:
        self._loop = loop
        self._workers = workers
        self._environment = environment
        self._socket: _socket.socket | None = None
        self._pid: int | None = None
        self._timer: Timer | None = None
        self._until = 0.0
        self._ready = False
        self._waiting: list[Callable[[], None]] = []

    @property
    def pids(self) -> list[int]:
        return [] if self._pid is None else [self._pid]

    def warm(self, seconds: float = KEEP, then: Callable[[], None] | None = None) -> None:
        """Makes sure that it is there, and for how long from now on; `then` is called once it has imported all."""
        if self._socket is None:
            self._spawn()
        self._keep(max(seconds, KEEP))
        if then is not None:
            self._waiting.append(then)
            if self._ready:
                self._tell()

    def fork(self, session: str) -> list[_socket.socket]:
        """Asks for a session and returns our sockets to its reaper and to itself; both answer once it is there."""
        near, far = _socket_pairs()
        try:
            self._make_sure()
            if not self._ask(session, far):
                # Killed by somebody: another one, once.
                self._make_sure()
                if not self._ask(session, far):
                    raise Refusal("too_many_processes", "Python could not be started: end some processes first")
        except BaseException:
            for sock in near:
                sock.close()
            raise
        finally:
            for sock in far:
                sock.close()
        return near

    def _make_sure(self) -> None:
        """It is in use, so it stays for a while, or as long as was asked for before."""
        left = self._until - monotonic() if self._socket is not None else 0
        self.warm(max(KEEP, left))

    def _keep(self, seconds: float) -> None:
        self._until = monotonic() + seconds
        self._loop.cancel(self._timer)
        self._timer = self._loop.after(seconds, self._leave)

    def _ask(self, session: str, sockets: list[_socket.socket]) -> bool:
        if self._socket is None:
            return False
        packed = b"".join([sock.fileno().to_bytes(4, "little") for sock in sockets])
        try:
            self._socket.sendmsg([marshal.dumps(session)], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
        except OSError:
            self._leave()
            return False
        return True

    def _spawn(self) -> None:
        here, there = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET | _socket.SOCK_CLOEXEC)
        actions: list[tuple[int, int, int] | tuple[int, int, bytes, int, int]] = [
            (os.POSIX_SPAWN_DUP2, there.fileno(), 3)
        ]
        actions += [(os.POSIX_SPAWN_OPEN, fd, b"/dev/null", os.O_RDWR, 0) for fd in (0, 1)]
        try:
            with self._workers.as_first_victim():
                self._pid = os.posix_spawn(
                    PYTHON,
                    ARGUMENTS,
                    self._environment,
                    file_actions=actions,
                    setsid=True,
                    setsigdef=[_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ],
                    setsigmask=(),
                )
        except OSError as error:
            here.close()
            raise Refusal("too_many_processes", "Python could not be started: end some processes first") from error
        finally:
            there.close()
        here.setblocking(False)
        self._socket = here
        self._loop.watch(here.fileno(), READ, self._heard)

    def _heard(self, events: int) -> None:
        if self._socket is None:
            return
        try:
            said = self._socket.recv(16)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if said != READY or self._ready:
            return self._leave()
        self._ready = True
        self._tell()

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()

    def _leave(self) -> None:
        self._loop.cancel(self._timer)
        self._ready = False
        # Whoever waited finds out when it is used: then another one is started.
        self._tell()
        if self._socket is not None:
            self._loop.forget(self._socket.fileno())
            self._socket.close()
        self._socket = self._pid = None


def _socket_pairs() -> tuple[list[_socket.socket], list[_socket.socket]]:
    """Two pairs: one to the reaper, one to the session."""
    kind = _socket.SOCK_SEQPACKET | _socket.SOCK_CLOEXEC
    pairs = [_socket.socketpair(_socket.AF_UNIX, kind) for _ in range(2)]
    return [here for here, _ in pairs], [there for _, there in pairs]
