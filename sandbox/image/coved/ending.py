"""Ends a tree of processes: stops what it finds until no new face turns up, kills, and looks again."""

from __future__ import annotations

from time import monotonic

from coved.processes import stop_then_kill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.loop import Loop
    from coved.processes import Process

TELL_AFTER = 5
GIVE_UP = 60
LONGEST_PAUSE = 0.05


class Ending:
    """`find` tells who is left, `may_finish` whether their absence is enough, `done` hears whether some are left.

    Whoever waits is told after a few seconds at the latest; the rest are ended even then.
    """

    def __init__(
        self,
        loop: Loop,
        find: Callable[[], list[Process]],
        may_finish: Callable[[], bool],
        done: Callable[[bool], None],
    ) -> None:
        self._loop = loop
        self._find = find
        self._may_finish = may_finish
        self._done: Callable[[bool], None] | None = done
        self._stopped: set[tuple[int, int]] = set()
        self._since = monotonic()
        self._pause = 0.001
        self._step()

    def _step(self) -> None:
        victims = self._find()
        age = monotonic() - self._since
        if self._done is not None and self._may_finish() and (not victims or age > TELL_AFTER):
            done, self._done = self._done, None
            done(bool(victims))
        if self._done is None and (not victims or age > GIVE_UP):
            return
        stop_then_kill(victims, self._stopped)
        self._loop.after(self._pause, self._step)
        self._pause = min(LONGEST_PAUSE, self._pause * 2)
