"""One question to a session between its cells: what could stand here? Nobody waits long for the answer."""

from __future__ import annotations

import marshal
import os

from coved.messages import loads
from coved.pipe_session import Handler
from coved.refusal import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.interpreter import Interpreter
    from coved.loop import Loop
    from coved.messages import Message
    from coved.pipe_session import Stream
    from coved.python import Python

PATIENCE = 1
# So often it is interrupted before it is given up, session and all.
TRIES = 5
NOTHING: Message = {"matches": [], "start": 0, "end": 0, "busy": False}


class Completion(Handler):
    def __init__(self, interpreter: Interpreter, loop: Loop, stream: Stream, code: str, cursor: int) -> None:
        self.token = os.urandom(8).hex().encode()
        self.order = marshal.dumps({"complete": code, "cursor": cursor, "token": self.token})
        self._interpreter = interpreter
        self._loop = loop
        self._stream: Stream | None = stream
        stream.handler = self
        self._tries = 0
        self._timer = loop.after(PATIENCE, self._insist)

    def answer(self, rest: bytes) -> None:
        """Raises ValueError for what a session of ours would not say."""
        answer = loads(rest)
        matches, start, end = answer.get("matches"), answer.get("start"), answer.get("end")
        if type(matches) is not list or type(start) is not int or type(end) is not int or not 0 <= start <= end:
            raise ValueError("not an answer")
        for match in matches:
            if type(match) is not list or len(match) != 2 or not all(type(text) is str for text in match):
                raise ValueError("not a match")
        self._finish({"matches": matches, "start": start, "end": end, "busy": False})

    def give_up(self) -> None:
        self._finish(NOTHING)

    def closed(self) -> None:
        self._stream = None

    def _finish(self, message: Message) -> None:
        self._loop.cancel(self._timer)
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.finish(message)

    def _insist(self) -> None:
        """Whoever asked gets an answer, and the session is freed for its next cell."""
        self._finish(NOTHING)
        self._tries += 1
        if self._tries > TRIES:
            return self._interpreter.end("it did not come back from completing a name")
        self._interpreter.interrupt()
        self._timer = self._loop.after(PATIENCE, self._insist)


def complete(python: Python | None, stream: Stream, session: str, code: str, cursor: int) -> None:
    """Answers at once where there is no session, or where it is busy with a cell."""
    if cursor > len(code):
        raise Refusal("invalid_argument", "the cursor is past the end of the code")
    interpreter = python.sessions.get(session) if python is not None else None
    if interpreter is None:
        return stream.finish(NOTHING)
    if not interpreter.complete(stream, code, cursor):
        stream.finish({**NOTHING, "busy": True})
