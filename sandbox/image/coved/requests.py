"""What the server can ask for: one function for each `op`."""

import os
from time import monotonic

from coved.arguments import LONGEST, CellOptions, RunOptions, code_of, count, session_of, text
from coved.files import Files
from coved.job import Job
from coved.refusal import Refusal
from coved.transfer import Reading, Writing


class Requests:
    def __init__(self, loop, executions, roots, boot_id):
        self._loop = loop
        self._executions = executions
        self._files = Files(roots)
        self._roots = roots
        self._boot_id = boot_id
        self._started = monotonic()
        self._environment = dict(os.environb)
        self._operations = {
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
            "stat": lambda stream, ask: stream.finish(self._files.stat(ask.get("path"))),
            "list": self._list,
            "read": self._read,
            "write": self._write,
            "mkdir": self._make_directory,
            "move": self._move,
            "remove": self._remove,
            "usage": self._usage,
        }

    def answer(self, stream, ask):
        operation = self._operations.get(text(ask, "op"))
        if operation is None:
            raise Refusal("invalid_argument", "the daemon knows no such request")
        operation(stream, ask)

    def _run(self, stream, ask):
        name = text(ask, "id")
        options = RunOptions(ask, name, self._roots, self._environment)
        self._executions.start(stream, name, options)
        if ask.get("ack") is True:
            stream.reply({"started": True})

    def _attach(self, stream, ask):
        offsets = {1: count(ask, "stdout", 0), 2: count(ask, "stderr", 0), 3: count(ask, "results", 0)}
        self._executions.attach(stream, text(ask, "id"), offsets)

    def _python(self, stream, ask):
        name = text(ask, "id")
        options = CellOptions(ask, name)
        self._sessions()
        self._executions.start_cell(stream, name, options)
        if ask.get("ack") is True:
            stream.reply({"accepted": True})

    def _complete(self, stream, ask):
        from coved.completion import complete

        cursor = count(ask, "cursor", 0)
        complete(self._executions.python, stream, session_of(ask), code_of(ask), cursor)

    def _prewarm(self, stream, ask):
        keep = min(count(ask, "keep_ms", 0), LONGEST) / 1000
        self._sessions().prewarm(keep, lambda: stream.finish({}))

    def _reset(self, stream, ask):
        stream.finish({"existed": self._sessions().reset(session_of(ask))})

    def _sessions(self):
        if self._executions.python is None:
            # Only here: a sandbox without Python sessions does without the memory for this, too.
            from coved.python import Python

            workspace = self._roots.place(b"workspace")
            self._executions.python = Python(self._executions, self._environment, workspace)
        return self._executions.python

    def _kill(self, stream, ask):
        self._executions.find(text(ask, "id")).end("cancelled")
        stream.finish({})

    def _collect(self, stream, ask):
        names = ask.get("ids")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Refusal("invalid_argument", "ids must be a list of texts")
        self._executions.collect(names)
        stream.finish({})

    def _info(self, stream, ask):
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

    def _processes(self, stream, ask):
        from coved import tasks  # seldom asked for, so only then loaded

        stream.finish(tasks.listing(self._executions))

    def _signal(self, stream, ask):
        from coved import tasks

        found = tasks.stop(self._executions, count(ask, "pid", 0), count(ask, "started", 0), text(ask, "signal"))
        stream.finish({"found": found})

    def _kill_all(self, stream, ask):
        stream.finish({})
        # Later, so that the answer leaves before its relay dies.
        self._loop.after(0.01, lambda: self._executions.end_everything("cancelled"))

    def _list(self, stream, ask):
        self._in_steps(stream, self._files.list(ask.get("path"), ask.get("after"), count(ask, "limit", 1000)))

    def _read(self, stream, ask):
        length = None if ask.get("length") is None else count(ask, "length", 0)
        Reading(self._roots, stream, ask.get("path"), count(ask, "offset", 0), length)

    def _write(self, stream, ask):
        append, make = ask.get("append") is True, ask.get("parents") is not False
        Writing(self._roots, stream, ask.get("path"), append, make, count(ask, "mode", 0o644))

    def _make_directory(self, stream, ask):
        self._files.make_directory(ask.get("path"))
        stream.finish({})

    def _move(self, stream, ask):
        self._files.move(ask.get("from"), ask.get("to"), ask.get("overwrite") is True)
        stream.finish({})

    def _remove(self, stream, ask):
        self._in_steps(stream, self._files.remove(ask.get("path"), ask.get("recursive") is True))

    def _usage(self, stream, ask):
        self._in_steps(stream, self._files.usage(ask.get("path"), count(ask, "most", 100000)))

    def _in_steps(self, stream, steps):
        job = Job(stream, steps)
        stream.handler = job
        self._loop.task(job.run())
