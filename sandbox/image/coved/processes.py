"""The process table as /proc tells it, and who descends from whom."""

import os

import _signal

SELF = os.getpid()
OWN_GROUP = os.getpgrp()


class Process:
    __slots__ = ("pid", "parent", "group", "state", "started", "name")

    def __init__(self, pid, stat):
        front, _, rest = stat.rpartition(b") ")
        fields = rest.split(None, 20)
        self.pid = pid
        self.name = front.partition(b" (")[2]
        self.state = fields[0]
        self.parent = int(fields[1])
        self.group = int(fields[2])
        self.started = int(fields[19])

    @property
    def alive(self):
        return self.state not in (b"Z", b"X")


def scan():
    """Every process there is right now, by pid; those that vanish meanwhile are left out."""
    table = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            stat = read_file("/proc/%s/stat" % name, 1024)
            if stat:
                table[int(name)] = Process(int(name), stat)
    return table


def trees(table, roots):
    """The living processes at and below `roots`."""
    children = {}
    for process in table.values():
        children.setdefault(process.parent, []).append(process)
    members, queue = {}, [table[pid] for pid in roots if pid in table]
    while queue:
        process = queue.pop()
        if process.pid not in members:
            members[process.pid] = process
            queue.extend(children.get(process.pid, ()))
    return [process for process in members.values() if process.alive]


def send(pid, signal):
    try:
        os.kill(pid, signal)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def stop_then_kill(processes, stopped):
    """One step of ending a tree: what is stopped can't fork, so kill only once no new face turns up."""
    fresh = [process for process in processes if (process.pid, process.started) not in stopped]
    _signal_all(fresh or processes, _signal.SIGSTOP if fresh else _signal.SIGKILL)
    stopped.update([(process.pid, process.started) for process in fresh])


def _signal_all(processes, signal):
    """By group first: the kernel leaves no gap there in which a child could be born unseen."""
    for group in {process.group for process in processes}:
        # A group never spans two executions: each begins with a session of its own.
        if group > 1 and group != OWN_GROUP:
            send(-group, signal)
    for process in processes:
        send(process.pid, signal)


def die_first(pid):
    """Makes a process the first to go when memory runs out."""
    try:
        fd = os.open("/proc/%d/oom_score_adj" % pid, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(fd, b"1000")
    except OSError:
        return
    finally:
        os.close(fd)


def read_file(path, limit):
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
