"""The workers: forked when there is none free, used again, dismissed when nothing was asked for a while."""

from __future__ import annotations

import _signal
import _socket
import marshal
import os

from coved.framing import U32
from coved.libc import give_memory_back
from coved.loop import READ
from coved.processes import send
from coved.refusal import Refusal
from coved.worker import CHILDLESS, LEFT_SOME, LONGEST_ORDER, work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.command import Command
    from coved.loop import Loop, Timer
    from coved.worker import Order

IDLE_FOR = 3
MOST_IDLE = 16


class Workers:
    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._idle: list[Worker] = []
        self._timer: Timer | None = None
        self.by_pid: dict[int, Worker] = {}
        # Opened while we are still dumpable: later the file belongs to root.
        self._oom_fd = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
        own = int(os.pread(self._oom_fd, 16, 0))
        self._own_score, self._their_score = b"%d" % own, b"%d" % min(1000, own + 500)

    def start(self, order: Order, wants_stdin: bool) -> tuple[Worker, list[int]]:
        """Has a worker carry `order` out. Returns the worker and our ends of the pipes: stdout, stderr, stdin."""
        data = marshal.dumps(order)
        if len(data) > LONGEST_ORDER:
            raise Refusal("invalid_argument", "the command and its environment are too long together")
        near, far = make_pipes(0, 0, 1) if wants_stdin else make_pipes(0, 0)
        try:
            worker = self._idle.pop() if self._idle else self._fork()
            if not worker.give(data, far):
                # Killed while it was idle, and so may be the others: a new one it is.
                worker = self._fork()
                if not worker.give(data, far):
                    raise BlockingIOError("the new worker is gone already")
        except BaseException:
            _close(near)
            raise
        finally:
            _close(far)
        self._loop.cancel(self._timer)
        self._timer = self._loop.after(IDLE_FOR, self.dismiss_idle)
        return worker, near

    def dismiss_idle(self) -> None:
        while self._idle:
            self._idle.pop().dismiss()
        give_memory_back()

    def free(self, worker: Worker) -> None:
        if len(self._idle) < MOST_IDLE:
            self._idle.append(worker)
        else:
            worker.dismiss()

    def leaves(self, worker: Worker) -> None:
        """It gets no more orders. As long as it isn't reaped it still counts as one of us."""
        if worker in self._idle:
            self._idle.remove(worker)

    def reaped(self, pid: int) -> None:
        self.by_pid.pop(pid, None)

    def as_first_victim(self) -> _Score:
        """What is started within dies before the daemon when memory runs out."""
        return _Score(self._oom_fd, self._their_score, self._own_score)

    def _fork(self) -> Worker:
        here, there = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET | _socket.SOCK_CLOEXEC)
        try:
            with self.as_first_victim():
                pid = os.fork()
                if pid == 0:
                    work(there)
        except BaseException:
            here.close()
            raise
        finally:
            there.close()
        worker = self.by_pid[pid] = Worker(self, self._loop, pid, here)
        return worker


class _Score:
    def __init__(self, fd: int, inside: bytes, outside: bytes) -> None:
        self._fd, self._inside, self._outside = fd, inside, outside

    def __enter__(self) -> None:
        os.write(self._fd, self._inside)

    def __exit__(self, *_: object) -> None:
        os.write(self._fd, self._outside)


class Worker:
    """Our view of a worker. `execution` is what it works on, or whose strays it still looks after."""

    def __init__(self, workers: Workers, loop: Loop, pid: int, orders: _socket.socket) -> None:
        self.pid = pid
        self.execution: Command | None = None
        self.busy = False
        self._workers = workers
        self._loop = loop
        self._orders = orders
        orders.setblocking(False)
        loop.watch(orders.fileno(), READ, self._heard)

    def give(self, order: bytes, fds: list[int]) -> bool:
        """False if it is gone; code in the sandbox may kill it like any other process."""
        packed = b"".join([fd.to_bytes(4, "little") for fd in fds])
        try:
            self._orders.sendmsg([order], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
        except OSError:
            self._gone()
            return False
        # After the order: a signal before it would only have it wake up twice.
        self.wake()
        self.busy = True
        return True

    def wake(self) -> None:
        """Whoever may have stopped it: it is needed now."""
        send(self.pid, _signal.SIGCONT)

    def release(self) -> None:
        """The execution is over. With nothing left to look after, the worker is free again."""
        if not self.busy:
            self.execution = None
            self._workers.free(self)

    def dismiss(self) -> None:
        """It leaves as soon as it has nothing left to look after."""
        self._workers.leaves(self)
        self._loop.forget(self._orders.fileno())
        self._orders.close()

    def _heard(self, events: int) -> None:
        try:
            message = self._orders.recv(64)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if not message:
            return self._gone()
        self.busy = message[:1] == LEFT_SOME
        execution = self.execution
        if execution is None:
            return  # it speaks of nothing that it was asked for
        if message[:1] == CHILDLESS:
            # While it is being ended, the execution lets go of its worker by itself.
            if not execution.running:
                self.release()
        else:
            if len(message) == 13:
                execution.used(U32.unpack(message[5:9])[0], U32.unpack(message[9:13])[0] * 1024)
            execution.shell_exited(U32.unpack(message[1:5])[0], self.busy)

    def _gone(self) -> None:
        execution, self.execution = self.execution, None
        self.dismiss()
        if execution is not None:
            execution.worker_gone()


def make_pipes(*directions: int) -> tuple[list[int], list[int]]:
    """Our ends and the far ones, in the same order. With direction 0 we read, with 1 we write."""
    near: list[int] = []
    far: list[int] = []
    for direction in directions:
        pipe = os.pipe2(os.O_CLOEXEC)
        near.append(pipe[direction])
        far.append(pipe[1 - direction])
        os.set_blocking(pipe[direction], False)
    return near, far


def _close(fds: list[int]) -> None:
    for fd in fds:
        os.close(fd)
