"""Packages of the user's own: their environment on the workspace, and what `pip install --user` left there."""

from __future__ import annotations

import importlib
import os
import re
import site
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = "/workspace/.venv"
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
PLACES = [f"{base}/lib/{VERSION}/site-packages" for base in (HOME, "/workspace/.local")]
SYSTEM = "/usr/lib/python3/dist-packages"


def shadowed(names: set[str]) -> bool:
    """Whether the user has installed another version of something that is among these already imported names."""
    for place in PLACES:
        hidden = {entry.partition(".")[0] for entry in _entries(place)} & names
        if hidden and hidden - _same_as_system(place):
            return True
    return False


class Environment:
    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def leave_out(self) -> None:
        """Takes the user's packages off the path, until the next refresh."""
        self._seen.clear()
        sys.path[:] = [path for path in sys.path if path not in PLACES]

    def refresh(self) -> None:
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


def _add(place: str) -> None:
    """Where Python itself would put it: after the standard library, before the system's packages."""
    before = list(sys.path)
    site.addsitedir(place)
    added = [path for path in sys.path if path not in before]
    at = before.index(SYSTEM) if SYSTEM in before else len(before)
    if place in before:
        at = before.index(place) + 1
    sys.path[:] = before[:at] + added + before[at:]


def _same_as_system(place: str) -> set[str]:
    """What can be imported from there of those packages that the system has in the same version."""
    system = {name: version for name, version, _ in _distributions(SYSTEM)}
    same: set[str] = set()
    other: set[str] = set()
    for name, version, folder in _distributions(place):
        if name in system:
            (same if system[name] == version else other).update(_top_level(f"{place}/{folder}/RECORD"))
    return same - other


def _distributions(place: str) -> Iterator[tuple[str, str, str]]:
    """Name, version and the folder that says so, by its name alone: that is quicker than to read what is in it."""
    for entry in _entries(place):
        stem, _, kind = entry.rpartition(".")
        name, _, version = stem.partition("-")
        if kind in ("dist-info", "egg-info") and version:
            # Debian marks some as its own: 3.10.1+dfsg1.
            yield re.sub(r"[-_.]+", "-", name).lower(), version.partition("+")[0], entry


def _top_level(record: str) -> set[str]:
    try:
        with open(record, encoding="utf-8", errors="replace") as lines:
            return {re.split("[/.,]", line, maxsplit=1)[0] for line in lines}
    except OSError:
        return set()


def _entries(place: str) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:
        return []
