"""The warm interpreter: imports what most sessions want, and forks one whenever the daemon asks for it."""

from __future__ import annotations

import contextlib
import gc
import io
import marshal
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

from cove_kernel import reaper
from cove_kernel.environment import shadowed
from cove_kernel.orders import receive_order
from coved import libc

if TYPE_CHECKING:
    from typing import NoReturn

    from cove_kernel.shell import Shell

PRELOADED = "/usr/lib/python3/dist-packages/"


def serve(daemon_fd: int) -> NoReturn:
    """Forks until the daemon hangs up."""
    libc.hide()
    daemon = socket.socket(fileno=daemon_fd)
    daemon.set_inheritable(False)
    shell = _import_everything()
    names = _preloaded_names()
    # What is there now stays: forks share its pages for as long as nobody touches them.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    daemon.send(b"warm")
    while True:
        order, fds = receive_order(daemon)
        if not order:
            os._exit(0)
        if os.fork() == 0:
            daemon.close()
            reaper_fd, control_fd = fds
            _become_reaper(marshal.loads(order), reaper_fd, control_fd, shell, names)
        for fd in fds:
            os.close(fd)


def start_plain(name: str, reaper_fd: int, control_fd: int) -> NoReturn:
    """For a user whose own packages would be hidden behind those imported in advance."""
    reaper.run_session(name, reaper_fd, control_fd, None)


def _become_reaper(name: str, reaper_fd: int, control_fd: int, shell: Shell, names: set[str]) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if not shadowed(names):
        reaper.run_session(name, reaper_fd, control_fd, shell)
    for fd in (reaper_fd, control_fd):
        os.set_inheritable(fd, True)
    program = [sys.executable, "-I", sys.argv[0], "plain", name, str(reaper_fd), str(control_fd)]
    os.execv(program[0], program)


def _import_everything() -> Shell:
    # First, because it has IPython imported without jedi.
    from cove_kernel.shell import make_shell

    # isort: split
    import matplotlib.pyplot
    import numpy  # noqa: F401
    import pandas

    from cove_kernel import figures

    shell = make_shell()
    figures.use()
    # Drawing once imports what is imported late, and fills the caches of fonts.
    matplotlib.pyplot.plot([0, 1])
    matplotlib.pyplot.title("x")
    figures.as_png(matplotlib.pyplot.gcf())
    matplotlib.pyplot.close("all")
    shell.display_formatter.format(pandas.DataFrame({"x": [1]}))
    # So does a first traceback.
    with contextlib.redirect_stderr(io.StringIO()):
        shell.run_cell("1/0")
    shell.reset(new_session=True)
    return shell


def _preloaded_names() -> set[str]:
    files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items() if "." not in name}
    return {name for name, file in files.items() if file.startswith(PRELOADED) and not name.startswith("_")}
