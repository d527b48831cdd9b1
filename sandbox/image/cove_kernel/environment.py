"""Packages of the user's own: their environment on the workspace, and what `pip install --user` left there."""

import importlib
import os
import site
import sys

HOME = "/workspace/.venv"
VERSION = "python%d.%d" % sys.version_info[:2]
PLACES = [f"{base}/lib/{VERSION}/site-packages" for base in (HOME, "/workspace/.local")]
SYSTEM = "/usr/lib/python3/dist-packages"


def shadowed(names):
    """Whether the user has installed something that is among these already imported names."""
    return any(entry.partition(".")[0] in names for place in PLACES for entry in _entries(place))


class Environment:
    def __init__(self):
        self._seen = {}

    def leave_out(self):
        """Takes the user's packages off the path, until the next refresh."""
        self._seen.clear()
        sys.path[:] = [path for path in sys.path if path not in PLACES]

    def refresh(self):
        """What was installed since the last cell can be imported now."""
        for place in PLACES:
            try:
                changed = os.stat(place).st_mtime_ns
            except OSError:
                continue
            if self._seen.get(place) != changed:
                self._seen[place] = changed
                _add(place)
                importlib.invalidate_caches()
        if os.path.exists(HOME + "/bin/python") and sys.executable != HOME + "/bin/python":
            sys.executable = HOME + "/bin/python"
            os.environ["VIRTUAL_ENV"] = HOME
            os.environ["PATH"] = f"{HOME}/bin:{os.environ.get('PATH', '')}"


def _add(place):
    """Where Python itself would put it: after the standard library, before the system's packages."""
    before = list(sys.path)
    site.addsitedir(place)
    added = [path for path in sys.path if path not in before]
    at = before.index(SYSTEM) if SYSTEM in before else len(before)
    if place in before:
        at = before.index(place) + 1
    sys.path[:] = before[:at] + added + before[at:]


def _entries(place):
    try:
        return os.listdir(place)
    except OSError:
        return []
