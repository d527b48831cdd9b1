"""What the server can ask for: one function for each `op`. Arguments are checked here, once."""

import os
from time import monotonic

from coved.files import Files
from coved.refusal import Refusal, as_refusal
from coved.session import Handler
from coved.transfer import Reading, Writing

MOST_KEPT = 4 * 1024 * 1024
MOST_RESULTS = 16 * 1024 * 1024
LONGEST_CODE = 128 * 1024
LONGEST = 7 * 24 * 3600 * 1000
SHELL = b"/bin/bash"


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
            "shutdown": self._shutdown,
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
        operation = self._operations.get(_text(ask, "op"))
        if operation is None:
            raise Refusal("invalid_argument", "the daemon knows no such request")
        operation(stream, ask)

    def _run(self, stream, ask):
        name = _text(ask, "id")
        self._executions.start(stream, name, RunOptions(ask, name, self._roots, self._environment))
        if ask.get("ack") is True:
            stream.reply({"started": True})

    def _attach(self, stream, ask):
        offsets = {1: _count(ask, "stdout", 0), 2: _count(ask, "stderr", 0), 3: _count(ask, "results", 0)}
        self._executions.attach(stream, _text(ask, "id"), offsets)

    def _python(self, stream, ask):
        name = _text(ask, "id")
        options = CellOptions(ask, name)
        self._sessions()
        self._executions.start_cell(stream, name, options)
        if ask.get("ack") is True:
            stream.reply({"accepted": True})

    def _complete(self, stream, ask):
        from coved.completion import complete

        code, cursor = _code(ask), _count(ask, "cursor", 0)
        complete(self._executions.python, stream, _session(ask), code, cursor)

    def _prewarm(self, stream, ask):
        keep = min(_count(ask, "keep_ms", 0), LONGEST) / 1000
        self._sessions().prewarm(keep, lambda: stream.finish({}))

    def _reset(self, stream, ask):
        stream.finish({"existed": self._sessions().reset(_session(ask))})

    def _sessions(self):
        if self._executions.python is None:
            # Only here: a sandbox without Python sessions does without the memory for this, too.
            from coved.python import Python

            workspace = self._roots.place(b"workspace")
            self._executions.python = Python(self._executions, self._environment, workspace)
        return self._executions.python

    def _kill(self, stream, ask):
        self._executions.find(_text(ask, "id")).end("cancelled")
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

        found = tasks.stop(self._executions, _count(ask, "pid", 0), _count(ask, "started", 0), _text(ask, "signal"))
        stream.finish({"found": found})

    def _kill_all(self, stream, ask):
        stream.finish({})
        # Later, so that the answer leaves before its relay dies.
        self._loop.after(0.01, lambda: self._executions.end_everything("cancelled"))

    def _shutdown(self, stream, ask):
        stream.finish({})
        self._loop.after(0.01, self._stop)

    def _stop(self):
        self._executions.end_everything("cancelled")
        self._loop.stopping = True

    def _list(self, stream, ask):
        self._in_steps(stream, self._files.list(ask.get("path"), ask.get("after"), _count(ask, "limit", 1000)))

    def _read(self, stream, ask):
        length = None if ask.get("length") is None else _count(ask, "length", 0)
        Reading(self._roots, stream, ask.get("path"), _count(ask, "offset", 0), length)

    def _write(self, stream, ask):
        append, make = ask.get("append") is True, ask.get("parents") is not False
        Writing(self._roots, stream, ask.get("path"), append, make, _count(ask, "mode", 0o644))

    def _make_directory(self, stream, ask):
        self._files.make_directory(ask.get("path"))
        stream.finish({})

    def _move(self, stream, ask):
        self._files.move(ask.get("from"), ask.get("to"), ask.get("overwrite") is True)
        stream.finish({})

    def _remove(self, stream, ask):
        self._in_steps(stream, self._files.remove(ask.get("path"), ask.get("recursive") is True))

    def _usage(self, stream, ask):
        self._in_steps(stream, self._files.usage(ask.get("path"), _count(ask, "most", 100000)))

    def _in_steps(self, stream, steps):
        job = Job(stream, steps)
        stream.handler = job
        self._loop.task(job.run())


class Job(Handler):
    """A long piece of work done a step at a time; the last thing it yields is the answer."""

    def __init__(self, stream, steps):
        self._stream = stream
        self._steps = steps
        self._wanted = True

    def run(self):
        answer = None
        try:
            for answer in self._steps:
                if not self._wanted:
                    return self._steps.close()
                if answer is None:
                    yield
            self._stream.finish(answer or {})
        except Exception as error:
            self._stream.refuse(as_refusal(error))

    def closed(self):
        self._wanted = False


class RunOptions:
    def __init__(self, ask, name, roots, environment):
        command = _bytes(_text(ask, "command"))
        if len(command) > 128 * 1024 - 1:
            raise Refusal("invalid_argument", "the command is longer than 128 KiB: write it to a file and run that")
        self.arguments = (SHELL, b"-c", b"--", command)
        self.directory = roots.directory_for_commands(ask.get("cwd") or "/workspace")
        self.environment = _environment(roots.activate(environment), ask.get("env"), name)
        self.stdin = ask.get("stdin") is True
        self.timeout, self.grace = _timeout(ask), _grace(ask)
        self.kept = _kept(ask)


class CellOptions:
    def __init__(self, ask, name):
        code = _code(ask)
        self.results = min(_count(ask, "results", 8 * 1024 * 1024), MOST_RESULTS)
        self.timeout, self.grace = _timeout(ask), _grace(ask)
        self.kept = _kept(ask)
        self.order = {"session": _session(ask), "code": code, "id": name, "results": self.results}


def _code(ask):
    code = _text(ask, "code")
    if len(code.encode("utf-8", "surrogatepass")) > LONGEST_CODE:
        raise Refusal("invalid_argument", "the code is longer than 128 KiB: write it to a file and %run that")
    return code


def _session(ask):
    name = _text(ask, "session")
    letters = name.replace("-", "a").replace("_", "a").replace(".", "a")
    if not (0 < len(name) <= 64 and letters.isascii() and letters.isalnum() and name[0] != "."):
        raise Refusal("invalid_argument", "a session's name is made of letters, digits, - and _, up to 64")
    return name


def _timeout(ask):
    return min(_count(ask, "timeout_ms", 0), LONGEST) / 1000


def _grace(ask):
    return min(_count(ask, "grace_ms", 0), 60000) / 1000


def _kept(ask):
    return (min(_count(ask, "head", 262144), MOST_KEPT), min(_count(ask, "tail", 262144), MOST_KEPT))


def _environment(base, changes, name):
    environment = dict(base)
    if changes is not None and not isinstance(changes, dict):
        raise Refusal("invalid_argument", "env must be an object")
    for key, value in (changes or {}).items():
        raw = _bytes(key)
        if not raw or b"=" in raw:
            raise Refusal("invalid_argument", "the name of an environment variable is wrong")
        if value is None:
            environment.pop(raw, None)
        elif isinstance(value, str):
            environment[raw] = _bytes(value)
        else:
            raise Refusal("invalid_argument", "environment variables are text")
    environment[b"COVE_EXECUTION"] = _bytes(name)
    return environment


def _text(ask, key):
    value = ask.get(key)
    if not isinstance(value, str):
        raise Refusal("invalid_argument", "%s must be text" % key)
    return value


def _bytes(text):
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Refusal("invalid_argument", "text with a broken character") from None
    if b"\0" in raw:
        raise Refusal("invalid_argument", "text with a NUL in it can't be passed to a command")
    return raw


def _count(ask, key, otherwise):
    value = ask.get(key)
    if value is None:
        return otherwise
    if type(value) is not int or not 0 <= value < 1 << 53:
        raise Refusal("invalid_argument", "%s must be a whole number" % key)
    return value
