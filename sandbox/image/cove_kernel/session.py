"""The session itself: takes cells from the daemon one after the other and outlives whatever they do, where it can."""

from __future__ import annotations

import builtins
import json
import marshal
import os
import signal
import socket
import sys
import traceback
from fcntl import F_DUPFD_CLOEXEC, fcntl
from typing import TYPE_CHECKING

from cove_kernel.environment import Environment
from cove_kernel.orders import receive_order
from cove_kernel.results import Results
from cove_kernel.start import enter_workspace, leave_trace, plain_shell, settle_in
from cove_kernel.streams import Streams
from coved import libc

if TYPE_CHECKING:
    from typing import NoReturn, TypedDict

    from cove_kernel.completion import Answer
    from cove_kernel.shell import Shell

    class Cell(TypedDict):
        id: str
        token: bytes
        code: str
        results: int

    class Question(TypedDict):
        token: bytes
        complete: str
        cursor: int


# Where user code is unlikely to close it by accident.
HIGH = 200
# Held here, since code may take away even the builtin names.
_Everything, _Exit = BaseException, SystemExit


class Session:
    def __init__(self, name: str, control_fd: int, shell: Shell | None) -> None:
        os.setsid()
        libc.show()
        signal.signal(signal.SIGINT, _ignore)
        self._pid = os.getpid()
        self._control = socket.socket(fileno=fcntl(control_fd, F_DUPFD_CLOEXEC, HIGH))
        os.close(control_fd)
        os.register_at_fork(after_in_child=lambda: os.close(self._control.fileno()))
        self._streams = Streams()
        self._environment = Environment()
        enter_workspace()
        self._shell = shell or plain_shell(self._environment)
        self._shell.owner = self._pid
        settle_in(self._shell)
        self._environment.refresh()
        self._builtins = builtins.__dict__
        self._originals = self._builtins.copy()
        self._control.send(b"r" + (b"1" if leave_trace(name) else b"0"))

    def serve(self) -> NoReturn:
        while True:
            order, fds = receive_order(self._control)
            if not order:
                os._exit(0)
            order = marshal.loads(order)
            if "complete" in order:
                self._complete(order)
            else:
                self._run(order, fds)

    def _run(self, order: Cell, fds: list[int]) -> None:
        code = 1
        error: dict[str, str] | None = None
        results_fd = fcntl(fds[2], F_DUPFD_CLOEXEC, HIGH)
        os.close(fds[2])
        try:
            self._streams.open(*fds[:2])
            os.environ["COVE_EXECUTION"] = order["id"]
            self._shell.results = Results(results_fd, order["results"])
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._control.send(b"b" + order["token"])
            self._environment.refresh()
            code, error = self._execute(order["code"])
        except _Everything as failure:
            # The shell itself was broken by what ran in it.
            error = _describe(failure)
            _complain(failure)
        signal.signal(signal.SIGINT, _ignore)
        self._streams.close()
        if os.getpid() != self._pid:
            # A fork of the session that came to the end of the cell: only one of them goes on.
            os._exit(code)
        os.close(results_fd)
        self._control.send(b"d" + order["token"] + json.dumps({"exit": code, "error": error}).encode())

    def _complete(self, order: Question) -> None:
        answer: Answer = {"matches": [], "start": 0, "end": 0}
        try:
            from cove_kernel.completion import complete

            signal.signal(signal.SIGINT, signal.default_int_handler)
            answer = complete(self._shell, order["complete"], order["cursor"])
        except _Everything:
            pass  # what the user made of their objects can fail in any way, and then there is nothing to offer
        signal.signal(signal.SIGINT, _ignore)
        self._control.send(b"c" + order["token"] + json.dumps(answer).encode())

    def _execute(self, code: str) -> tuple[int, dict[str, str] | None]:
        try:
            outcome = self._shell.run_cell(code, store_history=True)
            self._show_figures()
        finally:
            # A builtin that a cell replaces or deletes is back for the next one: the shell needs them.
            self._builtins.update(self._originals)
        failure = outcome.error_in_exec if outcome.error_before_exec is None else outcome.error_before_exec
        if failure is None:
            return 0, None
        return (_exit_code(failure), None) if isinstance(failure, _Exit) else (1, _describe(failure))

    def _show_figures(self) -> None:
        figures = sys.modules.get("cove_kernel.figures")
        if figures is None:
            return
        try:
            figures.show()
        except Exception:
            self._shell.showtraceback()
        figures.forget_shown()


def _ignore(*_: object) -> None:
    return


def _exit_code(failure: SystemExit) -> int:
    if failure.code is None or type(failure.code) is int:
        return (failure.code or 0) & 255
    sys.stderr.write(f"{failure.code}\n")
    return 1


def _describe(failure: BaseException) -> dict[str, str]:
    try:
        answer = {"type": type(failure).__name__[:200], "message": str(failure)[:500]}
        if isinstance(failure, ModuleNotFoundError) and isinstance(failure.name, str):
            answer["module"] = failure.name[:200]
        return answer
    except _Everything:
        return {"type": "Exception", "message": "an exception that can't be described"}


def _complain(failure: BaseException) -> None:
    try:
        traceback.print_exception(failure)
    except _Everything:
        return  # neither it nor stderr can be trusted, and the result says that it failed
