"""coved, the daemon of a sandbox: PID 1, answers the server over a unix socket, trusts nobody it starts."""
