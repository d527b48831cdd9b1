"""How the daemon takes a new Python session: the session and the reaper above it have a socket each, so what they say
may be heard in any order."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, cast

import pytest

from coved.interpreter import Interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from coved.python import Python

# A number that no process has.
NOBODY = (2**31 - 1).to_bytes(4, "big")


class Loop:
    def __init__(self) -> None:
        self.handlers: dict[int, Callable[[int], object]] = {}

    def watch(self, fd: int, events: int, handler: Callable[[int], object]) -> None:
        self.handlers[fd] = handler

    def forget(self, fd: int) -> None:
        del self.handlers[fd]

    def after(self, seconds: float, action: object) -> None:
        return

    def cancel(self, timer: object) -> None:
        return


class Sessions:
    """Stands for all sessions, of which there is only this one."""

    def __init__(self) -> None:
        self.loop = Loop()

    def ends(self, interpreter: Interpreter) -> None:
        return

    def gone(self, interpreter: Interpreter) -> None:
        return


def after(words: str) -> Interpreter:
    """What the daemon makes of a session after these words: k and p are the reaper's, r is its own."""
    sessions = Sessions()
    reaper, heard_of_reaper = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    session, heard_of_session = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with reaper, session:
        interpreter = Interpreter(cast("Python", sessions), "default", 1, heard_of_reaper, heard_of_session)
        for word in words:
            sender, receiver = (session, heard_of_session) if word == "r" else (reaper, heard_of_reaper)
            sender.send(word.encode() + (b"1" if word == "r" else NOBODY))
            sessions.loop.handlers[receiver.fileno()](1)
    return interpreter


@pytest.mark.parametrize(
    ("early", "late"),
    [
        pytest.param("kp", "r", id="the reaper first"),
        pytest.param("k", "rp", id="the reaper's second word last"),
        pytest.param("", "rkp", id="the session first"),
    ],
)
def test_a_session_is_ready_once_both_have_spoken(early: str, late: str) -> None:
    waiting, ready = after(early), after(early + late)
    assert (waiting.ready, waiting.over) == (False, False)
    assert (ready.ready, ready.over) == (True, False)


def test_a_session_that_announces_itself_twice_is_ended() -> None:
    interpreter = after("kprr")
    assert (interpreter.over, interpreter.why) == (True, "it wrote nonsense to the sandbox")
