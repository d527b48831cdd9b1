"""Messages from the daemon, and the descriptors that come with them."""

from __future__ import annotations

import socket

LONGEST = 256 * 1024


def receive_order(control: socket.socket) -> tuple[bytes, list[int]]:
    data, extra, _, _ = control.recvmsg(LONGEST, socket.CMSG_SPACE(64), socket.MSG_CMSG_CLOEXEC)
    fds: list[int] = []
    for level, kind, packed in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds += [int.from_bytes(packed[at : at + 4], "little") for at in range(0, len(packed) - 3, 4)]
    return data, fds
