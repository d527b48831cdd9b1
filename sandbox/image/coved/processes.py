"""The process table as /proc tells it, and who descends from whom."""

from __future__ import annotations

import _signal
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Table = dict[int, "Process"]

SELF = os.getpid()
OWN_GROUP = os.getpgrp()


class Process:
    __slots__ = ("group", "name", "parent", "pid", "started", "state")

    def __init__(self, pid: int, stat: bytes) -> None:
        front, _, rest = stat.rpartition(b") ")
        fields = rest.split(None, 20)
        self.pid = pid
        self.name = front.partition(b" (")[2]
        self.state = fields[0]
        self.parent = int(fields[1])
        self.group = int(fields[2])
        self.started = int(fields[19])

    @property
    def alive(self) -> bool:
        return self.state not in (b"Z", b"X")


def scan() -> Table:
    """Every process there is right now, by pid; those that vanish meanwhile are left out."""
    table: Table = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            stat = read_file(f"/proc/{name}/stat", 1024)
            if stat:
                table[int(name)] = Process(int(name), stat)
    return table


def trees(table: Table, roots: Iterable[int]) -> list[Process]:
    """The living processes at and below `roots`."""
    children: dict[int, list[Process]] = {}
    for process in table.values():
        children.setdefault(process.parent, []).append(process)
    members: dict[int, Process] = {}
    queue = [table[pid] for pid in roots if pid in table]
    while queue:
        process = queue.pop()
        if process.pid not in members:
            members[process.pid] = process
            queue.extend(children.get(process.pid, ()))
    return [process for process in members.values() if process.alive]


def send(pid: int, signal: int) -> bool:
    try:
        os.kill(pid, signal)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def stop_then_kill(processes: list[Process], stopped: set[tuple[int, int]]) -> None:
    """One step of ending a tree: what is stopped can't fork, so kill only once no new face turns up."""
    fresh = [process for process in processes if (process.pid, process.started) not in stopped]
    _signal_all(fresh or processes, _signal.SIGSTOP if fresh else _signal.SIGKILL)
    stopped.update([(process.pid, process.started) for process in fresh])


def _signal_all(processes: list[Process], signal: int) -> None:
    """By group first: the kernel leaves no gap there in which a child could be born unseen."""
    for group in {process.group for process in processes}:
        # A group never spans two executions: each begins with a session of its own.
        if group > 1 and group != OWN_GROUP:
            send(-group, signal)
    for process in processes:
        send(process.pid, signal)


def die_first(pid: int) -> None:
    """Makes a process the first to go when memory runs out."""
    try:
        fd = os.open(f"/proc/{pid}/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(fd, b"1000")
    except OSError:
        return
    finally:
        os.close(fd)


def read_file(path: str, limit: int) -> bytes | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(fd, limit)
    except OSError:
        return None
    finally:
        os.close(fd)
