"""One named Python session: a process that runs one cell after another, and a reaper above it for its orphans."""

from __future__ import annotations

import _signal
import _socket
import marshal
import os
from _collections import deque
from time import monotonic

from coved.completion import Completion
from coved.ending import Ending
from coved.framing import U32
from coved.loop import READ
from coved.messages import loads
from coved.processes import read_file, scan, send, trees
from coved.refusal import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.cell import Cell
    from coved.loop import Handler
    from coved.pipe_session import Stream
    from coved.processes import Process, Table
    from coved.python import Python

MOST_WAITING = 32
START_PATIENCE = 60
KILLED = 9
LONGEST_MESSAGE = 16 * 1024


class Interpreter:
    def __init__(
        self, python: Python, name: str, attempt: int, reaper: _socket.socket, control: _socket.socket
    ) -> None:
        self.name = name
        self.attempt = attempt
        self.current: Cell | None = None
        self.completing: Completion | None = None
        self.waiting: deque[Cell] = deque()
        self.over = False
        self.pid: int | None = None
        self.reaper: int | None = None
        self.started = self.used = monotonic()
        self._python = python
        self._loop = python.loop
        self.ready = self._fresh = False
        # Whether variables of a session before it were lost; unknown until it has said so.
        self._restarted: bool | None = None
        self._status: int | None = None
        self.why: str | None = None
        self._ending: Ending | None = None
        self._sockets = [reaper, control]
        self._control = control
        for sock, handler in ((reaper, self._reaper_said), (control, self._session_said)):
            sock.setblocking(False)
            self._loop.watch(sock.fileno(), READ, self._reader(sock, handler))
        self._patience = self._loop.after(START_PATIENCE, lambda: self.end("it could not be started in time"))

    @property
    def own_pids(self) -> list[int]:
        return [pid for pid in (self.reaper, self.pid) if pid is not None]

    def add(self, cell: Cell) -> None:
        if len(self.waiting) >= MOST_WAITING:
            raise Refusal("too_many_executions", f"{MOST_WAITING} cells wait for this session already")
        cell.interpreter = self
        self.waiting.append(cell)
        self._next()

    def withdraw(self, cell: Cell) -> None:
        self.waiting.remove(cell)

    def complete(self, stream: Stream, code: str, cursor: int) -> bool:
        """Whether it has time for that: not while a cell runs."""
        if not self.ready or self.pid is None or self.over or self.current is not None or self.completing is not None:
            return False
        self.completing = Completion(self, self._loop, stream, code, cursor)
        send(self.pid, _signal.SIGCONT)
        try:
            self._control.send(self.completing.order)
        except OSError:
            self.end("it closed its connection to the sandbox")
        return True

    def interrupt(self) -> None:
        """As Ctrl-C in a terminal: the session and whatever runs in its foreground."""
        if self.pid is not None:
            try:
                os.killpg(self.pid, _signal.SIGINT)
            except (ProcessLookupError, PermissionError):
                send(self.pid, _signal.SIGINT)

    def end(self, why: str) -> None:
        """Ends the session and everything below it."""
        if self._ending is not None:
            return
        self.over = True
        self.why = self.why or why
        self._loop.cancel(self._patience)
        if self.completing is not None:
            self.completing.give_up()
        if self.current is not None and self.current.may_move():
            self.waiting.appendleft(self.current)
            self.current = None
        self._python.ends(self)
        if self.pid is not None:
            # At one stroke what is still in its group, so that a crowd needs no time to go.
            send(-self.pid, _signal.SIGKILL)
        self._ending = Ending(self._loop, self._remaining, lambda: True, self._gone)

    def leftovers(self, table: Table) -> list[Process]:
        """What its cells have left running."""
        return [process for process in self.tree(table) if process.pid != self.pid]

    def tree(self, table: Table) -> list[Process]:
        roots = [pid for pid in self.own_pids if pid in table]
        return [process for process in trees(table, roots) if process.pid != self.reaper]

    def has_leftovers(self) -> bool:
        """A cheap look: whose children are there besides the session itself?"""
        return len(_children(self.reaper)) > 1 or bool(_children(self.pid))

    def _next(self) -> None:
        if not self.ready or self.pid is None or self.over or not self.waiting:
            return
        if self.current is not None or self.completing is not None:
            return
        cell = self.current = self.waiting.popleft()
        cell.about_to_run()
        send(self.pid, _signal.SIGCONT)
        packed = b"".join([fd.to_bytes(4, "little") for fd in cell.pipes])
        try:
            order = marshal.dumps(cell.order)  # type: ignore[arg-type]  # a plain dictionary when it runs
            self._control.sendmsg([order], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
        except OSError:
            self.end("it closed its connection to the sandbox")

    def _reader(self, sock: _socket.socket, handler: Callable[[bytes, bytes], None]) -> Handler:
        return lambda events: self._hear(sock, handler)

    def _hear(self, sock: _socket.socket, handler: Callable[[bytes, bytes], None]) -> None:
        try:
            message = sock.recv(LONGEST_MESSAGE)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if not message:
            self._close(sock)
        handler(message[:1], message[1:])

    def _reaper_said(self, kind: bytes, rest: bytes) -> None:
        if kind == b"k" and self.reaper is None and len(rest) == 4:
            self.reaper = U32.unpack(rest)[0]
        elif kind == b"p" and self.pid is None and len(rest) == 4:
            self.pid = U32.unpack(rest)[0]
            self._become_ready()
        elif kind == b"x" and self._status is None and len(rest) == 4:
            self._status = U32.unpack(rest)[0]
            self.end(_how(self._status))
        else:
            self.end("the process above it was killed" if self.ready else "it could not be started")

    def _session_said(self, kind: bytes, rest: bytes) -> None:
        if self.over:
            return
        cell, completion = self.current, self.completing
        if kind == b"r" and self._restarted is None:
            self._restarted = rest == b"1"
            self._become_ready()
        elif kind == b"b" and cell is not None and rest.startswith(cell.token) and not cell.begun and self.pid:
            cell.begins(self.pid, self._fresh and self._restarted is True)
            self._fresh = False
        elif kind == b"d" and cell is not None and rest.startswith(cell.token) and cell.begun:
            self._done(cell, rest[len(cell.token) :])
        elif kind == b"c" and completion is not None and rest.startswith(completion.token):
            self._completed(completion, rest[len(completion.token) :])
        elif not kind:
            # Mostly it is exiting, and its reaper is about to tell how.
            self._loop.after(0.2, lambda: self.end("it closed its connection to the sandbox"))
        else:
            self.end("it wrote nonsense to the sandbox")

    def _become_ready(self) -> None:
        """Once both have spoken: the session and its reaper have a socket each, and either may be heard first."""
        if self.pid is None or self._restarted is None:
            return
        self.ready = self._fresh = True
        self._loop.cancel(self._patience)
        self._next()

    def _done(self, cell: Cell, rest: bytes) -> None:
        try:
            report = loads(rest)
            code, error = report["exit"], _error(report.get("error"))
            if type(code) is not int or not 0 <= code <= 255:
                raise ValueError
        except (ValueError, KeyError, UnicodeDecodeError):
            return self.end("it wrote nonsense to the sandbox")
        self.used = monotonic()
        cell.done(code << 8, error, self.has_leftovers())
        self.current = None
        self._python.tidy_soon()
        self._next()

    def _completed(self, completion: Completion, rest: bytes) -> None:
        self.completing = None
        try:
            completion.answer(rest)
        except (ValueError, UnicodeDecodeError):
            completion.give_up()
            return self.end("it wrote nonsense to the sandbox")
        self._next()

    def _remaining(self) -> list[Process]:
        return self.tree(scan())

    def _gone(self, left_some: bool) -> None:
        # A moment for the reaper's last word, which is already on its way.
        if self._status is None:
            self._loop.after(0.05, self._bury)
        else:
            self._bury()

    def _bury(self) -> None:
        for sock in self._sockets[:]:
            self._close(sock)
        if self.reaper is not None:
            # Stopped by somebody, perhaps: it has to notice that there is nothing left to keep.
            send(self.reaper, _signal.SIGCONT)
        cell, self.current = self.current, None
        if cell is not None:
            cell.lost(KILLED if self._status is None else self._status, self.why)
        self._python.gone(self)

    def _close(self, sock: _socket.socket) -> None:
        if sock in self._sockets:
            self._sockets.remove(sock)
            self._loop.forget(sock.fileno())
            sock.close()


def _how(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"it exited with {code}" if code >= 0 else f"it was killed by signal {-code}"


def _error(value: object) -> dict[str, str] | None:
    """What the session says about an exception, cut to size."""
    if type(value) is not dict:
        return None
    texts = {key: value.get(key) for key in ("type", "message", "module")}
    return {key: text[:1000] for key, text in texts.items() if isinstance(text, str)}


def _children(pid: int | None) -> list[bytes]:
    return (read_file(f"/proc/{pid}/task/{pid}/children", 4096) or b"").split() if pid else []
