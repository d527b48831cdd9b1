from __future__ import annotations

from coved.output import Output


def everything(output: Output) -> list[tuple[int, bytes]]:
    """What a follower gets once no more comes: pieces, and where each begins."""
    offset, pieces = 0, []
    while not output.finished(offset):
        start, data = output.after(offset, 3, closed=True)
        pieces.append((start, data))
        offset = start + len(data)
    return pieces


def test_little_output_is_kept_whole() -> None:
    output = Output(10, 10)
    output.add(b"hello")
    output.close()
    assert everything(output) == [(0, b"hel"), (3, b"lo")]
    assert (output.total, output.kept_bytes) == (5, 5)


def test_of_too_much_the_beginning_and_the_end_are_kept_and_the_middle_is_counted() -> None:
    output = Output(4, 4)
    for letter in b"abcdefghijklmnop":
        output.add(bytes([letter]))
    output.close()
    assert everything(output) == [(0, b"abc"), (3, b"d"), (12, b"mno"), (15, b"p")]
    assert (output.total, output.kept_bytes) == (16, 8)


def test_one_piece_that_is_larger_than_both_is_cut() -> None:
    output = Output(2, 3)
    output.add(b"0123456789")
    output.close()
    assert everything(output) == [(0, b"01"), (7, b"789")]


def test_the_tail_waits_until_nothing_more_can_come() -> None:
    output = Output(2, 100)
    output.add(b"abcd")
    assert output.after(0, 100, closed=False) == (0, b"ab")
    assert output.after(2, 100, closed=False) == (2, b"")
    output.close()
    assert output.after(2, 100, closed=True) == (2, b"cd")


def test_the_tail_holds_little_more_than_it_may_while_output_comes() -> None:
    output = Output(0, 1000)
    for _ in range(1000):
        output.add(b"x" * 100)
        assert output.kept_bytes < 1100
    output.close()
    assert (output.total, output.kept_bytes) == (100_000, 1000)


def test_without_room_it_is_only_counted() -> None:
    output = Output(0, 0)
    output.add(b"abc")
    output.close()
    assert (output.total, output.kept_bytes) == (3, 0)
    assert output.finished(0)
