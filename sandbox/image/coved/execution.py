"""What every execution has: output that is kept and followed, a deadline, a result. How it ends is up to its kind."""

import os
from time import monotonic

from coved.loop import READ
from coved.output import Output
from coved.processes import die_first, scan
from coved.resources import NOTHING

CHUNK = 64 * 1024
LARGEST_PIPE = 1024 * 1024
MOST_STRAYS_LISTED = 32


class Execution:
    stdin = None
    # Where in the row of changed files it began; nothing before it begins.
    mark = None
    # Whether nobody is going to wait for it.
    background = False

    def __init__(self, executions, name, pipes, limits):
        """`pipes` are our ends by channel, `limits` how much of the head and tail of each is kept."""
        self.name = name
        self.started = monotonic()
        self.oom_kills = executions.cgroup.oom_kills()
        self.outputs = {channel: Output(*limits[channel]) for channel in pipes}
        self.followers = []
        self.result = None
        self.reason = None
        self._executions = executions
        self._status = None
        self._used = NOTHING
        self._deadline = None
        self._pipes = dict(pipes)
        for channel, fd in pipes.items():
            executions.loop.watch(fd, READ, lambda events, channel=channel: self._readable(channel))

    @property
    def running(self):
        return self.result is None

    @property
    def kept_bytes(self):
        return sum([output.kept_bytes for output in self.outputs.values()])

    def end(self, reason):
        """Ends it and all it started; `reason` becomes the status."""
        raise NotImplementedError

    def tree(self, table):
        """Every living process of this execution."""
        raise NotImplementedError

    def pump(self):
        for follower in self.followers[:]:
            follower.pump()

    def _set_deadline(self, timeout):
        if timeout:
            self._deadline = self._executions.loop.after(timeout, lambda: self.end("timeout"))

    def _finish(self, left_some):
        self._executions.loop.cancel(self._deadline)
        for channel in list(self._pipes):
            self._empty(channel)
        for output in self.outputs.values():
            output.close()
        code = os.waitstatus_to_exitcode(self._status)
        changes, more_changes = self._executions.changes_since(self.mark)
        self.result = {
            "status": self.reason or self._executions.verdict(self, code),
            "exit_code": code if code >= 0 else None,
            "signal": -code if code < 0 else None,
            "duration_ms": round((monotonic() - self.started) * 1000, 3),
            "cpu_ms": self._used[0],
            "memory": self._used[1],
            "totals": [output.total for output in self.outputs.values()],
            "strays": self._list_strays() if left_some else [],
            "changes": changes,
            "changes_truncated": more_changes,
        }

    def _tell(self):
        self._executions.finished(self)
        self.pump()

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

    def _list_strays(self):
        strays = sorted(self.tree(scan()), key=lambda process: process.pid)
        for stray in strays:
            die_first(stray.pid)
        listed = strays[:MOST_STRAYS_LISTED]
        return [{"pid": stray.pid, "name": stray.name.decode("utf-8", "surrogateescape")} for stray in listed]

    def _empty(self, channel):
        """Takes what was written when it ended, and no more than a pipe can hold."""
        taken = 0
        fd = self._pipes.pop(channel)
        self._executions.loop.forget(fd)
        try:
            while taken < LARGEST_PIPE:
                data = os.read(fd, CHUNK)
                if not data:
                    return os.close(fd)
                self.outputs[channel].add(data)
                taken += len(data)
        except BlockingIOError:
            taken = 0
        self._executions.leftovers.add(fd)

    def _close(self, channel):
        fd = self._pipes.pop(channel)
        self._executions.loop.forget(fd)
        os.close(fd)
