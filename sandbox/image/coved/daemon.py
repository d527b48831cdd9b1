"""Puts the parts together and runs them. The arguments exist for tests; in a container there are none."""

from __future__ import annotations

import _signal
import gc
import os

from coved import libc
from coved.accounts import write_accounts
from coved.egress import Egress
from coved.executions import Executions
from coved.listener import Listener
from coved.loop import Loop
from coved.paths import Roots
from coved.processes import SELF
from coved.requests import Requests

ROOTS = {
    b"workspace": (b"/workspace", True),
    b"tmp": (b"/tmp", True),
    b"skills": (b"/skills", False),
    b"tools": (b"/tools", False),
}


def main(arguments: list[str]) -> None:
    folder, roots, trust_anyone, tick = "/run/cove", ROOTS, False, 15.0
    port: int | None = 3128
    for argument in arguments:
        key, _, value = argument.partition("=")
        if key == "--run":
            folder, trust_anyone, port = value, True, None
        elif key == "--egress":
            port = int(value)
        elif key == "--tick":
            tick = float(value)
        elif key == "--roots":
            roots = {name: (os.fsencode(value) + b"/" + name, may) for name, (_, may) in ROOTS.items()}
    # /skills and /tools are links of the image, which nobody inside can change.
    roots = {name: (os.path.realpath(place), may) for name, (place, may) in roots.items()}
    os.umask(0o022)
    # Nobody may read what we complain about, and that must not stop us.
    os.set_blocking(2, False)
    # PID 1 only gets signals it has a handler for, and Python has one for this.
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    write_accounts(folder)
    if SELF != 1:
        libc.adopt_orphans()
    make_outputs(roots[b"workspace"][0])
    boot_id = os.urandom(8).hex()
    loop = Loop(lambda: executions.reap())
    executions = Executions(loop, roots[b"workspace"][0])
    libc.hide()
    requests = Requests(loop, executions, Roots(roots), boot_id)
    listener = Listener(loop, folder + "/coved.sock", boot_id, requests.answer, tick, trust_anyone)
    if port is not None:
        Egress(loop, port, listener.live_session)
    # What is there now stays: it needs no collecting, and forks share its pages longer.
    gc.collect()
    gc.freeze()
    loop.run()


def make_outputs(workspace: bytes) -> None:
    try:
        os.mkdir(workspace + b"/outputs")
    except OSError:
        return  # there already, or no room: neither is a reason not to start
