"""The two process attributes the standard library has no function for."""

import ctypes

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
_prctl = ctypes.CDLL(None).prctl


def hide():
    """Nobody of our uid may read our memory or environment, trace us or take our descriptors."""
    _prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def adopt_orphans():
    """Whoever loses its parent somewhere below us becomes our child, so a walk from here finds it."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
