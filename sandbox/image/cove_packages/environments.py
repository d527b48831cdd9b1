"""The user's Python environments: folders in /workspace/.venvs, and a link at /workspace/.venv to the one in use."""

import os
import shutil
import subprocess
import sys

from cove_packages.refusal import Refused

HOME = "/workspace/.venvs"
ACTIVE = "/workspace/.venv"
SYSTEM_PYTHON = "/usr/bin/python3"
# Without pip's own copy an environment is made thirty times as fast, and the system's pip serves it as well.
PIP = """#!{python}
import sys
from pip._internal.cli.main import main
sys.exit(main())
"""


def active():
    """Where the environment in use really is; made if there is none."""
    if not os.path.exists(ACTIVE + "/bin/python"):
        make("default", "venv")
        use("default")
    return os.path.realpath(ACTIVE)


def found():
    in_use = os.path.realpath(ACTIVE)
    homes = [f"{HOME}/{name}" for name in sorted(_names())]
    if os.path.isdir(ACTIVE) and not os.path.islink(ACTIVE):
        homes.insert(0, ACTIVE)
    return [
        {"name": os.path.basename(home), "type": _type(home), "path": home, "active": home == in_use} for home in homes
    ]


def make(name, kind):
    home = f"{HOME}/{name}"
    if os.path.lexists(home):
        raise Refused(f"There is an environment called {name} already.")
    os.makedirs(HOME, exist_ok=True)
    try:
        _run(_recipe(kind, home))
        if kind != "conda":
            _add_pip(home)
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        raise
    return {"name": name, "type": kind, "path": home}


def use(name):
    home = f"{HOME}/{name}"
    if not os.path.exists(home + "/bin/python"):
        raise Refused(f"There is no environment called {name}: make it first.")
    if os.path.isdir(ACTIVE) and not os.path.islink(ACTIVE):
        raise Refused(f"{ACTIVE} is a folder of your own, not a link to an environment: move it away first.")
    fresh = f"{ACTIVE}-{os.getpid()}"
    os.symlink(os.path.relpath(home, os.path.dirname(ACTIVE)), fresh)
    os.replace(fresh, ACTIVE)
    return {"name": name, "type": _type(home), "path": home}


def _recipe(kind, home):
    if kind == "venv":
        return [SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", "--without-pip", home]
    tool = shutil.which(kind)
    if tool is None:
        raise Refused(f"This sandbox has no {kind}: make an environment of type venv instead.")
    if kind == "uv":
        return [tool, "venv", "--quiet", "--system-site-packages", "--python", SYSTEM_PYTHON, home]
    return [tool, "create", "--yes", "--quiet", "--prefix", home, "python"]


def _run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, text=True, stderr=subprocess.PIPE)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise Refused(f"The environment could not be made: {last[:300]}")


def _add_pip(home):
    for name in ("pip", "pip3"):
        path = f"{home}/bin/{name}"
        with open(path, "w", encoding="utf-8") as script:
            script.write(PIP.format(python=home + "/bin/python"))
        os.chmod(path, 0o755)


def _names():
    try:
        return [name for name in os.listdir(HOME) if os.path.exists(f"{HOME}/{name}/bin/python")]
    except OSError:
        return []


def _type(home):
    if os.path.isdir(home + "/conda-meta"):
        return "conda"
    try:
        with open(home + "/pyvenv.cfg", encoding="utf-8", errors="replace") as settings:
            return "uv" if any(line.startswith("uv ") for line in settings) else "venv"
    except OSError:
        return "venv"
