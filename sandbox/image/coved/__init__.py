"""coved, the daemon of a sandbox: PID 1, answers the server over a unix socket, trusts nobody it starts."""

# Every idle sandbox pays for what is imported here, in memory and in the time of its start. That is why `_socket`,
# `_signal`, `_struct`, `_collections`, `_heapq` and `_json` stand where the standard library has a module around them,
# why types are imported under `if TYPE_CHECKING` alone, and why that name is set by hand: mypy knows it by itself.
