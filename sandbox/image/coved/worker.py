"""A worker starts commands, one at a time, and is the foster parent of all they leave behind.

The daemon forks it once and uses it again: starting bash from here needs no copy of the daemon's memory.
"""

from __future__ import annotations

import _signal
import _socket
import marshal
import os
import resource  # noqa: F401  what wait4 answers with; loaded once, here, and not by every worker

from coved import libc
from coved.framing import U32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    # A command's arguments, environment and directory, and whether it has an input.
    Order = tuple[tuple[bytes, ...], dict[bytes, bytes], bytes, bool]

# What fits into one message between us and the daemon.
LONGEST_ORDER = 200_000
DEFAULTS = [_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ]
# The shell is gone and so is all it started; it is gone and left some behind; they are gone too.
EXITED, LEFT_SOME, CHILDLESS = b"x", b"l", b"c"


def work(orders: _socket.socket) -> NoReturn:
    """Carries out orders until there are no more. Runs in the child and never returns."""
    try:
        libc.adopt_orphans()
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        nothing = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
        # Whatever else the daemon had open is none of a command's business, nor may it be held open here.
        _close_all_but(orders.fileno(), nothing)
        while True:
            order, fds = _receive(orders)
            if not order:
                os._exit(0)
            shell = _start(marshal.loads(order), fds, nothing)
            for fd in fds:
                os.close(fd)
            _wait(orders, shell)
    except BaseException:
        os._exit(1)


def _start(order: Order, fds: list[int], nothing: int) -> int | None:
    arguments, environment, directory, wants_stdin = order
    stdout, stderr = fds[:2]
    stdin = fds[2] if wants_stdin else nothing
    dup2 = os.POSIX_SPAWN_DUP2
    actions = [(dup2, stdin, 0), (dup2, stdout, 1), (dup2, stderr, 2)]
    try:
        os.chdir(directory)
        return os.posix_spawn(
            arguments[0], arguments, environment, file_actions=actions, setsid=True, setsigdef=DEFAULTS, setsigmask=()
        )
    except OSError as error:
        os.write(stderr, f"cove: the command could not be started: {error.strerror}\n".encode())
        return None


def _wait(orders: _socket.socket, shell: int | None) -> None:
    """Tells when the shell has gone, and then when nothing of it is left."""
    if shell is None:
        orders.send(EXITED + U32.pack(126 << 8))
        return
    cpu, memory = 0.0, 0
    while True:
        pid, status, usage = os.wait4(-1, 0)
        cpu, memory = cpu + usage.ru_utime + usage.ru_stime, max(memory, usage.ru_maxrss)
        if pid == shell:
            break
    used = U32.pack(status) + U32.pack(round(cpu * 1000) & 0xFFFFFFFF) + U32.pack(memory & 0xFFFFFFFF)
    if not _has_children():
        orders.send(EXITED + used)
        return
    orders.send(LEFT_SOME + used)
    while _has_children():
        os.waitpid(-1, 0)
    orders.send(CHILDLESS)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _receive(orders: _socket.socket) -> tuple[bytes, list[int]]:
    """An order and the descriptors that came with it."""
    data, extra, _, _ = orders.recvmsg(LONGEST_ORDER, _socket.CMSG_SPACE(12), _socket.MSG_CMSG_CLOEXEC)
    fds: list[int] = []
    for level, kind, packed in extra:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
            fds = [int.from_bytes(packed[at : at + 4], "little") for at in range(0, len(packed) - 3, 4)]
    return data, fds


def _close_all_but(*fds: int) -> None:
    low = 3
    for fd in sorted(fds):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 65536)
