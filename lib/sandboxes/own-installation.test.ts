import { expect, test } from "vitest";
import { compare } from "./own-installation.ts";

const original = {
  system: "7001",
  database: "5",
  placedAt: "100",
  directory: "/srv/cove/postgres/data",
  host: "machine",
};
const remote = { system: "7001", database: "5", placedAt: "100" };
const copied = { ...original, placedAt: "200", directory: "/srv/copy/postgres/data" };
const there = async () => true;
const gone = async () => false;

test.each([
  ["the same database in its place is the owner", original, original, there, "the owner"],
  ["a copy beside the original is a copy", copied, original, there, "a copy"],
  ["so is a snapshot, which keeps even the times", { ...copied, placedAt: "100" }, original, there, "a copy"],
  ["a directory that was renamed has moved", { ...copied, placedAt: "100" }, original, gone, "moved"],
  ["one that was moved to another disk, too", copied, original, gone, "moved"],
  [
    "a backup that was restored where the original is gone has taken its place",
    { ...copied, system: "7002" },
    original,
    gone,
    "moved",
  ],
  [
    "files brought back into the original's own place go on",
    { ...original, placedAt: "200" },
    original,
    there,
    "moved",
  ],
  [
    "of a directory on another machine nothing can be told",
    { ...copied, host: "other" },
    original,
    gone,
    "unknown",
  ],
  [
    "a container that was replaced finds its database on the same volume",
    { ...original, host: "other" },
    original,
    gone,
    "the owner",
  ],
  ["a database elsewhere is known by what it says", remote, remote, gone, "the owner"],
  ["its copied files are not", { ...remote, placedAt: "200" }, remote, gone, "unknown"],
  ["nor is another cluster", { ...remote, system: "7002" }, remote, gone, "unknown"],
  ["nor another database of it", { ...remote, database: "6" }, remote, gone, "unknown"],
  [
    "who may not ask for the time can't tell copied files",
    { system: "7001", database: "5" },
    remote,
    gone,
    "the owner",
  ],
] as const)("%s", async (_, self, owner, isElsewhere, verdict) => {
  expect(await compare(self, owner, isElsewhere)).toBe(verdict);
});
