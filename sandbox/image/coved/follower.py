"""Carries an execution's output to one stream, from an offset on and as fast as the server takes it."""

from __future__ import annotations

from coved.framing import MAX_CHUNK
from coved.pipe_session import Handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coved.execution import Execution
    from coved.messages import Message
    from coved.output import Output
    from coved.pipe_session import Stream


class Follower(Handler):
    def __init__(self, stream: Stream, execution: Execution, offsets: dict[int, int] | None = None) -> None:
        """Without offsets it is the one who started it, and feeds its input."""
        self._stream = stream
        self._execution = execution
        self._offsets = dict(offsets) if offsets else {}
        self._stdin = None if offsets else execution.stdin
        stream.handler = self
        execution.followers.append(self)

    def pump(self) -> None:
        execution = self._execution
        result = execution.result
        everything = True
        for channel, output in execution.outputs.items():
            if not self._send(channel, output, result is not None):
                everything = False
        if everything and result is not None:
            execution.followers.remove(self)
            self._stream.finish(result)

    def tell(self, message: Message) -> None:
        self._stream.reply(message)

    def received(self, data: bytes) -> None:
        if self._stdin is None:
            return self._stream.consumed(len(data))
        self._stdin.write(data, self._stream)

    def ended(self, channel: int) -> None:
        if channel == 0 and self._stdin is not None:
            self._stdin.end()

    def credited(self, channel: int) -> None:
        self.pump()

    def closed(self) -> None:
        if self in self._execution.followers:
            self._execution.followers.remove(self)
        if self._stdin is not None:
            self._stdin.end()

    def _send(self, channel: int, output: Output, closed: bool) -> bool:
        """True once everything there will ever be is sent."""
        offset = self._offsets.get(channel, 0)
        while not (finished := output.finished(offset)):
            room = self._stream.room(channel)
            start, data = output.after(offset, min(room, MAX_CHUNK), closed) if room > 0 else (offset, b"")
            if not data:
                break
            if start > offset:
                self._stream.reply({"gap": {"channel": channel, "bytes": start - offset}})
            self._stream.send(channel, data)
            offset = start + len(data)
        self._offsets[channel] = offset
        return finished
