"""One bash command from its start to its result: its deadline and the end of its whole tree."""

from __future__ import annotations

import _signal

from coved.ending import Ending
from coved.execution import Execution
from coved.processes import scan, send, trees
from coved.resources import of_tree
from coved.stdin import Stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.arguments import RunOptions
    from coved.changes import Mark
    from coved.executions import Executions
    from coved.processes import Process, Table
    from coved.workers import Worker

KILLED = 9


class Command(Execution):
    def __init__(
        self, executions: Executions, name: str, worker: Worker, pipes: list[int], options: RunOptions, mark: Mark
    ) -> None:
        super().__init__(executions, name, {1: pipes[0], 2: pipes[1]}, {1: options.limits, 2: options.limits})
        self.mark = mark
        self.worker: Worker | None = worker
        self.stdin = Stdin(executions.loop, pipes[2]) if options.stdin else None
        self._grace = options.grace
        self._ending: Ending | None = None
        worker.execution = self
        self._set_deadline(options.timeout)

    def end(self, reason: str) -> None:
        if self.result is not None or self.reason is not None:
            return
        self.reason = reason
        if self._grace and self._status is None:
            for process in self.tree(scan()):
                send(process.pid, _signal.SIGTERM)
            self._executions.loop.after(self._grace, self._kill)
        else:
            self._kill()

    def tree(self, table: Table) -> list[Process]:
        """Without its worker, whoever has no worker counts as one of it."""
        if self.worker is None:
            return self._executions.orphans(table)
        if self.worker.execution is not self:
            return []
        return [process for process in trees(table, [self.worker.pid]) if process.pid != self.worker.pid]

    def used(self, cpu: int, memory: int) -> None:
        """What the worker knows, or what was seen before those were ended whom it hasn't collected yet."""
        self._used = (max(cpu, self._used[0] or 0), max(memory, self._used[1] or 0))

    def shell_exited(self, status: int, left_some: bool = False) -> None:
        """The shell is gone. What it left behind lives on, unless this execution was to be ended."""
        self._status = status
        self._executions.loop.cancel(self._deadline)
        if self.reason is None and self.worker is not None:
            self._finish(left_some)
        else:
            self._kill()

    def worker_gone(self) -> None:
        """Somebody killed the worker: nobody will tell how the shell ends, so it ends here."""
        self.worker = None
        if self.running:
            self.shell_exited(KILLED)

    def _kill(self) -> None:
        if self._ending is None and self.result is None:
            self.used(*of_tree(self.tree(scan())))
            self._ending = Ending(
                self._executions.loop, self._remaining, lambda: self._status is not None, self._finish
            )

    def _remaining(self) -> list[Process]:
        if self.worker is not None:
            self.worker.wake()
        return self.tree(scan())

    def _finish(self, left_some: bool) -> None:
        if self.result is not None:
            return
        self._conclude(left_some)
        if self.stdin is not None:
            self.stdin.close()
        if self.worker is not None:
            self.worker.release()
        self._tell()
