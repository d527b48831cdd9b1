import { expect, test } from "vitest";
import { withDefaults } from "../../options.ts";
import { containerSpec } from "../container-spec.ts";
import { relay } from "../dial-exec.ts";
import { helperOptions } from "../helper-container.ts";
import { NotPermitted, permit } from "./permit.ts";

const image = "cove-sandbox:test";
const ask = (method: string, path: string, body?: unknown, runtime?: string) => () =>
  permit({ method, path, body, image, runtime });

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
  expect(create({})()).toEqual({
    installation: "me",
    volumes: ["cove-1-workspace", "cove-me-shared"],
  });
});

test("another runtime may be used if the operator named it, and no other", () => {
  const runtime = (Runtime?: string) => ({ ...spec, HostConfig: { ...spec.HostConfig, Runtime } });
  expect(ask("POST", "/containers/create", runtime("runsc"), "runsc")).not.toThrow();
  expect(ask("POST", "/containers/create", runtime("runc"), "runsc")).toThrow(NotPermitted);
  expect(ask("POST", "/containers/create", runtime(), "runsc")).toThrow(NotPermitted);
});

test("a helper may be root, with a script and what it takes to hand a volume over", () => {
  const helper = helperOptions(
    { installation: "me", image },
    { script: "true", mounts: [{ Type: "volume", Source: "cove-1-workspace", Target: "/volume" }] },
  );
  expect(ask("POST", "/containers/create", helper)()).toEqual({
    installation: "me",
    volumes: ["cove-1-workspace"],
  });
  const more = (changes: object) => ({ ...helper, HostConfig: { ...helper.HostConfig, ...changes } });
  expect(ask("POST", "/containers/create", more({ CapAdd: ["SYS_ADMIN"] }))).toThrow(NotPermitted);
  expect(ask("POST", "/containers/create", more({ Runtime: "runc" }))).toThrow(NotPermitted);
  expect(ask("POST", "/containers/create", { ...helper, Entrypoint: ["/bin/bash"] })).toThrow(NotPermitted);
});

test.each<[string, object, object]>([
  ["another image", { Image: "debian" }, {}],
  ["a user by name", { User: "root" }, {}],
  ["root as its user", { User: "0:0" }, {}],
  ["another's group", { User: "20000:20001" }, {}],
  ["a program of its own", { Entrypoint: ["/bin/sh"] }, {}],
  ["another runtime", {}, { Runtime: "runc" }],
  [
    "a seccomp profile of its own",
    {},
    { SecurityOpt: ["no-new-privileges", 'seccomp={"defaultAction":"SCMP_ACT_ALLOW"}'] },
  ],
  ["a helper's capabilities", {}, { CapAdd: ["CHOWN"] }],
  ["nothing masked", {}, { MaskedPaths: [] }],
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

test("an exec is the relay to the daemon, for a user other than root, and has no privileges", () => {
  const body = { Cmd: [...relay], User: "20000:20000", AttachStdin: true };
  expect(ask("POST", "/containers/cove-1/exec", body)()).toEqual({ container: "cove-1" });
  expect(ask("POST", "/containers/cove-1/exec", { ...body, User: "0" })).toThrow(NotPermitted);
  expect(ask("POST", "/containers/cove-1/exec", { ...body, User: "0:0" })).toThrow(NotPermitted);
  expect(ask("POST", "/containers/cove-1/exec", { ...body, Cmd: ["/bin/sh"] })).toThrow(NotPermitted);
  expect(ask("POST", "/containers/cove-1/exec", { ...body, Privileged: true })).toThrow(NotPermitted);
});

test("volumes are ours, and of the plain kind", () => {
  const body = { Name: "cove-1-workspace", Labels: { cove: "me" } };
  expect(ask("POST", "/volumes/create", body)()).toEqual({ installation: "me", volumes: [] });
  expect(ask("DELETE", "/volumes/cove-1-workspace")()).toEqual({ volume: "cove-1-workspace" });
  expect(ask("POST", "/volumes/create", { ...body, Name: "other" })).toThrow(NotPermitted);
  expect(ask("POST", "/volumes/create", { ...body, DriverOpts: { device: "/" } })).toThrow(NotPermitted);
  expect(ask("DELETE", "/volumes/other")).toThrow(NotPermitted);
});

test.each([
  ["POST", "/build"],
  ["GET", "/events"],
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
