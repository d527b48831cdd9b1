from __future__ import annotations

import pytest

from coved.framing import DATA, HELLO, MAX_PAYLOAD, OPEN, BadFrame, Decoder, encode


def test_a_frame_is_ten_bytes_of_header_and_its_payload() -> None:
    assert encode(DATA, 1, 258, b"abc") == b"\0\0\0\x03" + b"\x04\x01" + b"\0\0\x01\x02" + b"abc"


@pytest.mark.parametrize("size", [1, 3, 9, 10, 11, 1000])
def test_frames_come_whole_out_of_pieces_of_any_size(size: int) -> None:
    sent = [(OPEN, 0, 1, b"{}"), (DATA, 2, 3, b""), (DATA, 0, 3, bytes(range(256)))]
    data = b"".join([encode(*frame) for frame in sent])
    decoder = Decoder()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [frame for piece in pieces for frame in decoder.feed(piece)] == sent
    assert decoder.buffer == b""


def test_the_beginning_of_a_frame_is_held_until_the_rest_comes() -> None:
    decoder = Decoder()
    assert list(decoder.feed(encode(DATA, 0, 1, b"abc")[:-1])) == []
    assert list(decoder.feed(b"c" + encode(DATA, 0, 1))) == [(DATA, 0, 1, b"abc"), (DATA, 0, 1, b"")]


def test_the_largest_payload_is_taken_and_one_byte_more_is_not() -> None:
    assert len(next(Decoder().feed(encode(DATA, 0, 1, bytes(MAX_PAYLOAD))))[3]) == MAX_PAYLOAD
    with pytest.raises(BadFrame, match=f"with {MAX_PAYLOAD + 1} bytes"):
        list(Decoder().feed((MAX_PAYLOAD + 1).to_bytes(4, "big") + b"\x04\0\0\0\0\x01"))


@pytest.mark.parametrize("kind", [0, 12, 255])
def test_a_type_that_nobody_defined_breaks_the_protocol(kind: int) -> None:
    with pytest.raises(BadFrame, match=f"type {kind}"):
        list(Decoder().feed(encode(kind, 0, 0)))


def test_what_came_before_a_bad_frame_is_still_told() -> None:
    frames = Decoder().feed(encode(HELLO, 0, 0) + encode(99, 0, 0))
    assert next(frames) == (HELLO, 0, 0, b"")
    with pytest.raises(BadFrame):
        next(frames)
