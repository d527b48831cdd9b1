"""All Python sessions by name, and the warm interpreter that new ones are forked from."""

from __future__ import annotations

import os
from time import monotonic

from coved.cell import Cell
from coved.interpreter import Interpreter
from coved.libc import give_memory_back
from coved.processes import read_file
from coved.refusal import Refusal
from coved.warm_interpreter import WarmInterpreter
from coved.workers import make_pipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.arguments import CellOptions
    from coved.executions import Executions
    from coved.loop import Timer
    from coved.processes import Process, Table

MOST_SESSIONS = 8
TIDY_AFTER = 3
# A session leaves its name here, so that the next of that name can tell that variables were lost.
TRACES = b"/.cache/cove/sessions/"


class Python:
    def __init__(self, executions: Executions, environment: dict[bytes, bytes], workspace: bytes) -> None:
        self.loop = executions.loop
        self.sessions: dict[str, Interpreter] = {}
        self._executions = executions
        self._workspace = workspace
        self._warm = WarmInterpreter(executions.loop, executions.workers, environment)
        self._tidying: Timer | None = None
        # Those that are being ended still have processes.
        self._leaving: list[Interpreter] = []

    def cell(self, name: str, options: CellOptions) -> Cell:
        """A cell in the queue of its session, which is started if there is none."""
        session = options.order["session"]
        if session not in self.sessions:
            if len(self.sessions) >= MOST_SESSIONS:
                raise Refusal("too_many_sessions", f"{MOST_SESSIONS} Python sessions are open: reset one first")
            self._start(session)
        cell = Cell(self._executions, name, options, make_pipes(0, 0, 0))
        self.sessions[session].add(cell)
        return cell

    def reset(self, session: str) -> bool:
        """Ends a session; the next cell of that name begins afresh, as was asked for."""
        interpreter = self.sessions.get(session)
        self._forget_trace(session)
        if interpreter is not None:
            interpreter.end("it was reset")
        return interpreter is not None

    def prewarm(self, seconds: float, then: Callable[[], None]) -> None:
        self._warm.warm(seconds, then)

    def ends(self, interpreter: Interpreter) -> None:
        """From now on a new session may have its name; who waited for the old one waits for that."""
        self._leaving.append(interpreter)
        if self.sessions.get(interpreter.name) is interpreter:
            del self.sessions[interpreter.name]
        waiting = list(interpreter.waiting)
        interpreter.waiting.clear()
        if waiting and not self._start_again(interpreter):
            for cell in waiting:
                cell.lost(256, interpreter.why)
            return
        for cell in waiting:
            self.sessions[interpreter.name].add(cell)

    def tidy_soon(self) -> None:
        """Results are large, and many sandboxes are idle most of the time."""
        self.loop.cancel(self._tidying)
        self._tidying = self.loop.after(TIDY_AFTER, give_memory_back)

    def gone(self, interpreter: Interpreter) -> None:
        self._leaving.remove(interpreter)

    def own_pids(self) -> set[int]:
        """Ours rather than anybody's work: the warm interpreter, reapers, and sessions themselves."""
        pids = [pid for interpreter in self._all() for pid in interpreter.own_pids]
        return set(pids + self._warm.pids)

    def leftovers(self, table: Table) -> list[Process]:
        """What cells left running in sessions that have nothing to do."""
        idle = [interpreter for interpreter in self._all() if interpreter.current is None]
        return [process for interpreter in idle for process in interpreter.leftovers(table)]

    def report(self) -> list[dict[str, object]]:
        now = monotonic()
        return [
            {
                "name": name,
                "busy": interpreter.current is not None,
                "waiting": len(interpreter.waiting),
                "age_ms": round((now - interpreter.started) * 1000),
                "idle_ms": 0 if interpreter.current else round((now - interpreter.used) * 1000),
                "memory": _memory_of(interpreter.pid),
            }
            for name, interpreter in self.sessions.items()
        ]

    def _forget_trace(self, session: str) -> None:
        try:
            os.unlink(self._workspace + TRACES + session.encode())
        except OSError:
            return  # it left none, or one that stays: then the next result says that it restarted

    def _start(self, session: str, attempt: int = 1) -> None:
        self.sessions[session] = Interpreter(self, session, attempt, *self._warm.fork(session))

    def _start_again(self, interpreter: Interpreter) -> bool:
        """One that never came up may have asked a warm interpreter that was just being killed: once more, then."""
        if not interpreter.ready and interpreter.attempt > 1:
            return False
        try:
            self._start(interpreter.name, 1 if interpreter.ready else 2)
        except Refusal:
            return False
        return True

    def _all(self) -> list[Interpreter]:
        return list(self.sessions.values()) + self._leaving


def _memory_of(pid: int | None) -> int | None:
    """Its share of memory: what is common to several processes is divided among them."""
    for line in (read_file(f"/proc/{pid}/smaps_rollup", 4096) or b"").splitlines() if pid else ():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None
