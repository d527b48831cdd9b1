"""Ends a tree of processes: stops what it finds until no new face turns up, kills, and looks again."""

from time import monotonic

from coved.processes import stop_then_kill

GIVE_UP = 5
LONGEST_PAUSE = 0.05


class Ending:
    """`find` tells who is left, `may_finish` whether their absence is enough, `done` hears whether some are left."""

    def __init__(self, loop, find, may_finish, done):
        self._loop = loop
        self._find = find
        self._may_finish = may_finish
        self._done = done
        self._stopped = set()
        self._since = monotonic()
        self._pause = 0.001
        self._step()

    def _step(self):
        victims = self._find()
        tired = monotonic() - self._since > GIVE_UP
        if self._may_finish() and (not victims or tired):
            return self._done(bool(victims))
        stop_then_kill(victims, self._stopped)
        self._loop.after(self._pause, self._step)
        self._pause = min(LONGEST_PAUSE, self._pause * 2)
