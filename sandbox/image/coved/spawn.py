"""Starts commands. The child becomes a subreaper before exec, so that its orphans stay below it and can be found.

A fork is a third of the cost of a short command, so one is made ahead while commands keep coming.
"""

import ctypes
import marshal
import os

import _signal

SPARE_LIFETIME = 3
MAX_ORDER = 32 * 1024
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
_prctl = ctypes.CDLL(None).prctl


def hide():
    """Nobody may read the daemon's memory or environment, trace it or take its descriptors."""
    _prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def adopt_orphans():
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Child:
    """A started command and our ends of its pipes."""

    __slots__ = ("pid", "stdin", "stdout", "stderr")

    def __init__(self, pid, stdin, stdout, stderr):
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr


class Spawner:
    def __init__(self, loop, forks):
        self._loop = loop
        self._forks = forks
        self._spare = None
        self._timer = None
        # Opened while we are still dumpable: later the file belongs to root.
        self._oom_fd = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
        own = int(os.pread(self._oom_fd, 16, 0))
        self._own_score, self._child_score = b"%d" % own, b"%d" % min(1000, own + 500)

    @property
    def spare_pid(self):
        return self._spare.child.pid if self._spare else None

    def spawn(self, arguments, environment, directory, wants_stdin):
        order = (arguments, environment, directory, wants_stdin)
        spare, self._spare = self._spare, None
        if spare is None or not spare.use(order):
            spare = self._fork(order)
            os.close(spare.orders)
        child = spare.child
        if not wants_stdin:
            os.close(child.stdin)
            child.stdin = None
        self._loop.cancel(self._timer)
        self._timer = self._loop.after(0, self._make_spare)
        return child

    def drop_spare(self):
        spare, self._spare = self._spare, None
        if spare is not None:
            spare.drop()

    def died(self, pid):
        """True if it was the spare: code in the sandbox may kill it like any other process."""
        if self._spare is None or self._spare.child.pid != pid:
            return False
        self.drop_spare()
        return True

    def _make_spare(self):
        self._timer = self._loop.after(SPARE_LIFETIME, self.drop_spare)
        if self._spare is None:
            try:
                self._spare = self._fork()
            except OSError:
                self._spare = None  # no room for luxuries

    def _fork(self, order=None):
        """A child that carries out `order`, or waits for one. The lists: orders, stdin, stdout, stderr."""
        ours, theirs = [], []
        try:
            for direction in (1, 1, 0, 0):
                pipe = os.pipe2(os.O_CLOEXEC)
                ours.append(pipe[direction])
                theirs.append(pipe[1 - direction])
                os.set_blocking(pipe[direction], False)
            os.write(self._oom_fd, self._child_score)
            try:
                pid = os.fork()
                if pid == 0:
                    _become(theirs, order)
            finally:
                os.write(self._oom_fd, self._own_score)
        except BaseException:
            for fd in ours:
                os.close(fd)
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        self._forks.spawned(pid)
        return _Waiting(ours[0], Child(pid, *ours[1:]))


class _Waiting:
    """A forked child that waits for its order on a pipe."""

    def __init__(self, orders, child):
        self.orders = orders
        self.child = child

    def use(self, order):
        """False, and dropped, if it is gone or the order is too long to fit into its pipe at once."""
        data = marshal.dumps(order)
        try:
            if len(data) > MAX_ORDER:
                raise ValueError("too long")
            # Whoever may have stopped it: it is needed now.
            os.kill(self.child.pid, _signal.SIGCONT)
            os.write(self.orders, data)
        except (OSError, ValueError):
            self.drop()
            return False
        os.close(self.orders)
        return True

    def drop(self):
        for fd in (self.orders, self.child.stdin, self.child.stdout, self.child.stderr):
            os.close(fd)


def _become(fds, order):
    """Runs in the child: gets ready, waits for its order, turns into the command. Never returns."""
    try:
        _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        os.setsid()
        orders, stdin, stdout, stderr = fds
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        # A child that waits must not hold the ends of other commands' pipes open.
        _close_all_but(orders, stdin)
        _signal.set_wakeup_fd(-1)
        for number in (_signal.SIGINT, _signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGCHLD):
            _signal.signal(number, _signal.SIG_DFL)
        if order is None:
            data = b""
            while chunk := os.read(orders, MAX_ORDER):
                data += chunk
            if not data:
                os._exit(0)
            order = marshal.loads(data)
        arguments, environment, directory, wants_stdin = order
        os.dup2(stdin if wants_stdin else os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC), 0)
        os.chdir(directory)
        os.execve(arguments[0], arguments, environment)
    except BaseException as error:
        os.write(2, ("cove: the command could not be started: %s\n" % error).encode("utf-8", "replace"))
    finally:
        os._exit(126)


def _close_all_but(*kept):
    low = 3
    for fd in sorted(kept):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 65536)
