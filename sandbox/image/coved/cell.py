"""One piece of Python in a session, from its place in the queue to its result."""

from __future__ import annotations

import os

from coved.execution import Execution
from coved.resources import Meter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from coved.arguments import CellOptions, CellOrder
    from coved.execution import Result
    from coved.executions import Executions
    from coved.interpreter import Interpreter
    from coved.loop import Timer
    from coved.processes import Process, Table

    class TokenedOrder(CellOrder):
        token: bytes


RESULTS = 3
INTERRUPT_GRACE = 2


class Cell(Execution):
    # The session it is given to, and from the moment it has begun, what it uses there.
    interpreter: Interpreter
    _meter: Meter

    def __init__(
        self, executions: Executions, name: str, options: CellOptions, pipes: tuple[list[int], list[int]]
    ) -> None:
        near, self._far = pipes
        limits = {1: options.limits, 2: options.limits, RESULTS: (options.results, 0)}
        super().__init__(executions, name, dict(zip((1, 2, RESULTS), near, strict=True)), limits)
        # What the session says about a cell begins with this, so that code has to go out of its way to lie.
        self.token = os.urandom(8).hex().encode()
        self.order: TokenedOrder = {**options.order, "token": self.token}
        self.begun = self._moved = False
        self.restarted = False
        self._timeout = options.timeout
        self._grace = options.grace or INTERRUPT_GRACE
        self._error: Mapping[str, str] | None = None
        self._killer: Timer | None = None

    @property
    def session(self) -> str:
        return self.order["session"]

    @property
    def pipes(self) -> list[int]:
        """The ends that go to the session. They are kept until it has begun: the session may turn out to be dead."""
        return self._far

    def about_to_run(self) -> None:
        """It is about to be given to its session, perhaps a second time."""
        self.mark = self.mark or self._executions.mark()

    def may_move(self) -> bool:
        """Whether another session can have it, once: it has not begun, and nobody wants it to end."""
        moves, self._moved = not (self.begun or self._moved or self.reason), True
        return moves

    def begins(self, pid: int, restarted: bool) -> None:
        """The session is about to run it: from here on it can be interrupted, and its time runs."""
        self.begun = True
        self._meter = Meter(pid)
        self._let_go()
        self.restarted = restarted
        for follower in self.followers:
            follower.tell({"started": True, "restarted": restarted})
        if self.reason is not None:
            self._interrupt()
        else:
            self._set_deadline(self._timeout)

    def end(self, reason: str) -> None:
        """Asks first, so that the session can live on. Whoever asks again, or waits in vain, ends the session."""
        if self.result is not None:
            return
        if self.reason is not None:
            return self._insist()
        self.reason = reason
        if self.interpreter.current is not self:
            self.interpreter.withdraw(self)
            self._status = 0
            self._finish_with(None)
        elif self.begun:
            self._interrupt()
        else:
            self._killer = self._executions.loop.after(self._grace, self._insist)

    def tree(self, table: Table) -> list[Process]:
        return self.interpreter.leftovers(table) if self.interpreter.current is self else []

    def done(self, status: int, error: Mapping[str, str] | None, left_some: bool) -> None:
        """The session has run it and goes on."""
        self._status = status
        self._used = self._meter.read()
        self._error = error
        self._finish_with(None, left_some)

    def lost(self, status: int, why: str | None) -> None:
        """The session is over, and this with it."""
        self._status = status
        self._finish_with(why)

    def _interrupt(self) -> None:
        if self._executions.is_crowded():
            # Many copies of the session, most likely: each would take its time to be interrupted.
            return self.interpreter.end("it had to be ended, as it left no room for another process")
        self.interpreter.interrupt()
        self._killer = self._killer or self._executions.loop.after(self._grace, self._insist)

    def _insist(self) -> None:
        if self.result is None and self.interpreter.current is self:
            self.interpreter.end("it had to be ended, as it did not stop when interrupted")

    def _finish_with(self, why: str | None, left_some: bool = False) -> None:
        if self.result is not None:
            return
        self._executions.loop.cancel(self._killer)
        self._let_go()
        result = self._conclude(left_some)
        if not self.begun:
            result["exit_code"] = None
        if why is not None:
            why = "it ran out of memory" if result["status"] == "oom" else why
            self._note(f"cove: the Python session {self.session} is over: {why}. Its variables are gone.", result)
        result["session"] = self.session
        result["restarted"] = self.restarted
        result["exception"] = self._error
        self._tell()

    def _let_go(self) -> None:
        far, self._far = self._far, []
        for fd in far:
            os.close(fd)

    def _note(self, sentence: str, result: Result) -> None:
        output = self.outputs[2]
        output.add(f"{sentence}\n".encode("utf-8", "surrogateescape"))
        output.close()
        result["totals"][1] = output.total
