"""What the kernel accounts to this container, from cgroup v2 or v1, as far as it can be read."""

from __future__ import annotations

import os

from coved.processes import read_file

ROOT = "/sys/fs/cgroup"
_FILES = {
    "memory": ("memory.current", "memory/memory.usage_in_bytes"),
    "memory_limit": ("memory.max", "memory/memory.limit_in_bytes"),
    "cache": ("memory.stat", "memory/memory.stat"),
    "events": ("memory.events", "memory/memory.oom_control"),
    "cpu": ("cpu.stat", "cpuacct/cpuacct.usage"),
    "pids": ("pids.current", "pids/pids.current"),
    "pids_limit": ("pids.max", "pids/pids.max"),
}


class Cgroup:
    def __init__(self) -> None:
        self._v2 = os.path.exists(ROOT + "/cgroup.controllers")
        self._events = self._open("events")
        self._pids = self._open("pids")
        self._pids_limit = self._number("pids_limit")

    def oom_kills(self) -> int:
        """How often the kernel has killed for lack of memory, ever; 0 where it doesn't tell."""
        if self._events is None:
            return 0
        try:
            return _word(os.pread(self._events, 1024, 0), b"oom_kill")
        except OSError:
            return 0

    def pids_left(self) -> int:
        """How many more processes and threads there may be; many where the kernel doesn't tell."""
        if self._pids is None or self._pids_limit is None:
            return 1 << 20
        try:
            return self._pids_limit - int(os.pread(self._pids, 32, 0))
        except OSError:
            return 1 << 20

    def usage(self) -> dict[str, int | None]:
        return {
            "memory": self._working_set(),
            "memory_limit": self._number("memory_limit"),
            "cpu_ms": self._cpu(),
            "pids": self._number("pids"),
        }

    def _working_set(self) -> int | None:
        memory, stat = self._number("memory"), self._read("cache")
        if memory is None:
            return None
        inactive = _word(stat or b"", b"inactive_file" if self._v2 else b"total_inactive_file")
        return max(0, memory - inactive)

    def _cpu(self) -> int | None:
        text = self._read("cpu")
        if text is None:
            return None
        return _word(text, b"usage_usec") // 1000 if self._v2 else int(text) // 1000000

    def _number(self, what: str) -> int | None:
        text = (self._read(what) or b"").strip()
        # v1 says "no limit" with a number near 2**63.
        return int(text) if text.isdigit() and int(text) < 1 << 60 else None

    def _read(self, what: str) -> bytes | None:
        return read_file(self._path(what), 16384)

    def _open(self, what: str) -> int | None:
        try:
            return os.open(self._path(what), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None

    def _path(self, what: str) -> str:
        return f"{ROOT}/{_FILES[what][0 if self._v2 else 1]}"


def _word(text: bytes, name: bytes) -> int:
    for line in text.splitlines():
        key, _, value = line.partition(b" ")
        if key == name and value.strip().isdigit():
            return int(value)
    return 0
