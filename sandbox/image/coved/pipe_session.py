"""A session outlives its connections: frames are numbered, kept until acknowledged and sent again after a break.

A server that comes back with the same session id goes on as if nothing happened; one with another id starts afresh.
"""

from _collections import deque

from coved.framing import (
    ACK,
    CLOSE,
    CREDIT,
    DATA,
    END,
    FINAL,
    MORE,
    OPEN,
    REPLY,
    U32,
    U64,
    WINDOW,
    BadFrame,
    encode,
)
from coved.messages import dumps, loads
from coved.refusal import Refusal, as_refusal

ACK_FRAMES = 64
ACK_BYTES = 128 * 1024
MAX_STREAMS = 1024


class PipeSession:
    def __init__(self, name, answer):
        self.name = name
        self.streams = {}
        self.received = 0
        self.acknowledged = 0
        self._answer = answer
        self._connection = None
        self._sent = deque()
        self._newest_stream = 0
        self._newest_own = 0
        self._unacknowledged_bytes = 0
        self._told = 0

    @property
    def connected(self):
        return self._connection is not None

    def open(self, make):
        """Starts a stream of our own, with the next even number; `make` gets the session and the number."""
        self._newest_own += 2
        stream = self.streams[self._newest_own] = make(self, self._newest_own)
        self.send(OPEN, 0, stream.number, b"{}")
        return stream

    def can_resume(self, seen):
        """Whether a server that has seen so many of our frames can still get the rest."""
        return self.acknowledged <= seen <= self.acknowledged + len(self._sent)

    def resume(self, connection, seen):
        self._forget_sent(seen)
        self._connection = connection
        for frame in self._sent:
            connection.send(frame)

    def pause(self):
        self._connection = None

    def end(self):
        self._connection = None
        streams, self.streams = self.streams, {}
        for stream in streams.values():
            stream.closed()

    def send(self, kind, channel, stream, payload):
        frame = encode(kind, channel, stream, payload)
        self._sent.append(frame)
        if self._connection is not None:
            self._connection.send(frame)

    def acknowledge(self, seen):
        if not self.can_resume(seen):
            raise BadFrame("acknowledged what was never sent")
        self._forget_sent(seen)

    def receive(self, kind, channel, number, payload):
        self.received += 1
        self._unacknowledged_bytes += len(payload)
        if kind == OPEN:
            self._open(number, payload)
        elif number > (self._newest_stream if number % 2 else self._newest_own):
            raise BadFrame("a frame for a stream that was never opened")
        else:
            stream = self.streams.get(number)
            # A stream that just finished here may still get what was on its way.
            if stream is not None:
                self._deliver(stream, kind, channel, payload)
        if self.received - self._told >= ACK_FRAMES or self._unacknowledged_bytes >= ACK_BYTES:
            self._tell()

    def _open(self, number, payload):
        if number <= self._newest_stream or number % 2 == 0:
            raise BadFrame("a stream was opened twice, or with a number of ours")
        self._newest_stream = number
        stream = Stream(self, number)
        try:
            if len(self.streams) >= MAX_STREAMS:
                raise Refusal("too_many_executions", "too many calls are open")
            self.streams[number] = stream
            self._answer(stream, _parse(payload))
        except BadFrame:
            raise
        except Exception as error:
            stream.refuse(as_refusal(error))

    def _deliver(self, stream, kind, channel, payload):
        try:
            self._pass_on(stream, kind, channel, payload)
        except BadFrame:
            raise
        except Exception as error:
            stream.closed()
            stream.refuse(as_refusal(error))

    def _pass_on(self, stream, kind, channel, payload):
        if kind == DATA:
            stream.take(channel, payload)
        elif kind == CREDIT:
            if len(payload) != 4:
                raise BadFrame("a credit of %d bytes" % len(payload))
            stream.credit[channel] = stream.room(channel) + U32.unpack(payload)[0]
            stream.handler.credited(channel)
        elif kind == END:
            stream.handler.ended(channel)
        elif kind == CLOSE:
            self.streams.pop(stream.number, None)
            stream.closed()
        else:
            raise BadFrame("a frame of type %d from the server" % kind)

    def _tell(self):
        self._told = self.received
        self._unacknowledged_bytes = 0
        if self._connection is not None:
            self._connection.send(encode(ACK, 0, 0, U64.pack(self.received)))

    def _forget_sent(self, seen):
        while self.acknowledged < seen:
            self._sent.popleft()
            self.acknowledged += 1


def _parse(payload):
    try:
        return loads(payload)
    except ValueError as error:
        raise BadFrame("a request that is not JSON") from error


class Handler:
    """What happens on a stream after its request; the quiet default suits a request with one answer."""

    def received(self, data):
        raise BadFrame("data nobody asked for")

    def ended(self, channel):
        return

    def credited(self, channel):
        return

    def closed(self):
        return


QUIET = Handler()


class Stream:
    """One call of the server: replies, data out (as far as it gave credit) and data in (as far as we did)."""

    def __init__(self, session, number, window=WINDOW):
        self.number = number
        self.credit = {}
        self.handler = QUIET
        self._session = session
        self._window = window
        self._allowed = window
        self._consumed = 0

    def reply(self, message):
        self._session.send(REPLY, MORE, self.number, dumps(message))

    def finish(self, message):
        self._session.streams.pop(self.number, None)
        self._session.send(REPLY, FINAL, self.number, dumps(message))

    def refuse(self, refusal):
        self.finish({"error": {"code": refusal.code, "message": refusal.message}})

    def room(self, channel):
        return self.credit.get(channel, self._window)

    def send(self, channel, data):
        self.credit[channel] = self.room(channel) - len(data)
        self._session.send(DATA, channel, self.number, data)

    def end(self, channel):
        self._session.send(END, channel, self.number, b"")

    def take(self, channel, data):
        self._allowed -= len(data)
        if channel != 0 or self._allowed < 0:
            raise BadFrame("more data than was allowed")
        self.handler.received(data)

    def consumed(self, count):
        """Lets the server send as much again, once it adds up to something."""
        self._consumed += count
        if self._consumed >= self._window // 2:
            self._session.send(CREDIT, 0, self.number, U32.pack(self._consumed))
            self._allowed += self._consumed
            self._consumed = 0

    def closed(self):
        self.handler.closed()
