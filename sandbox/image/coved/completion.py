"""One question to a session between its cells: what could stand here? Nobody waits long for the answer."""

import marshal
import os

from coved.messages import loads
from coved.refusal import Refusal
from coved.pipe_session import Handler

PATIENCE = 1
# So often it is interrupted before it is given up, session and all.
TRIES = 5
NOTHING = {"matches": [], "start": 0, "end": 0, "busy": False}


class Completion(Handler):
    def __init__(self, interpreter, loop, stream, code, cursor):
        self.token = os.urandom(8).hex().encode()
        self.order = marshal.dumps({"complete": code, "cursor": cursor, "token": self.token})
        self._interpreter = interpreter
        self._loop = loop
        self._stream = stream
        stream.handler = self
        self._tries = 0
        self._timer = loop.after(PATIENCE, self._insist)

    def answer(self, rest):
        """Raises ValueError for what a session of ours would not say."""
        answer = loads(rest)
        matches, start, end = answer.get("matches"), answer.get("start"), answer.get("end")
        if type(matches) is not list or type(start) is not int or type(end) is not int or not 0 <= start <= end:
            raise ValueError("not an answer")
        for match in matches:
            if type(match) is not list or len(match) != 2 or not all(type(text) is str for text in match):
                raise ValueError("not a match")
        self._finish({"matches": matches, "start": start, "end": end, "busy": False})

    def give_up(self):
        self._finish(NOTHING)

    def closed(self):
        self._stream = None

    def _finish(self, message):
        self._loop.cancel(self._timer)
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.finish(message)

    def _insist(self):
        """Whoever asked gets an answer, and the session is freed for its next cell."""
        self._finish(NOTHING)
        self._tries += 1
        if self._tries > TRIES:
            return self._interpreter.end("it did not come back from completing a name")
        self._interpreter.interrupt()
        self._timer = self._loop.after(PATIENCE, self._insist)


def complete(python, stream, session, code, cursor):
    """Answers at once where there is no session, or where it is busy with a cell."""
    if cursor > len(code):
        raise Refusal("invalid_argument", "the cursor is past the end of the code")
    interpreter = python.sessions.get(session) if python is not None else None
    if interpreter is None:
        return stream.finish(NOTHING)
    if not interpreter.complete(stream, code, cursor):
        stream.finish({**NOTHING, "busy": True})
