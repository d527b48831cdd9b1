"""A long piece of work between other work."""

from coved.refusal import as_refusal
from coved.pipe_session import Handler


class Job(Handler):
    """A long piece of work done a step at a time; the last thing it yields is the answer."""

    def __init__(self, stream, steps):
        self._stream = stream
        self._steps = steps
        self._wanted = True

    def run(self):
        answer = None
        try:
            for answer in self._steps:
                if not self._wanted:
                    return self._steps.close()
                if answer is None:
                    yield
            self._stream.finish(answer or {})
        except Exception as error:
            self._stream.refuse(as_refusal(error))

    def closed(self):
        self._wanted = False
