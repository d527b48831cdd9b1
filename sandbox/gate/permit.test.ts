import { expect, test } from "vitest";
import { containerSpec } from "../container-spec.ts";
import { withDefaults } from "../options.ts";
import { NotPermitted, permit } from "./permit.ts";

const image = "cove-sandbox:test";
const ask = (method: string, path: string, body?: unknown) => () => permit({ method, path, body, image });

const spec = JSON.parse(
  JSON.stringify(
    containerSpec({
      id: "1",
      installation: "me",
      image,
      uid: 20_000,
      limits: withDefaults({} as never).limits,
      workspace: { Type: "volume", Source: "cove-1-workspace", Target: "/workspace" },
      sharedVolume: "cove-me-shared",
    }),
  ),
);
const create = (changes: object, host: object = {}) =>
  ask("POST", "/v1.41/containers/create", {
    ...spec,
    ...changes,
    HostConfig: { ...spec.HostConfig, ...host },
  });

test("a sandbox's container may be made, as the sandbox package makes it", () => {
  expect(create({})()).toEqual({ anything: true });
});

test.each<[string, object, object]>([
  ["another image", { Image: "debian" }, {}],
  ["a user by name", { User: "root" }, {}],
  ["no label", { Labels: {} }, {}],
  ["an unknown field", { Healthcheck: { Test: ["CMD", "id"] } }, {}],
  ["privileges", {}, { Privileged: true }],
  ["a capability", {}, { CapAdd: ["SYS_ADMIN"] }],
  ["kept capabilities", {}, { CapDrop: [] }],
  ["the host's network", {}, { NetworkMode: "host" }],
  ["the host's processes", {}, { PidMode: "host" }],
  ["a folder of the host", {}, { Binds: ["/:/host"] }],
  ["a bind mount", {}, { Mounts: [{ Type: "bind", Source: "/", Target: "/host" }] }],
  ["somebody's volume", {}, { Mounts: [{ Type: "volume", Source: "postgres", Target: "/x" }] }],
  [
    "a volume that is a folder in disguise",
    {},
    {
      Mounts: [
        {
          Type: "volume",
          Source: "cove-x",
          Target: "/x",
          VolumeOptions: { DriverConfig: { Name: "local", Options: { device: "/", o: "bind" } } },
        },
      ],
    },
  ],
  ["a device", {}, { Devices: [{ PathOnHost: "/dev/sda" }] }],
  ["no seccomp", {}, { SecurityOpt: ["no-new-privileges", "seccomp=unconfined"] }],
  ["new privileges", {}, { SecurityOpt: [] }],
  ["a writable root", {}, { ReadonlyRootfs: false }],
  ["endless memory", {}, { Memory: 0 }],
])("a container with %s may not", (_, changes, host) => {
  expect(create(changes, host)).toThrow(NotPermitted);
});

test("an exec needs a numeric user and has no privileges", () => {
  const body = { Cmd: ["/usr/bin/nc"], User: "20000:20000", AttachStdin: true };
  expect(ask("POST", "/containers/cove-1/exec", body)()).toEqual({ container: "cove-1" });
  expect(ask("POST", "/containers/cove-1/exec", { ...body, User: "0" })).toThrow(NotPermitted);
  expect(ask("POST", "/containers/cove-1/exec", { ...body, Privileged: true })).toThrow(NotPermitted);
});

test("volumes are ours, and of the plain kind", () => {
  const body = { Name: "cove-1-workspace", Labels: { cove: "me" } };
  expect(ask("POST", "/volumes/create", body)()).toEqual({ anything: true });
  expect(ask("POST", "/volumes/create", { ...body, Name: "other" })).toThrow(NotPermitted);
  expect(ask("POST", "/volumes/create", { ...body, DriverOpts: { device: "/" } })).toThrow(NotPermitted);
  expect(ask("DELETE", "/volumes/other")).toThrow(NotPermitted);
});

test.each([
  ["POST", "/build"],
  ["POST", "/images/create"],
  ["GET", "/containers/cove-1/archive"],
  ["PUT", "/containers/cove-1/archive"],
  ["POST", "/containers/cove-1/update"],
  ["POST", "/containers/cove-1%2fexec"],
  ["GET", "/containers/../images/json"],
  ["POST", "/swarm/init"],
  ["GET", "/secrets"],
  ["POST", "/plugins/pull"],
  ["POST", "/networks/create"],
])("%s %s is none of Cove's business", (method, path) => {
  expect(ask(method, path, {})).toThrow(NotPermitted);
});
