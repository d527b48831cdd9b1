"""The process above a session: it collects what the session orphans and tells the daemon how the session ended."""

from __future__ import annotations

import gc
import os
import socket
from typing import TYPE_CHECKING

from coved import libc

if TYPE_CHECKING:
    from typing import NoReturn

    from cove_kernel.shell import Shell


def run_session(name: str, reaper_fd: int, control_fd: int, shell: Shell | None) -> NoReturn:
    """Starts the session below and never returns."""
    try:
        gc.disable()
        libc.hide()
        libc.adopt_orphans()
        os.setsid()
        daemon = socket.socket(fileno=reaper_fd)
        daemon.set_inheritable(False)
        daemon.send(b"k" + os.getpid().to_bytes(4))
        session = os.fork()
        if session == 0:
            daemon.close()
            _become_session(name, control_fd, shell)
        os.close(control_fd)
        daemon.send(b"p" + session.to_bytes(4))
        _wait(daemon, session)
    finally:
        os._exit(1)


def _wait(daemon: socket.socket, session: int) -> NoReturn:
    try:
        while True:
            pid, status = os.waitpid(-1, 0)
            if pid == session:
                daemon.send(b"x" + status.to_bytes(4))
    except ChildProcessError:
        os._exit(0)


def _become_session(name: str, control_fd: int, shell: Shell | None) -> NoReturn:
    try:
        gc.enable()
        from cove_kernel.session import Session

        Session(name, control_fd, shell).serve()
    finally:
        os._exit(70)
