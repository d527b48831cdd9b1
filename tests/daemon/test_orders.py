from __future__ import annotations

import os
import socket

from cove_kernel.orders import receive_order


def test_an_order_comes_with_the_descriptors_that_were_sent_along() -> None:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reader, writer = os.pipe()
    with here, there:
        socket.send_fds(here, [b"order"], [writer, reader])
        data, fds = receive_order(there)
    assert data == b"order"
    os.write(fds[0], b"through")
    assert os.read(fds[1], 10) == b"through"
    assert not any(os.get_inheritable(fd) for fd in fds)
    for fd in (reader, writer, *fds):
        os.close(fd)


def test_no_order_is_the_end() -> None:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with there:
        here.close()
        assert receive_order(there) == (b"", [])
