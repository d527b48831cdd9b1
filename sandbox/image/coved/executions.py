"""All executions: starts them, reaps every child of the daemon, knows whose orphans are whose, remembers results."""

import os
from time import monotonic

from coved.cgroup import Cgroup
from coved.execution import Execution
from coved.follower import Follower
from coved.leftovers import Leftovers
from coved.processes import (
    SELF,
    ForkCounter,
    die_first,
    marker,
    scan,
    send,
    stop_then_kill,
    trees,
)
from coved.refusal import Refusal
from coved.spawn import Spawner

import _signal

MOST_RUNNING = 64
MOST_REMEMBERED = 64
MOST_REMEMBERED_BYTES = 8 * 1024 * 1024
PIDS_RESERVE = 8


class Executions:
    def __init__(self, loop):
        self.loop = loop
        self.forks = ForkCounter()
        self.cgroup = Cgroup()
        self.leftovers = Leftovers(loop)
        self.spawner = Spawner(loop, self.forks)
        self.all = {}
        self._by_pid = {}
        self._owners = {}  # pid of a stray → its execution, or None where nobody can tell

    @property
    def running(self):
        return len(self._by_pid)

    def start(self, stream, name, options):
        if name in self.all:
            raise Refusal("invalid_argument", "there is an execution with this id already")
        if self.running >= MOST_RUNNING:
            raise Refusal("too_many_executions", "%d commands are running already" % MOST_RUNNING)
        child = self._spawn(options)
        execution = Execution(self, name, child, options)
        self.all[name] = self._by_pid[child.pid] = execution
        Follower(stream, execution, (0, 0), execution.stdin)
        return execution

    def attach(self, stream, name, offsets):
        execution = self.find(name)
        Follower(stream, execution, offsets).pump()

    def find(self, name):
        execution = self.all.get(name)
        if execution is None:
            raise Refusal("execution_not_found", "the sandbox remembers no execution with this id")
        return execution

    def collect(self, names):
        for name in names:
            execution = self.all.get(name)
            if execution is not None and not execution.running:
                del self.all[name]

    def reap(self):
        """Waits for every child that has ended, the adopted ones included."""
        exited, childless = [], False
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                childless = True
                break
            if pid == 0:
                break
            execution = self._by_pid.pop(pid, None)
            if execution is not None:
                exited.append((execution, status))
            elif not self.spawner.died(pid):
                self._forget_stray(pid)
        if exited and not childless:
            # The process table is only read if somebody can have left something behind.
            epoch = self.forks.look()
            if any(execution.epoch != epoch for execution, _ in exited):
                self.claim_orphans(scan(), [execution for execution, _ in exited])
        for execution, status in exited:
            execution.shell_exited(status)

    def claim_orphans(self, table, exited=()):
        """Finds the daemon's new children and says whose they were."""
        known = set(self._by_pid) | {self.spawner.spare_pid}
        orphans = {pid for pid, process in table.items() if process.parent == SELF and pid not in known}
        self._forget_strays(orphans)
        for pid in orphans:
            if pid not in self._owners and table[pid].alive:
                owner = self._owner(table[pid], exited)
                self._owners[pid] = owner
                die_first(pid)
                if owner is not None:
                    owner.strays.add(pid)
                    owner.sessions.add(table[pid].session)

    def finished(self, execution):
        remembered = [other for other in self.all.values() if not other.running]
        excess = sum(other.kept_bytes for other in remembered) - MOST_REMEMBERED_BYTES
        for other in remembered:
            if len(self.all) - self.running <= MOST_REMEMBERED and excess <= 0:
                break
            if other is not execution and not other.followers:
                excess -= other.kept_bytes
                self.all.pop(other.name, None)

    def verdict(self, execution, code):
        if code == 0:
            return "completed"
        if self.cgroup.oom_kills() > execution.oom_kills and (code in (-9, 137) or not self._by_pid):
            return "oom"
        return "failed"

    def end_everything(self, reason):
        """The last resort: everything of this uid but the daemon, the relays included."""
        for execution in self._by_pid.values():
            execution.reason = execution.reason or reason
        if SELF == 1:
            os.kill(-1, _signal.SIGKILL)
        else:
            for process in trees(scan(), [SELF]):
                if process.pid != SELF:
                    send(process.pid, _signal.SIGKILL)

    def summaries(self):
        now = monotonic()
        return [
            {
                "id": execution.name,
                "status": "running" if execution.running else execution.result["status"],
                "age_ms": round((now - execution.started) * 1000),
                "strays": len(execution.strays),
            }
            for execution in self.all.values()
        ]

    def others(self):
        """How many processes there are besides the daemon and its spare. Relays come from outside and don't descend."""
        return sum(process.pid not in (SELF, self.spawner.spare_pid) for process in trees(scan(), [SELF]))

    def _spawn(self, options):
        if self.cgroup.pids_left() < PIDS_RESERVE:
            self._make_room()
        for attempt in (1, 2):
            try:
                return self.spawner.spawn(options.arguments, options.environment, options.directory, options.stdin)
            except BlockingIOError:
                if attempt == 2 or not self._make_room():
                    break
        raise Refusal("too_many_processes", "the sandbox has no room for another process: end some first")

    def _make_room(self):
        """Strays are the first to go. Returns whether there were any."""
        stopped, any_killed = set(), False
        for _ in range(100):
            table = scan()
            self.claim_orphans(table)
            victims = trees(table, self._owners)
            if not victims:
                break
            any_killed = True
            stop_then_kill(victims, stopped)
            self.reap()
        return any_killed

    def _owner(self, process, exited):
        """By session, by environment; one that hides both goes to an execution that is being ended, if it is young enough."""
        for execution in self.all.values():
            if process.session in execution.sessions:
                return execution
        named = self.all.get(marker(process.pid))
        if named is not None:
            return named
        for execution in exited or self._by_pid.values():
            if execution.reason is not None and process.started >= execution.born:
                return execution
        return exited[0] if len(exited) == 1 and not self._owners else None

    def _forget_stray(self, pid):
        owner = self._owners.pop(pid, None)
        if owner is not None:
            owner.strays.discard(pid)

    def _forget_strays(self, living):
        for pid in [pid for pid in self._owners if pid not in living]:
            self._forget_stray(pid)
