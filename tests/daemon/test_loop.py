"""The loop runs until its process ends, so these run it in one of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import coved

PRELUDE = """
import os, sys
from coved.loop import READ, Loop
loop = Loop(lambda: said("a child ended"))
def said(text): print(text, flush=True)
def leave(): os._exit(0)
"""


def run(script: str) -> tuple[list[str], str]:
    folder = Path(coved.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script],
        cwd=folder,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.splitlines(), done.stderr


def test_timers_come_in_the_order_of_their_time_and_of_their_setting() -> None:
    said, _ = run("""
loop.after(0.03, leave)
loop.after(0.02, lambda: said("late"))
for name in ("first", "second"):
    loop.after(0.0, lambda name=name: said(name))
loop.run()
""")
    assert said == ["first", "second", "late"]


def test_a_cancelled_timer_does_nothing() -> None:
    said, _ = run("""
timer = loop.after(0.0, lambda: said("cancelled"))
loop.cancel(timer)
loop.cancel(None)
loop.after(0.01, leave)
loop.run()
""")
    assert said == []


def test_an_error_in_a_handler_is_complained_about_and_ends_nothing() -> None:
    said, complaints = run("""
loop.after(0.0, lambda: {}["missing"])
loop.after(0.01, lambda: (said("still there"), leave()))
loop.run()
""")
    assert said == ["still there"]
    assert "coved: KeyError: 'missing'" in complaints


def test_a_long_piece_of_work_lets_others_in_between() -> None:
    said, _ = run("""
reader, writer = os.pipe()
def steps():
    for number in range(3):
        said(f"step {number}")
        os.write(writer, b"x")
        yield
    leave()
loop.watch(reader, READ, lambda events: (os.read(reader, 1), said("read")))
loop.task(steps())
loop.run()
""")
    assert said == ["step 0", "read", "step 1", "read", "step 2", "read"]


def test_a_child_that_ended_is_noticed() -> None:
    said, _ = run("""
os.posix_spawn("/bin/true", ["true"], {})
loop.after(0.5, leave)
loop.run()
""")
    assert said == ["a child ended"]
