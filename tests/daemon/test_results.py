"""What a session shows, on its way out: frames of kind, flags, length and bytes."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator

import pytest

from cove_kernel.results import HEADER, LARGEST, MIMES, MOST, TWIN, VALUE, Results

ROOM = 16 * 1024 * 1024


class Pipe:
    """A file rather than a pipe, which would be full before anybody reads."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT)

    def frames(self) -> list[tuple[str, int, bytes]]:
        data = os.pread(self.fd, 64 * 1024 * 1024, 0)
        found, at = [], 0
        while at < len(data):
            kind, flags, length = HEADER.unpack_from(data, at)
            at += HEADER.size
            found.append((MIMES[kind], flags, data[at : at + length]))
            at += length
        return found


@pytest.fixture
def pipe(tmp_path: os.PathLike[str]) -> Iterator[Pipe]:
    pipe = Pipe(os.path.join(tmp_path, "results"))
    yield pipe
    os.close(pipe.fd)


def test_the_richest_form_is_shown_with_its_text_beside_it(pipe: Pipe) -> None:
    Results(pipe.fd, ROOM).publish({"text/plain": "a table", "text/html": "<table>"}, value=True)
    assert pipe.frames() == [("text/html", VALUE, b"<table>"), ("text/plain", VALUE | TWIN, b"a table")]


def test_text_alone_is_shown_once(pipe: Pipe) -> None:
    Results(pipe.fd, ROOM).publish({"text/plain": "1"})
    assert pipe.frames() == [("text/plain", 0, b"1")]


def test_what_nobody_can_show_is_left_out(pipe: Pipe) -> None:
    Results(pipe.fd, ROOM).publish({"application/x-unknown": "?", "text/html": None})
    assert pipe.frames() == []


def test_pictures_are_bytes_whether_they_come_as_text_or_not(pipe: Pipe) -> None:
    results = Results(pipe.fd, ROOM)
    results.publish({"image/png": base64.b64encode(b"\x89PNG").decode()})
    results.publish({"image/png": b"\x89PNG"})
    assert pipe.frames() == [("image/png", 0, b"\x89PNG")] * 2


def test_a_figure_of_an_older_version_is_drawn_by_the_one_we_have(pipe: Pipe) -> None:
    Results(pipe.fd, ROOM).publish({"application/vnd.vegalite.v5+json": {"mark": "bar"}})
    assert pipe.frames() == [("application/vnd.vegalite.v6+json", 0, b'{"mark": "bar"}')]


def test_what_is_too_large_to_show_is_said(pipe: Pipe) -> None:
    Results(pipe.fd, ROOM).publish({"text/html": "x" * (LARGEST + 1), "text/plain": "small"})
    ((mime, _, content),) = pipe.frames()
    assert mime == "text/plain"
    assert content.startswith(b"[4,194,305 bytes of text/html are too large to show")


def test_long_text_is_cut_between_characters(pipe: Pipe) -> None:
    Results(pipe.fd, ROOM).publish({"text/plain": "é" * LARGEST})
    ((_, _, content),) = pipe.frames()
    assert len(content) <= LARGEST
    assert content.decode().endswith("[… 4,194,304 bytes left out …]")


def test_after_too_many_results_one_says_so(pipe: Pipe) -> None:
    results = Results(pipe.fd, ROOM)
    for number in range(MOST + 10):
        results.publish({"text/plain": str(number)})
    frames = pipe.frames()
    assert len(frames) == MOST
    assert frames[-1][2] == b"[More results than can be shown were left out.]"


def test_when_there_is_no_room_left_one_says_so(pipe: Pipe) -> None:
    results = Results(pipe.fd, 3000)
    for _ in range(3):
        results.publish({"text/plain": "x" * 1400})
    sizes = [len(content) for _, _, content in pipe.frames()]
    assert sizes == [1400, 1400]
    results = Results(pipe.fd, 2000)
    results.publish({"text/plain": "x" * 3000})
    results.publish({"text/plain": "late"})
    assert pipe.frames()[-1][2].strip() == b"[Results too large to show together were left out.]"
