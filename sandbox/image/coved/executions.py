"""All executions: starts them, ends what is left of them when room is needed, remembers their results."""

from __future__ import annotations

import _signal
import os
from time import monotonic

from coved.cgroup import Cgroup
from coved.command import Command
from coved.follower import Follower
from coved.leftovers import Leftovers
from coved.processes import SELF, scan, send, stop_then_kill, trees
from coved.refusal import Refusal
from coved.workers import Workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.arguments import CellOptions, RunOptions
    from coved.changes import Change, Changes, Mark
    from coved.execution import Execution
    from coved.loop import Loop
    from coved.pipe_session import Stream
    from coved.processes import Process, Table
    from coved.python import Python
    from coved.workers import Worker

MOST_RUNNING = 64
MOST_REMEMBERED = 64
MOST_REMEMBERED_BYTES = 8 * 1024 * 1024
PIDS_RESERVE = 8
MOST_ROUNDS = 100


class Executions:
    def __init__(self, loop: Loop, workspace: bytes) -> None:
        self.loop = loop
        self._workspace = workspace
        self._changes: Changes | None = None
        self.cgroup = Cgroup()
        self.leftovers = Leftovers(loop)
        self.workers = Workers(loop)
        self.python: Python | None = None
        self.all: dict[str, Execution] = {}
        self._running = 0
        self._remembered: dict[str, int] = {}
        self._remembered_bytes = 0

    @property
    def running(self) -> int:
        return self._running

    def start(self, stream: Stream, name: str, options: RunOptions) -> None:
        self._require_place(name, options)
        mark = self.mark()
        try:
            worker, pipes = self._start(options)
        except BaseException:
            self.changes_since(mark)
            raise
        self._add(stream, Command(self, name, worker, pipes, options, mark), options)

    def start_cell(self, python: Python, stream: Stream, name: str, options: CellOptions) -> None:
        self._require_place(name, options)
        if self.is_crowded():
            self._make_room()
        self._add(stream, python.cell(name, options), options)

    def attach(self, stream: Stream, name: str, offsets: dict[int, int]) -> None:
        Follower(stream, self.find(name), offsets).pump()

    def find(self, name: str) -> Execution:
        execution = self.all.get(name)
        if execution is None:
            raise Refusal("execution_not_found", "the sandbox remembers no execution with this id")
        return execution

    def mark(self) -> Mark:
        """Right before something runs: `changes_since` tells which files changed from here on."""
        if self._changes is None:
            # Only here: a sandbox in which nothing ran yet does without the memory for this.
            from coved.changes import Changes

            self._changes = Changes(self.loop, self._workspace)
        return self._changes.begin()

    def changes_since(self, mark: Mark | None) -> tuple[list[Change], bool]:
        return self._changes.end(mark) if mark is not None and self._changes is not None else ([], False)

    def collect(self, names: list[str]) -> None:
        for name in names:
            if name in self._remembered:
                self._forget(name)

    def reap(self) -> None:
        """Workers that left, and orphans of workers that were killed."""
        try:
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                self.workers.reaped(pid)
        except ChildProcessError:
            return

    def orphans(self, table: Table) -> list[Process]:
        """What lost its worker lives on as our own child."""
        own = self.own_pids()
        lost = [pid for pid, process in table.items() if process.parent == SELF and pid not in own]
        return trees(table, lost)

    def own_pids(self) -> set[int]:
        """The daemon's own helpers rather than anybody's work."""
        return self.workers.by_pid.keys() | (self.python.own_pids() if self.python else set())

    def finished(self, execution: Execution) -> None:
        """Remembers the result; the oldest nobody is listening to go when there are too many or too much."""
        self._running -= 1
        self._remembered[execution.name] = execution.kept_bytes
        self._remembered_bytes += execution.kept_bytes
        for name in list(self._remembered) if self._has_too_much() else ():
            if name != execution.name and not self.all[name].followers:
                self._forget(name)
                if not self._has_too_much():
                    break

    def _has_too_much(self) -> bool:
        return len(self._remembered) > MOST_REMEMBERED or self._remembered_bytes > MOST_REMEMBERED_BYTES

    def _forget(self, name: str) -> None:
        self._remembered_bytes -= self._remembered.pop(name)
        del self.all[name]

    def verdict(self, execution: Execution, code: int) -> str:
        if code == 0:
            return "completed"
        if self.cgroup.oom_kills() > execution.oom_kills and (code in (-9, 137) or self._running == 1):
            return "oom"
        return "failed"

    def end_everything(self, reason: str) -> None:
        """The last resort: everything of this uid but the daemon, the relays included."""
        for execution in self.all.values():
            if execution.running:
                execution.reason = execution.reason or reason
        if SELF == 1:
            os.kill(-1, _signal.SIGKILL)
        else:
            for process in trees(scan(), [SELF]):
                if process.pid != SELF:
                    send(process.pid, _signal.SIGKILL)

    def is_crowded(self) -> bool:
        """Whether there is hardly room for another process."""
        return self.cgroup.pids_left() < PIDS_RESERVE

    def report(self) -> tuple[int, list[dict[str, object]]]:
        """How many processes there are besides the daemon's own, and how the executions stand."""
        now, table, own = monotonic(), scan(), self.own_pids()
        others = [process for process in trees(table, [SELF]) if process.pid not in own]
        summaries = [
            {
                "id": execution.name,
                "status": "running" if execution.result is None else execution.result["status"],
                "age_ms": round((now - execution.started) * 1000),
                "strays": 0 if execution.running else len(execution.tree(table)),
            }
            for execution in self.all.values()
        ]
        # The daemon itself is the root of that tree.
        return len(others) - 1, summaries

    def _require_place(self, name: str, options: RunOptions | CellOptions) -> None:
        if name in self.all:
            raise Refusal("invalid_argument", "there is an execution with this id already")
        if self.running >= MOST_RUNNING:
            raise Refusal("too_many_executions", f"{MOST_RUNNING} commands are running already")
        most = options.most_background
        if most is not None and self._in_background() >= most:
            raise Refusal("too_many_executions", f"{most} executions run in the background: stop or await one first")

    def _in_background(self) -> int:
        """Started there, or left by whoever waited."""
        running = [execution for execution in self.all.values() if execution.running]
        return sum([execution.background or not execution.followers for execution in running])

    def _add(self, stream: Stream, execution: Execution, options: RunOptions | CellOptions) -> None:
        self.all[execution.name] = execution
        self._running += 1
        execution.background = options.most_background is not None
        Follower(stream, execution)

    def _start(self, options: RunOptions) -> tuple[Worker, list[int]]:
        if self.is_crowded():
            self._make_room()
        order = (options.arguments, options.environment, options.directory, options.stdin)
        for attempt in (1, 2):
            try:
                return self.workers.start(order, options.stdin)
            except BlockingIOError:
                if attempt == 2 or not self._make_room():
                    break
        raise Refusal("too_many_processes", "the sandbox has no room for another process: end some first")

    def _make_room(self) -> bool:
        """What finished executions left behind is the first to go. Returns whether there was anything."""
        stopped: set[tuple[int, int]] = set()
        any_victims = False
        for _ in range(MOST_ROUNDS):
            table = scan()
            victims = self.orphans(table)
            for worker in list(self.workers.by_pid.values()):
                if worker.execution is not None and not worker.execution.running:
                    victims += worker.execution.tree(table)
                    worker.wake()
            if self.python is not None:
                victims += self.python.leftovers(table)
            if not victims:
                break
            any_victims = True
            stop_then_kill(victims, stopped)
            self.reap()
        return any_victims
