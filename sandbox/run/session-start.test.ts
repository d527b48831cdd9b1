// How the daemon takes a new Python session: the session and its reaper have a socket each to it, so what they say may be
// heard in any order.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const IMAGE = fileURLToPath(new URL("../image", import.meta.url));

test.each([
  ["kp", "r", "the reaper first"],
  ["k", "rp", "the reaper's second word last"],
  ["", "rkp", "the session first"],
])("a session is ready once both have spoken (%s, then %s: %s)", (early, late) => {
  expect(heard(early)).toMatchObject({ ready: false, ended: false });
  expect(heard(early + late)).toEqual({ ready: true, ended: false, restarted: true });
});

test("a session that announces itself twice is ended", () => {
  expect(heard("kprr")).toMatchObject({ ended: true });
});

/** What the daemon thinks of a session after these words, in this order. */
function heard(words: string): unknown {
  const script = `
import json, socket, sys
sys.path.insert(0, sys.argv[1])
from coved.interpreter import Interpreter

class Loop:
    def watch(self, fd, events, handler): handlers[fd] = handler
    def forget(self, fd): handlers.pop(fd)
    def after(self, seconds, action): return None
    def cancel(self, timer): return None

class Python:
    loop = Loop()
    def ends(self, interpreter): return None
    def gone(self, interpreter): return None

handlers = {}
reaper, told_by_reaper = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
session, told_by_session = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
interpreter = Interpreter(Python(), "default", 1, told_by_reaper, told_by_session)
# Numbers that no process has.
number = (2 ** 31 - 1).to_bytes(4)
for word in sys.argv[2]:
    mouth, ear = (session, told_by_session) if word == "r" else (reaper, told_by_reaper)
    mouth.send(word.encode() + (b"1" if word == "r" else number))
    handlers[ear.fileno()](1)
told = {"ready": interpreter.ready, "ended": interpreter.over, "restarted": interpreter._restarted}
print(json.dumps(told))
`;
  return JSON.parse(String(execFileSync("python3", ["-c", script, IMAGE, words])));
}
