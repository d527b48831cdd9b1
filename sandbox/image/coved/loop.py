"""One thread that waits for file descriptors, timers and children. An error in a handler never ends it."""

from __future__ import annotations

import _signal
import os
import select
from _heapq import heappop, heappush
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn

    Action = Callable[[], object]
    Handler = Callable[[int], object]

READ, WRITE = select.EPOLLIN, select.EPOLLOUT


class Timer:
    """What is done when its time comes: nothing, if it was cancelled."""

    __slots__ = ("action",)

    def __init__(self, action: Action) -> None:
        self.action: Action | None = action


class Loop:
    def __init__(self, on_children: Action) -> None:
        self.epoll = select.epoll()
        self.handlers: dict[int, Handler] = {}
        # When, and in which order those of the same moment were set.
        self.timers: list[tuple[float, int, Timer]] = []
        self.counter = 0
        self.tasks: list[Iterator[None]] = []
        self.before_wait: list[Action] = []
        self.children_changed = False
        self._on_children = on_children
        self._wake_on_children()

    def watch(self, fd: int, events: int, handler: Handler) -> None:
        self.handlers[fd] = handler
        self.epoll.register(fd, events)

    def change(self, fd: int, events: int) -> None:
        self.epoll.modify(fd, events)

    def forget(self, fd: int) -> None:
        if self.handlers.pop(fd, None) is not None:
            self.epoll.unregister(fd)

    def after(self, seconds: float, action: Action) -> Timer:
        """Calls `action` once; the returned timer is cancelled with `cancel`."""
        self.counter += 1
        timer = Timer(action)
        heappush(self.timers, (monotonic() + seconds, self.counter, timer))
        return timer

    def cancel(self, timer: Timer | None) -> None:
        if timer is not None:
            timer.action = None

    def task(self, steps: Iterator[None]) -> None:
        """Runs a generator one step at a time, between other work, so that long jobs block nobody."""
        self.tasks.append(steps)

    def run(self) -> NoReturn:
        while True:
            for prepare in self.before_wait:
                guard(prepare)
            for fd, events in self.epoll.poll(self._patience()):
                handler = self.handlers.get(fd)
                if handler is not None:
                    guard(handler, events)
            if self.children_changed:
                self.children_changed = False
                guard(self._on_children)
            self._run_timers()
            if self.tasks:
                self._run_tasks()

    def _patience(self) -> float:
        if self.tasks or self.children_changed:
            return 0
        while self.timers and self.timers[0][2].action is None:
            heappop(self.timers)
        # epoll rounds up to whole milliseconds, so a timer is never early.
        return max(0, self.timers[0][0] - monotonic()) if self.timers else -1

    def _run_timers(self) -> None:
        # Those that were due when we looked: one that sets itself again must not keep everybody else waiting.
        now = monotonic()
        while self.timers and (self.timers[0][2].action is None or self.timers[0][0] <= now):
            action = heappop(self.timers)[2].action
            if action is not None:
                guard(action)

    def _run_tasks(self) -> None:
        for steps in self.tasks[:]:
            try:
                next(steps)
            except StopIteration:
                self.tasks.remove(steps)
            except Exception as error:
                self.tasks.remove(steps)
                complain(error)

    def _wake_on_children(self) -> None:
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        _signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        _signal.signal(_signal.SIGCHLD, self._noted)
        self.watch(reader, READ, lambda events: os.read(reader, 4096))

    def _noted(self, *_: object) -> None:
        self.children_changed = True


def guard(action: Callable[..., object], *arguments: object) -> None:
    try:
        action(*arguments)
    except Exception as error:
        complain(error)


def complain(error: BaseException) -> None:
    """Says on stderr what went wrong, if anybody listens, and goes on."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else "?"
    try:
        os.write(2, f"coved: {type(error).__name__}: {error} ({where})\n".encode("utf-8", "replace"))
    except OSError:
        return  # nobody listens, and that is no reason to stop
