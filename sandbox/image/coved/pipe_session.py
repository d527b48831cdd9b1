"""A session outlives its connections: frames are numbered, kept until acknowledged and sent again after a break.

A server that comes back with the same session id goes on as if nothing happened; one with another id starts afresh.
"""

from __future__ import annotations

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, TypeVar

    from coved.messages import Message

    AnyStream = TypeVar("AnyStream", bound="Stream")

    class Wire(Protocol):
        """What frames leave on: a connection, as far as a session knows it."""

        def send(self, frame: bytes) -> None: ...


ACK_FRAMES = 64
ACK_BYTES = 128 * 1024
MAX_STREAMS = 1024


class PipeSession:
    def __init__(self, name: str, answer: Callable[[Stream, Message], None]) -> None:
        self.name = name
        self.streams: dict[int, Stream] = {}
        self.received = 0
        self.acknowledged = 0
        self._answer = answer
        self._connection: Wire | None = None
        self._sent: deque[bytes] = deque()
        self._newest_stream = 0
        self._newest_own = 0
        self._unacknowledged_bytes = 0
        self._told = 0

    @property
    def connected(self) -> bool:
        return self._connection is not None

    def open(self, make: Callable[[PipeSession, int], AnyStream]) -> AnyStream:
        """Starts a stream of our own, with the next even number; `make` gets the session and the number."""
        self._newest_own += 2
        stream = make(self, self._newest_own)
        self.streams[stream.number] = stream
        self.send(OPEN, 0, stream.number, b"{}")
        return stream

    def can_resume(self, seen: int) -> bool:
        """Whether a server that has seen so many of our frames can still get the rest."""
        return self.acknowledged <= seen <= self.acknowledged + len(self._sent)

    def resume(self, connection: Wire, seen: int) -> None:
        self._forget_sent(seen)
        self._connection = connection
        for frame in self._sent:
            connection.send(frame)

    def pause(self) -> None:
        self._connection = None

    def end(self) -> None:
        self._connection = None
        streams, self.streams = self.streams, {}
        for stream in streams.values():
            stream.closed()

    def send(self, kind: int, channel: int, stream: int, payload: bytes) -> None:
        frame = encode(kind, channel, stream, payload)
        self._sent.append(frame)
        if self._connection is not None:
            self._connection.send(frame)

    def acknowledge(self, seen: int) -> None:
        if not self.can_resume(seen):
            raise BadFrame("acknowledged what was never sent")
        self._forget_sent(seen)

    def receive(self, kind: int, channel: int, number: int, payload: bytes) -> None:
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

    def _open(self, number: int, payload: bytes) -> None:
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

    def _deliver(self, stream: Stream, kind: int, channel: int, payload: bytes) -> None:
        try:
            self._pass_on(stream, kind, channel, payload)
        except BadFrame:
            raise
        except Exception as error:
            stream.closed()
            stream.refuse(as_refusal(error))

    def _pass_on(self, stream: Stream, kind: int, channel: int, payload: bytes) -> None:
        if kind == DATA:
            stream.take(channel, payload)
        elif kind == CREDIT:
            if len(payload) != 4:
                raise BadFrame(f"a credit of {len(payload)} bytes")
            stream.credit[channel] = stream.room(channel) + U32.unpack(payload)[0]
            stream.handler.credited(channel)
        elif kind == END:
            stream.handler.ended(channel)
        elif kind == CLOSE:
            self.streams.pop(stream.number, None)
            stream.closed()
        else:
            raise BadFrame(f"a frame of type {kind} from the server")

    def _tell(self) -> None:
        self._told = self.received
        self._unacknowledged_bytes = 0
        if self._connection is not None:
            self._connection.send(encode(ACK, 0, 0, U64.pack(self.received)))

    def _forget_sent(self, seen: int) -> None:
        while self.acknowledged < seen:
            self._sent.popleft()
            self.acknowledged += 1


def _parse(payload: bytes) -> Message:
    try:
        return loads(payload)
    except ValueError as error:
        raise BadFrame("a request that is not JSON") from error


class Handler:
    """What happens on a stream after its request; the quiet default suits a request with one answer."""

    def received(self, data: bytes) -> None:
        raise BadFrame("data nobody asked for")

    def ended(self, channel: int) -> None:
        return

    def credited(self, channel: int) -> None:
        return

    def closed(self) -> None:
        return


QUIET = Handler()


class Stream:
    """One call of the server: replies, data out (as far as it gave credit) and data in (as far as we did)."""

    def __init__(self, session: PipeSession, number: int, window: int = WINDOW) -> None:
        self.number = number
        self.credit: dict[int, int] = {}
        self.handler = QUIET
        self._session = session
        self._window = window
        self._allowed = window
        self._consumed = 0

    def reply(self, message: Message) -> None:
        self._session.send(REPLY, MORE, self.number, dumps(message))

    def finish(self, message: Message) -> None:
        self._session.streams.pop(self.number, None)
        self._session.send(REPLY, FINAL, self.number, dumps(message))

    def refuse(self, refusal: Refusal) -> None:
        self.finish({"error": {"code": refusal.code, "message": refusal.message}})

    def room(self, channel: int) -> int:
        return self.credit.get(channel, self._window)

    def send(self, channel: int, data: bytes) -> None:
        self.credit[channel] = self.room(channel) - len(data)
        self._session.send(DATA, channel, self.number, data)

    def end(self, channel: int) -> None:
        self._session.send(END, channel, self.number, b"")

    def take(self, channel: int, data: bytes) -> None:
        self._allowed -= len(data)
        if channel != 0 or self._allowed < 0:
            raise BadFrame("more data than was allowed")
        self.handler.received(data)

    def consumed(self, count: int) -> None:
        """Lets the server send as much again, once it adds up to something."""
        self._consumed += count
        if self._consumed >= self._window // 2:
            self._session.send(CREDIT, 0, self.number, U32.pack(self._consumed))
            self._allowed += self._consumed
            self._consumed = 0

    def closed(self) -> None:
        self.handler.closed()
