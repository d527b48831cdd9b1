"""What the server can request for: one function for each `op`."""

from __future__ import annotations

import os
from time import monotonic

from coved.arguments import LONGEST, CellOptions, RunOptions, code_of, count, session_of, text
from coved.files import Files
from coved.job import Job
from coved.refusal import Refusal
from coved.transfer import Reading, Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from coved.executions import Executions
    from coved.loop import Loop
    from coved.messages import Message
    from coved.paths import Roots
    from coved.pipe_session import Stream
    from coved.python import Python


class Requests:
    def __init__(self, loop: Loop, executions: Executions, roots: Roots, boot_id: str) -> None:
        self._loop = loop
        self._executions = executions
        self._files = Files(roots)
        self._roots = roots
        self._boot_id = boot_id
        self._started = monotonic()
        self._environment = dict(os.environb)
        self._operations: dict[str, Callable[[Stream, Message], None]] = {
            "run": self._run,
            "python": self._python,
            "complete": self._complete,
            "prewarm": self._prewarm,
            "reset": self._reset,
            "attach": self._attach,
            "kill": self._kill,
            "collect": self._collect,
            "info": self._info,
            "processes": self._processes,
            "signal": self._signal,
            "kill_all": self._kill_all,
            "stat": lambda stream, request: stream.finish(self._files.stat(request.get("path"))),
            "list": self._list,
            "read": self._read,
            "write": self._write,
            "mkdir": self._make_directory,
            "move": self._move,
            "remove": self._remove,
            "usage": self._usage,
        }

    def answer(self, stream: Stream, request: Message) -> None:
        operation = self._operations.get(text(request, "op"))
        if operation is None:
            raise Refusal("invalid_argument", "the daemon knows no such request")
        operation(stream, request)

    def _run(self, stream: Stream, request: Message) -> None:
        name = text(request, "id")
        options = RunOptions(request, name, self._roots, self._environment)
        self._executions.start(stream, name, options)
        if request.get("ack") is True:
            stream.reply({"started": True})

    def _attach(self, stream: Stream, request: Message) -> None:
        offsets = {1: count(request, "stdout", 0), 2: count(request, "stderr", 0), 3: count(request, "results", 0)}
        self._executions.attach(stream, text(request, "id"), offsets)

    def _python(self, stream: Stream, request: Message) -> None:
        name = text(request, "id")
        options = CellOptions(request, name)
        self._executions.start_cell(self._sessions(), stream, name, options)
        if request.get("ack") is True:
            stream.reply({"accepted": True})

    def _complete(self, stream: Stream, request: Message) -> None:
        from coved.completion import complete

        cursor = count(request, "cursor", 0)
        complete(self._executions.python, stream, session_of(request), code_of(request), cursor)

    def _prewarm(self, stream: Stream, request: Message) -> None:
        keep = min(count(request, "keep_ms", 0), LONGEST) / 1000
        self._sessions().prewarm(keep, lambda: stream.finish({}))

    def _reset(self, stream: Stream, request: Message) -> None:
        stream.finish({"existed": self._sessions().reset(session_of(request))})

    def _sessions(self) -> Python:
        if self._executions.python is None:
            # Only here: a sandbox without Python sessions does without the memory for this, too.
            from coved.python import Python

            workspace = self._roots.place(b"workspace")
            self._executions.python = Python(self._executions, self._environment, workspace)
        return self._executions.python

    def _kill(self, stream: Stream, request: Message) -> None:
        self._executions.find(text(request, "id")).end("cancelled")
        stream.finish({})

    def _collect(self, stream: Stream, request: Message) -> None:
        names = request.get("ids")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Refusal("invalid_argument", "ids must be a list of texts")
        self._executions.collect(names)
        stream.finish({})

    def _info(self, stream: Stream, request: Message) -> None:
        executions = self._executions
        others, summaries = executions.report()
        stream.finish(
            {
                "boot": self._boot_id,
                "uptime_ms": round((monotonic() - self._started) * 1000),
                "processes": others,
                "idle": others == 0 and executions.running == 0,
                "executions": summaries,
                "sessions": executions.python.report() if executions.python else [],
                "disk": self._roots.usage(b"workspace"),
                "tmp": self._roots.usage(b"tmp"),
                **executions.cgroup.usage(),
            }
        )

    def _processes(self, stream: Stream, request: Message) -> None:
        from coved import tasks  # seldom asked for, so only then loaded

        stream.finish(tasks.listing(self._executions))

    def _signal(self, stream: Stream, request: Message) -> None:
        from coved import tasks

        found = tasks.stop(
            self._executions, count(request, "pid", 0), count(request, "started", 0), text(request, "signal")
        )
        stream.finish({"found": found})

    def _kill_all(self, stream: Stream, request: Message) -> None:
        stream.finish({})
        # Later, so that the answer leaves before its relay dies.
        self._loop.after(0.01, lambda: self._executions.end_everything("cancelled"))

    def _list(self, stream: Stream, request: Message) -> None:
        self._in_steps(
            stream, self._files.list(request.get("path"), request.get("after"), count(request, "limit", 1000))
        )

    def _read(self, stream: Stream, request: Message) -> None:
        length = None if request.get("length") is None else count(request, "length", 0)
        Reading(self._roots, stream, request.get("path"), count(request, "offset", 0), length)

    def _write(self, stream: Stream, request: Message) -> None:
        append, make = request.get("append") is True, request.get("parents") is not False
        Writing(self._roots, stream, request.get("path"), append, make, count(request, "mode", 0o644))

    def _make_directory(self, stream: Stream, request: Message) -> None:
        self._files.make_directory(request.get("path"))
        stream.finish({})

    def _move(self, stream: Stream, request: Message) -> None:
        self._files.move(request.get("from"), request.get("to"), request.get("overwrite") is True)
        stream.finish({})

    def _remove(self, stream: Stream, request: Message) -> None:
        self._in_steps(stream, self._files.remove(request.get("path"), request.get("recursive") is True))

    def _usage(self, stream: Stream, request: Message) -> None:
        self._in_steps(stream, self._files.usage(request.get("path"), count(request, "most", 100000)))

    def _in_steps(self, stream: Stream, steps: Generator[Message | None]) -> None:
        job = Job(stream, steps)
        stream.handler = job
        self._loop.task(job.run())
