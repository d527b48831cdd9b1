"""The user's Python environments: folders in /workspace/.venvs, and a link at /workspace/.venv to the one in use."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cove_packages.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypedDict

    class Environment(TypedDict):
        name: str
        type: str
        path: str

    class KnownEnvironment(Environment):
        active: bool


WORKSPACE = "/workspace"
HOME = "/workspace/.venvs"
ACTIVE = "/workspace/.venv"
SYSTEM_PYTHON = "/usr/bin/python3"
# Without pip's own copy an environment is made thirty times as fast, and the system's pip serves it as well.
PIP = """#!{python}
import sys
from pip._internal.cli.main import main
sys.exit(main())
"""


@contextmanager
def alone() -> Iterator[None]:
    """One at a time makes, switches or fills environments. Whoever is killed lets the next one in."""
    folder = os.open(WORKSPACE, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another installation to end.", file=sys.stderr, flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def active() -> str:
    """Where the environment in use really is; made, or made whole, if there is none that works."""
    if not _is_sound(ACTIVE):
        if not _is_sound(f"{HOME}/default"):
            _build("venv", f"{HOME}/default")
        use("default")
    home = os.path.realpath(ACTIVE)
    if home.startswith(HOME) and not os.path.lexists(home + "/bin/pip"):
        _add_pip(home)
    return home


def sees_system(home: str) -> bool:
    """Whether the system's packages can be imported in it, too."""
    return any(re.match(r"include-system-site-packages\s*=\s*true", line, re.IGNORECASE) for line in _settings(home))


def known() -> list[KnownEnvironment]:
    in_use = os.path.realpath(ACTIVE)
    homes = [f"{HOME}/{name}" for name in sorted(_names())]
    if os.path.isdir(ACTIVE) and not os.path.islink(ACTIVE):
        homes.insert(0, ACTIVE)
    return [
        {"name": os.path.basename(home), "type": _type(home), "path": home, "active": home == in_use} for home in homes
    ]


def make(name: str, kind: str) -> Environment:
    home = f"{HOME}/{name}"
    if _is_sound(home):
        raise Refusal(f"There is an environment called {name} already.")
    _build(kind, home)
    return {"name": name, "type": kind, "path": home}


def use(name: str) -> Environment:
    home = f"{HOME}/{name}"
    if not _is_sound(home):
        raise Refusal(f"There is no environment called {name}: make it first.")
    if os.path.isdir(ACTIVE) and not os.path.islink(ACTIVE):
        raise Refusal(f"{ACTIVE} is a folder of your own, not a link to an environment: move it away first.")
    fresh = f"{ACTIVE}-new"
    if os.path.lexists(fresh):
        os.unlink(fresh)
    os.symlink(os.path.relpath(home, os.path.dirname(ACTIVE)), fresh)
    os.replace(fresh, ACTIVE)
    return {"name": name, "type": _type(home), "path": home}


def _is_sound(home: str) -> bool:
    """One that was killed while it was being made, or lost its interpreter, is not."""
    return os.access(home + "/bin/python", os.X_OK) and (
        os.path.isfile(home + "/pyvenv.cfg") or os.path.isdir(home + "/conda-meta")
    )


def _build(kind: str, home: str) -> None:
    """What is left of a broken one stays, with the packages in it, where the tool can make it whole."""
    recipe = _recipe(kind, home)
    left = os.path.isdir(home) and not os.path.islink(home)
    if os.path.lexists(home) and not (left and kind == "venv"):
        shutil.rmtree(home) if left else os.unlink(home)
        left = False
    os.makedirs(HOME, exist_ok=True)
    try:
        _run(recipe)
        if kind != "conda":
            _add_pip(home)
    except BaseException:
        if not left:
            shutil.rmtree(home, ignore_errors=True)
        raise


def _recipe(kind: str, home: str) -> list[str]:
    if kind == "venv":
        return [SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", "--without-pip", home]
    tool = shutil.which(kind)
    if tool is None:
        raise Refusal(f"This sandbox has no {kind}: make an environment of type venv instead.")
    if kind == "uv":
        return [tool, "venv", "--quiet", "--system-site-packages", "--python", SYSTEM_PYTHON, home]
    return [tool, "create", "--yes", "--quiet", "--prefix", home, "python"]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, text=True, stderr=subprocess.PIPE)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise Refusal(f"The environment could not be made: {last[:300]}")


def _add_pip(home: str) -> None:
    for name in ("pip", "pip3"):
        path = f"{home}/bin/{name}"
        with open(path, "w", encoding="utf-8") as script:
            script.write(PIP.format(python=home + "/bin/python"))
        os.chmod(path, 0o755)


def _names() -> list[str]:
    try:
        return [name for name in os.listdir(HOME) if _is_sound(f"{HOME}/{name}")]
    except OSError:
        return []


def _type(home: str) -> str:
    if os.path.isdir(home + "/conda-meta"):
        return "conda"
    return "uv" if any(line.startswith("uv ") for line in _settings(home)) else "venv"


def _settings(home: str) -> list[str]:
    try:
        with open(home + "/pyvenv.cfg", encoding="utf-8", errors="replace") as settings:
            return settings.readlines()
    except OSError:
        return []
