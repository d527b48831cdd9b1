"""What runs in the sandbox, for whoever wants to look or to stop one of it: everything but the daemon's own."""

from __future__ import annotations

import _signal

from coved.processes import SELF, read_file, scan, send, trees
from coved.refusal import Refusal
from coved.resources import TICKS, memory, ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.executions import Executions
    from coved.processes import Process, Table

MOST_LISTED = 64
LONGEST_COMMAND = 256
SIGNALS = {"TERM": _signal.SIGTERM, "KILL": _signal.SIGKILL}


def listing(executions: Executions) -> dict[str, object]:
    """Those that used the processor most come first."""
    table = scan()
    owners = _owners(executions, table)
    uptime = float((read_file("/proc/uptime", 64) or b"0").split()[0])
    processes = sorted(_tasks(executions, table), key=lambda process: -(ticks(process.pid, children=False) or 0))
    return {
        "total": len(processes),
        "processes": [_describe(process, owners, uptime) for process in processes[:MOST_LISTED]],
    }


def stop(executions: Executions, pid: int, started: int, name: str) -> bool:
    """The start time says which process is meant: a pid may have become somebody else's."""
    if name not in SIGNALS:
        raise Refusal("invalid_argument", "the signal is TERM or KILL")
    for process in _tasks(executions, scan()):
        if process.pid == pid and process.started == started:
            return send(pid, SIGNALS[name])
    return False


def _tasks(executions: Executions, table: Table) -> list[Process]:
    own = executions.own_pids()
    return [process for process in trees(table, [SELF]) if process.pid != SELF and process.pid not in own]


def _owners(executions: Executions, table: Table) -> dict[int, dict[str, str]]:
    """Whose process it is, by pid: an execution's or a session's."""
    owners = {}
    for worker in executions.workers.by_pid.values():
        if worker.execution is not None:
            for process in trees(table, [worker.pid]):
                owners[process.pid] = {"execution": worker.execution.name}
    for name, interpreter in (executions.python.sessions if executions.python else {}).items():
        for process in interpreter.leftovers(table):
            owners[process.pid] = {"session": name}
    return owners


def _describe(process: Process, owners: dict[int, dict[str, str]], uptime: float) -> dict[str, object]:
    command = (read_file(f"/proc/{process.pid}/cmdline", LONGEST_COMMAND) or b"").replace(b"\0", b" ").strip()
    return {
        "pid": process.pid,
        "started": process.started,
        "name": _text(process.name),
        "command": _text(command or process.name),
        "age_ms": max(0, round((uptime - process.started / TICKS) * 1000)),
        "cpu_ms": (ticks(process.pid, children=False) or 0) * 1000 // TICKS,
        "memory": memory(process.pid),
        **owners.get(process.pid, {}),
    }


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
