"""What every execution has: output that is kept and followed, a deadline, a result. How it ends is up to its kind."""

from __future__ import annotations

import os
from time import monotonic

from coved.loop import READ
from coved.output import Output
from coved.processes import die_first, scan
from coved.resources import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NotRequired, TypedDict

    from coved.changes import Change, Mark
    from coved.executions import Executions
    from coved.follower import Follower
    from coved.loop import Handler, Timer
    from coved.processes import Process, Table
    from coved.resources import Usage
    from coved.stdin import Stdin

    class Stray(TypedDict):
        pid: int
        name: str

    class Result(TypedDict):
        status: str
        exit_code: int | None
        signal: int | None
        duration_ms: float
        cpu_ms: int | None
        memory: int | None
        totals: list[int]
        strays: list[Stray]
        changes: list[Change]
        changes_truncated: bool
        # Of a cell only.
        session: NotRequired[str]
        restarted: NotRequired[bool]
        exception: NotRequired[Mapping[str, str] | None]


CHUNK = 64 * 1024
LARGEST_PIPE = 1024 * 1024
MOST_STRAYS_LISTED = 32


class Execution:
    stdin: Stdin | None = None
    # Where in the row of changed files it began; nothing before it begins.
    mark: Mark | None = None
    # Whether nobody is going to wait for it.
    background = False

    def __init__(
        self, executions: Executions, name: str, pipes: dict[int, int], limits: dict[int, tuple[int, int]]
    ) -> None:
        """`pipes` are our ends by channel, `limits` how much of the head and tail of each is kept."""
        self.name = name
        self.started = monotonic()
        self.oom_kills = executions.cgroup.oom_kills()
        self.outputs = {channel: Output(*limits[channel]) for channel in pipes}
        self.followers: list[Follower] = []
        self.result: Result | None = None
        self.reason: str | None = None
        self._executions = executions
        self._status: int | None = None
        self._used: Usage = NOTHING
        self._deadline: Timer | None = None
        self._pipes = dict(pipes)
        for channel, fd in pipes.items():
            executions.loop.watch(fd, READ, self._reader(channel))

    @property
    def running(self) -> bool:
        return self.result is None

    @property
    def kept_bytes(self) -> int:
        return sum([output.kept_bytes for output in self.outputs.values()])

    def end(self, reason: str) -> None:
        """Ends it and all it started; `reason` becomes the status."""
        raise NotImplementedError

    def tree(self, table: Table) -> list[Process]:
        """Every living process of this execution."""
        raise NotImplementedError

    def pump(self) -> None:
        for follower in self.followers[:]:
            follower.pump()

    def _set_deadline(self, timeout: float) -> None:
        if timeout:
            self._deadline = self._executions.loop.after(timeout, lambda: self.end("timeout"))

    def _conclude(self, left_some: bool) -> Result:
        """Only once `_status` is known: how the process that it is about has ended."""
        self._executions.loop.cancel(self._deadline)
        for channel in list(self._pipes):
            self._empty(channel)
        for output in self.outputs.values():
            output.close()
        assert self._status is not None
        code = os.waitstatus_to_exitcode(self._status)
        changes, more_changes = self._executions.changes_since(self.mark)
        result: Result = {
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
        self.result = result
        return result

    def _tell(self) -> None:
        self._executions.finished(self)
        self.pump()

    def _reader(self, channel: int) -> Handler:
        return lambda events: self._readable(channel)

    def _readable(self, channel: int) -> None:
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

    def _list_strays(self) -> list[Stray]:
        strays = sorted(self.tree(scan()), key=lambda process: process.pid)
        for stray in strays:
            die_first(stray.pid)
        listed = strays[:MOST_STRAYS_LISTED]
        return [{"pid": stray.pid, "name": stray.name.decode("utf-8", "surrogateescape")} for stray in listed]

    def _empty(self, channel: int) -> None:
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

    def _close(self, channel: int) -> None:
        fd = self._pipes.pop(channel)
        self._executions.loop.forget(fd)
        os.close(fd)
