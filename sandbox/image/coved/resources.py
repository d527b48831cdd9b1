"""What executions use: processor time of all their processes, and the most memory that one of them had."""

from __future__ import annotations

import os
from time import clock_gettime

from coved.processes import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.processes import Process

    # Milliseconds of processor time and bytes of memory, as far as anybody can tell.
    Usage = tuple[int | None, int | None]

TICKS = os.sysconf("SC_CLK_TCK")
NOTHING = (None, None)


class Meter:
    """What a session uses from now on: it lives through many executions."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before = _cpu_ms(pid)
        _write(f"/proc/{pid}/clear_refs", b"5")  # its peak begins anew

    def read(self) -> Usage:
        now = _cpu_ms(self._pid)
        if now is None or self._before is None:
            return NOTHING
        return max(0, now - self._before), peak(self._pid)


def of_tree(processes: list[Process]) -> tuple[int, int]:
    """What they have used so far, and those they have waited for."""
    cpu = sum([ticks(process.pid) or 0 for process in processes]) * 1000 // TICKS
    return cpu, max([peak(process.pid) or 0 for process in processes], default=0)


def ticks(pid: int, children: bool = True) -> int | None:
    """Processor time in the kernel's coarse measure; None for who is gone."""
    stat = read_file(f"/proc/{pid}/stat", 1024)
    if not stat:
        return None
    fields = stat.rpartition(b") ")[2].split(None, 15)
    own = int(fields[11]) + int(fields[12])
    return own + int(fields[13]) + int(fields[14]) if children else own


def peak(pid: int) -> int | None:
    return memory(pid, b"VmHWM:")


def memory(pid: int, what: bytes = b"VmRSS:") -> int | None:
    for line in (read_file(f"/proc/{pid}/status", 4096) or b"").splitlines():
        if line.startswith(what):
            return int(line.split()[1]) * 1024
    return None


def _cpu_ms(pid: int) -> int | None:
    """Exact for the process itself, coarse for the children it has waited for."""
    everything, own = ticks(pid), ticks(pid, children=False)
    if everything is None or own is None:
        return None
    try:
        # The clock of another process, as clock_getcpuclockid(3) makes it.
        exact = clock_gettime((~pid << 3) | 2) * 1000
    except OSError:
        exact = own * 1000 / TICKS
    return round(exact + max(0, everything - own) * 1000 / TICKS)


def _write(path: str, data: bytes) -> None:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(fd, data)
    except OSError:
        return
    finally:
        os.close(fd)
