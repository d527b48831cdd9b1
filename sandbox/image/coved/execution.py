"""One command from its start to its result: output, deadline, the end of its whole tree."""

import os
from time import monotonic

from coved.loop import READ
from coved.output import Output
from coved.processes import die_first, scan, send, stop_then_kill, trees
from coved.stdin import Stdin

import _signal

CHUNK = 64 * 1024
LARGEST_PIPE = 1024 * 1024
GIVE_UP_KILLING = 5
MOST_STRAYS_LISTED = 32
KILLED = 9


class Execution:
    def __init__(self, world, name, worker, pipes, options):
        self.name = name
        self.worker = worker
        self.started = monotonic()
        self.oom_kills = world.cgroup.oom_kills()
        self.outputs = {1: Output(*options.kept), 2: Output(*options.kept)}
        self.followers = []
        self.result = None
        self.reason = None
        self.stdin = Stdin(world.loop, pipes[2]) if options.stdin else None
        self._world = world
        self._grace = options.grace
        self._status = None
        self._pipes = {1: pipes[0], 2: pipes[1]}
        self._stopped = set()
        self._kill_since = None
        self._patience = 0.001
        worker.execution = self
        for channel, fd in self._pipes.items():
            world.loop.watch(fd, READ, lambda events, channel=channel: self._readable(channel))
        self._deadline = options.timeout and world.loop.after(options.timeout, lambda: self.end("timeout"))

    @property
    def running(self):
        return self.result is None

    @property
    def kept_bytes(self):
        return self.outputs[1].kept + self.outputs[2].kept

    def end(self, reason):
        """Ends the whole tree; `reason` becomes the status."""
        if self.result is not None or self.reason is not None:
            return
        self.reason = reason
        if self._grace and self._status is None:
            for process in self.tree(scan()):
                send(process.pid, _signal.SIGTERM)
            self._world.loop.after(self._grace, self._kill)
        else:
            self._kill()

    def tree(self, table):
        """Every living process of this execution. Without its worker, whoever has no worker counts as one of it."""
        if self.worker is None:
            return self._world.orphans(table)
        if self.worker.execution is not self:
            return []
        return [process for process in trees(table, [self.worker.pid]) if process.pid != self.worker.pid]

    def shell_exited(self, status, left_some=False):
        """The shell is gone. What it left behind lives on, unless this execution was to be ended."""
        self._status = status
        self._world.loop.cancel(self._deadline)
        if self.reason is None and self.worker is not None:
            self._finish(left_some)
        else:
            self._kill()

    def worker_gone(self):
        """Somebody killed the worker: nobody will tell how the shell ends, so it ends here."""
        self.worker = None
        if self.running:
            self.shell_exited(KILLED)

    def _readable(self, channel):
        fd = self._pipes[channel]
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return
        if data:
            self.outputs[channel].add(data)
        else:
            self._close(channel)
        self.pump()

    def pump(self):
        for follower in self.followers[:]:
            follower.pump()

    def _kill(self):
        if self.result is not None:
            return
        victims = self.tree(scan())
        self._kill_since = self._kill_since or monotonic()
        tired = monotonic() - self._kill_since > GIVE_UP_KILLING
        if self._status is not None and (not victims or tired):
            return self._finish(bool(victims))
        stop_then_kill(victims, self._stopped)
        if self.worker is not None:
            self.worker.wake()
        self._world.loop.after(self._patience, self._kill)
        self._patience = min(0.05, self._patience * 2)

    def _finish(self, left_some):
        for channel in list(self._pipes):
            self._empty(channel)
        if self.stdin is not None:
            self.stdin.close()
        for output in self.outputs.values():
            output.close()
        code = os.waitstatus_to_exitcode(self._status)
        self.result = {
            "status": self.reason or self._world.verdict(self, code),
            "exit_code": code if code >= 0 else None,
            "signal": -code if code < 0 else None,
            "duration_ms": round((monotonic() - self.started) * 1000, 3),
            "totals": [self.outputs[1].total, self.outputs[2].total],
            "strays": self._list_strays() if left_some else [],
        }
        if self.worker is not None:
            self.worker.release()
        self._world.finished(self)
        self.pump()

    def _list_strays(self):
        strays = sorted(self.tree(scan()), key=lambda process: process.pid)
        for stray in strays:
            die_first(stray.pid)
        listed = strays[:MOST_STRAYS_LISTED]
        return [{"pid": stray.pid, "name": stray.name.decode("utf-8", "surrogateescape")} for stray in listed]

    def _empty(self, channel):
        """Takes what the shell had written when it exited, and no more than a pipe can hold."""
        taken = 0
        fd = self._pipes.pop(channel)
        self._world.loop.forget(fd)
        try:
            while taken < LARGEST_PIPE:
                data = os.read(fd, CHUNK)
                if not data:
                    return os.close(fd)
                self.outputs[channel].add(data)
                taken += len(data)
        except BlockingIOError:
            taken = 0
        self._world.leftovers.add(fd)

    def _close(self, channel):
        fd = self._pipes.pop(channel)
        self._world.loop.forget(fd)
        os.close(fd)
