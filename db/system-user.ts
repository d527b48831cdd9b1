import { readFile } from "node:fs/promises";

export interface SystemUser {
  uid: number;
  gid: number;
}

export async function findSystemUser(name: string): Promise<SystemUser | undefined> {
  const entry = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .find((line) => line.startsWith(`${name}:`));
  const [, , uid, gid] = entry?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
