from __future__ import annotations

import os
import subprocess
import sys

from coved.processes import Process, scan, trees


def process(pid: int, parent: int, state: str = "S", name: str = "sh") -> Process:
    fields = [state, str(parent), str(pid), *("0" for _ in range(16)), str(pid * 100), "0"]
    return Process(pid, f"{pid} ({name}) {' '.join(fields)}".encode())


def test_a_name_may_look_like_the_rest_of_the_line() -> None:
    odd = process(7, 3, name="a) S 1 (b")
    assert (odd.name, odd.parent, odd.state, odd.started) == (b"a) S 1 (b", 3, b"S", 700)


def test_a_tree_is_the_living_at_and_below_its_roots() -> None:
    table = {one.pid: one for one in (process(1, 0), process(2, 1), process(3, 2, "Z"), process(4, 3), process(5, 1))}
    assert {one.pid for one in trees(table, [2])} == {2, 4}
    assert {one.pid for one in trees(table, [2, 5, 99])} == {2, 4, 5}
    assert trees(table, []) == []


def test_processes_that_claim_each_other_as_parents_end_the_walk() -> None:
    table = {2: process(2, 3), 3: process(3, 2)}
    assert {one.pid for one in trees(table, [2])} == {2, 3}


def test_the_process_table_knows_us_and_our_children() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        table = scan()
        assert table[os.getpid()].pid == os.getpid()
        assert child.pid in {one.pid for one in trees(table, [os.getpid()])}
        child.communicate(b"\n")
