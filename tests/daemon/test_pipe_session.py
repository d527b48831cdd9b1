from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from coved.framing import CLOSE, CREDIT, DATA, OPEN, REPLY, U32, WINDOW, BadFrame, Decoder
from coved.messages import loads
from coved.pipe_session import Handler, PipeSession, Stream
from coved.refusal import Refusal

if TYPE_CHECKING:
    from coved.messages import Message


class Wire:
    """Stands for a connection: what the session sent on it, as frames."""

    def __init__(self) -> None:
        self.data = b""

    def send(self, frame: bytes) -> None:
        self.data += frame

    @property
    def frames(self) -> list[tuple[int, int, int, bytes]]:
        return list(Decoder().feed(self.data))


class Listening(Handler):
    def __init__(self) -> None:
        self.heard: list[object] = []

    def received(self, data: bytes) -> None:
        self.heard.append(data)

    def ended(self, channel: int) -> None:
        self.heard.append(("ended", channel))

    def closed(self) -> None:
        self.heard.append("closed")


class Server:
    """A session as the server sees it, whose requests are taken and left unanswered."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.wire = Wire()
        self.session = PipeSession("name", self._answer)
        self.session.resume(self.wire, 0)

    def _answer(self, stream: Stream, request: Message) -> None:
        if request.get("op") == "wrong":
            raise Refusal("invalid_argument", "it is wrong")
        if request.get("op") == "broken":
            raise KeyError("broken")
        self.streams.append(stream)


def test_a_request_is_answered_on_its_stream() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    server.streams[0].reply({"started": True})
    server.streams[0].finish({"done": 1})
    assert server.wire.frames == [(REPLY, 0, 1, b'{"started":true}'), (REPLY, 1, 1, b'{"done":1}')]
    assert server.session.streams == {}


@pytest.mark.parametrize(
    ("op", "code"),
    [("wrong", "invalid_argument"), ("broken", "io_error")],
)
def test_whatever_goes_wrong_nobody_is_left_waiting(op: str, code: str, capfd: pytest.CaptureFixture[str]) -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b'{"op":"%s"}' % op.encode())
    ((kind, channel, number, payload),) = server.wire.frames
    error = loads(payload)["error"]
    assert (kind, channel, number) == (REPLY, 1, 1)
    assert isinstance(error, dict)
    assert error["code"] == code
    assert ("KeyError" in capfd.readouterr().err) == (op == "broken")


def test_frames_that_were_not_acknowledged_are_sent_again() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    for number in range(4):
        server.streams[0].send(1, b"%d" % number)
    server.session.acknowledge(1)
    server.session.pause()
    server.streams[0].send(1, b"4")
    again = Wire()
    assert server.session.can_resume(2)
    server.session.resume(again, 2)
    assert [payload for _, _, _, payload in again.frames] == [b"2", b"3", b"4"]
    server.streams[0].send(1, b"5")
    assert again.frames[-1] == (DATA, 1, 1, b"5")


@pytest.mark.parametrize(("seen", "can"), [(0, False), (1, True), (3, True), (4, False)])
def test_a_session_goes_on_only_where_nothing_is_missing(seen: int, can: bool) -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    for _ in range(3):
        server.streams[0].send(1, b"x")
    server.session.acknowledge(1)
    assert server.session.can_resume(seen) is can


def test_nothing_is_acknowledged_that_was_never_sent() -> None:
    with pytest.raises(BadFrame, match="acknowledged what was never sent"):
        Server().session.acknowledge(1)


@pytest.mark.parametrize("number", [1, 2, 0])
def test_a_stream_is_opened_once_and_with_an_odd_number(number: int) -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    with pytest.raises(BadFrame, match="opened twice, or with a number of ours"):
        server.session.receive(OPEN, 0, number, b"{}")


@pytest.mark.parametrize("number", [3, 2])
def test_a_stream_that_was_never_opened_gets_nothing(number: int) -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    with pytest.raises(BadFrame, match="never opened"):
        server.session.receive(DATA, 0, number, b"")


def test_what_was_on_its_way_to_a_finished_stream_is_dropped() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    server.streams[0].finish({})
    server.session.receive(DATA, 0, 1, b"late")
    assert len(server.wire.frames) == 1


def test_streams_of_our_own_have_even_numbers() -> None:
    server = Server()
    numbers = [server.session.open(Stream).number for _ in range(2)]
    assert numbers == [2, 4]
    assert server.wire.frames == [(OPEN, 0, 2, b"{}"), (OPEN, 0, 4, b"{}")]


def test_data_goes_to_whoever_handles_the_stream_until_it_is_closed() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    handler = server.streams[0].handler = Listening()
    server.session.receive(DATA, 0, 1, b"abc")
    server.session.receive(6, 0, 1, b"")
    server.session.receive(CLOSE, 0, 1, b"")
    server.session.receive(DATA, 0, 1, b"late")
    assert handler.heard == [b"abc", ("ended", 0), "closed"]


def test_data_nobody_asked_for_breaks_the_protocol() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    with pytest.raises(BadFrame, match="data nobody asked for"):
        server.session.receive(DATA, 0, 1, b"abc")


def test_more_data_than_was_allowed_breaks_the_protocol() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    server.streams[0].handler = Listening()
    server.session.receive(DATA, 0, 1, bytes(WINDOW))
    with pytest.raises(BadFrame, match="more data than was allowed"):
        server.session.receive(DATA, 0, 1, b"x")


def test_what_was_taken_may_be_sent_again_once_it_adds_up() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    server.streams[0].handler = Listening()
    server.session.receive(DATA, 0, 1, bytes(WINDOW))
    server.streams[0].consumed(WINDOW // 2 - 1)
    assert CREDIT not in [kind for kind, _, _, _ in server.wire.frames]
    server.streams[0].consumed(1)
    assert (CREDIT, 0, 1, U32.pack(WINDOW // 2)) in server.wire.frames
    server.session.receive(DATA, 0, 1, bytes(WINDOW // 2))


def test_each_channel_has_the_room_that_the_server_gave_it() -> None:
    server = Server()
    server.session.receive(OPEN, 0, 1, b"{}")
    stream = server.streams[0]
    stream.send(1, bytes(1000))
    assert (stream.room(1), stream.room(2)) == (WINDOW - 1000, WINDOW)
    server.session.receive(CREDIT, 1, 1, U32.pack(600))
    assert stream.room(1) == WINDOW - 400


def test_the_end_of_a_session_closes_all_its_streams() -> None:
    server = Server()
    for number in (1, 3):
        server.session.receive(OPEN, 0, number, b"{}")
    handlers = [Listening(), Listening()]
    for stream, handler in zip(server.streams, handlers, strict=True):
        stream.handler = handler
    server.session.end()
    assert [handler.heard for handler in handlers] == [["closed"], ["closed"]]
    assert not server.session.connected
