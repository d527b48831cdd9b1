"""A long piece of work between other work."""

from __future__ import annotations

from coved.pipe_session import Handler
from coved.refusal import as_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from coved.messages import Message
    from coved.pipe_session import Stream


class Job(Handler):
    """A long piece of work done a step at a time; the last thing it yields is the answer."""

    def __init__(self, stream: Stream, steps: Generator[Message | None]) -> None:
        self._stream = stream
        self._steps = steps
        self._wanted = True

    def run(self) -> Generator[None]:
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

    def closed(self) -> None:
        self._wanted = False
