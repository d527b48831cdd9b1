"""What the standard library has no function for: two process attributes, and giving memory back."""

import ctypes

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
_libc = ctypes.CDLL(None)
_prctl = _libc.prctl


def hide():
    """Nobody of our uid may read our memory or environment, trace us or take our descriptors."""
    _prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def show():
    """Back to normal after a fork: a user may look at processes of their own."""
    _prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def adopt_orphans():
    """Whoever loses its parent somewhere below us becomes our child, so a walk from here finds it."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def give_memory_back():
    """What large outputs took stays with the allocator otherwise, and many sandboxes are idle most of the time."""
    _libc.malloc_trim(0)
