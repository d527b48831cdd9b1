"""What the standard library has no function for: two process attributes, inotify, and giving memory back.

Called without the `ctypes` package around it: that takes 0.2 MB of every idle sandbox, and time at every start.
"""

from __future__ import annotations

import os
from _ctypes import call_function, dlopen, dlsym

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
IN_NONBLOCK, IN_CLOEXEC = 0o4000, 0o2000000
_libc = dlopen(None, os.RTLD_NOW)  # type: ignore[arg-type]  # None is what is loaded already


def _function(name: str) -> Callable[..., int]:
    address = dlsym(_libc, name)
    return lambda *arguments: call_function(address, arguments)


_prctl, _malloc_trim = _function("prctl"), _function("malloc_trim")
_inotify_init1, _inotify_add_watch = _function("inotify_init1"), _function("inotify_add_watch")
_inotify_rm_watch = _function("inotify_rm_watch")


def hide() -> None:
    """Nobody of our uid may read our memory or environment, trace us or take our descriptors."""
    _prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def show() -> None:
    """Back to normal after a fork: a user may look at processes of their own."""
    _prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def adopt_orphans() -> None:
    """Whoever loses its parent somewhere below us becomes our child, so a walk from here finds it."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def give_memory_back() -> None:
    """What large outputs took stays with the allocator otherwise, and many sandboxes are idle most of the time."""
    _malloc_trim(0)


def inotify_open() -> int | None:
    """A descriptor that tells of changes, or None where there can't be another."""
    fd = _inotify_init1(IN_NONBLOCK | IN_CLOEXEC)
    return fd if fd >= 0 else None


def inotify_watch(fd: int, path: bytes, mask: int) -> int | None:
    """The watch's number, or None."""
    number = _inotify_add_watch(fd, path, mask)
    return number if number >= 0 else None


def inotify_forget(fd: int, number: int) -> None:
    _inotify_rm_watch(fd, number)
