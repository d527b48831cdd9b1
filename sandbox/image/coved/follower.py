"""Carries an execution's output to one stream, from an offset on and as fast as the server takes it."""

from coved.framing import MAX_CHUNK
from coved.pipe_session import Handler


class Follower(Handler):
    def __init__(self, stream, execution, offsets=None):
        """Without offsets it is the one who started it, and feeds its input."""
        self._stream = stream
        self._execution = execution
        self._offsets = dict(offsets) if offsets else {}
        self._stdin = None if offsets else execution.stdin
        stream.handler = self
        execution.followers.append(self)

    def pump(self):
        execution = self._execution
        result = execution.result
        done = result is not None
        for channel, output in execution.outputs.items():
            if not self._send(channel, output, result is not None):
                done = False
        if done:
            execution.followers.remove(self)
            self._stream.finish(result)

    def tell(self, message):
        self._stream.reply(message)

    def received(self, data):
        if self._stdin is None:
            return self._stream.consumed(len(data))
        self._stdin.write(data, self._stream)

    def ended(self, channel):
        if channel == 0 and self._stdin is not None:
            self._stdin.end()

    def credited(self, channel):
        self.pump()

    def closed(self):
        if self in self._execution.followers:
            self._execution.followers.remove(self)
        if self._stdin is not None:
            self._stdin.end()

    def _send(self, channel, output, closed):
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
