"""One piece of Python in a session, from its place in the queue to its result."""

import os

from coved.execution import Execution
from coved.resources import Meter

RESULTS = 3
INTERRUPT_GRACE = 2


class Cell(Execution):
    def __init__(self, executions, name, options, pipes):
        near, self._far = pipes
        limits = {1: options.limits, 2: options.limits, RESULTS: (options.results, 0)}
        super().__init__(executions, name, dict(zip((1, 2, RESULTS), near, strict=True)), limits)
        # What the session says about a cell begins with this, so that code has to go out of its way to lie.
        self.token = os.urandom(8).hex().encode()
        self.order = {**options.order, "token": self.token}
        self.interpreter = None
        self.begun = self._moved = False
        self.restarted = False
        self._timeout = options.timeout
        self._grace = options.grace or INTERRUPT_GRACE
        self._error = None
        self._killer = None
        self._meter = None

    @property
    def session(self):
        return self.order["session"]

    @property
    def pipes(self):
        """The ends that go to the session. They are kept until it has begun: the session may turn out to be dead."""
        return self._far

    def about_to_run(self):
        """It is about to be given to its session, perhaps a second time."""
        self.mark = self.mark or self._executions.mark()

    def may_move(self):
        """Whether another session can have it, once: it has not begun, and nobody wants it to end."""
        moves, self._moved = not (self.begun or self._moved or self.reason), True
        return moves

    def begins(self, restarted):
        """The session is about to run it: from here on it can be interrupted, and its time runs."""
        self.begun = True
        self._meter = Meter(self.interpreter.pid)
        self._let_go()
        self.restarted = restarted
        for follower in self.followers:
            follower.tell({"started": True, "restarted": restarted})
        if self.reason is not None:
            self._interrupt()
        else:
            self._set_deadline(self._timeout)

    def end(self, reason):
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

    def tree(self, table):
        return self.interpreter.leftovers(table) if self.interpreter.current is self else []

    def done(self, status, error, left_some):
        """The session has run it and goes on."""
        self._status = status
        self._used = self._meter.read()
        self._error = error
        self._finish_with(None, left_some)

    def lost(self, status, why):
        """The session is over, and this with it."""
        self._status = status
        self._finish_with(why)

    def _interrupt(self):
        if self._executions.is_crowded():
            # Many copies of the session, most likely: each would take its time to be interrupted.
            return self.interpreter.end("it had to be ended, as it left no room for another process")
        self.interpreter.interrupt()
        self._killer = self._killer or self._executions.loop.after(self._grace, self._insist)

    def _insist(self):
        if self.result is None and self.interpreter.current is self:
            self.interpreter.end("it had to be ended, as it did not stop when interrupted")

    def _finish_with(self, why, left_some=False):
        if self.result is not None:
            return
        self._executions.loop.cancel(self._killer)
        self._let_go()
        super()._finish(left_some)
        if not self.begun:
            self.result["exit_code"] = None
        if why is not None:
            why = "it ran out of memory" if self.result["status"] == "oom" else why
            self._note("cove: the Python session %s is over: %s. Its variables are gone." % (self.session, why))
        self.result["session"] = self.session
        self.result["restarted"] = self.restarted
        self.result["exception"] = self._error
        self._tell()

    def _let_go(self):
        far, self._far = self._far, ()
        for fd in far:
            os.close(fd)

    def _note(self, sentence):
        output = self.outputs[2]
        output.add(("%s\n" % sentence).encode("utf-8", "surrogateescape"))
        output.close()
        self.result["totals"][1] = output.total
