// The bodies the gate lets through, field by field: an unknown field is refused, because tomorrow's engine may give it a
// meaning that today's list doesn't know. What never varies is pinned to what the sandbox package itself sends.
import { z } from "zod";
import { relay } from "../dial-exec.ts";
import { seccompProfile } from "../seccomp.ts";

/** What the server asks of the engine. */
export interface EngineRequest {
  method: string;
  /** Without the query. */
  path: string;
  body: unknown;
  /** The only image that may run. */
  image: string;
  /** The only OCI runtime other than the engine's own, if any. */
  runtime?: string | undefined;
}

const unset = z.union([z.literal(""), z.literal(false), z.literal(0), z.null(), z.tuple([])]).optional();
const ownVolume = z.string().regex(/^cove-[\w.-]{1,120}$/, "must be a volume of Cove's");
const labels = z
  .record(z.string(), z.string())
  .refine((all) => Boolean(all.cove), "must hold the label of an installation");
const unprivileged = z
  .string()
  .regex(/^([1-9]\d{0,8}):\1$/, "must be the sandbox's own uid and group, and not root's");

const mount = z.strictObject({
  Type: z.literal("volume", "must be a volume: no folder of the host"),
  Source: ownVolume,
  Target: z.string(),
  ReadOnly: z.boolean().optional(),
  VolumeOptions: z
    .strictObject({
      NoCopy: z.boolean().optional(),
      Labels: z.strictObject({}).optional(),
      DriverConfig: z
        .strictObject({ Name: z.literal("local"), Options: z.strictObject({}).optional() })
        .optional(),
    })
    .optional(),
});

/** What a sandbox and a helper have in common. */
const confined = {
  CapDrop: z.tuple([z.literal("ALL")]),
  NetworkMode: z.literal("none"),
  ReadonlyRootfs: z.literal(true),
  LogConfig: z.strictObject({ Type: z.literal("none"), Config: z.strictObject({}).optional() }),
  Memory: z.int().positive(),
  PidsLimit: z.int().positive(),
  Mounts: z.array(mount),
};

const sandboxHost = (runtime: string | undefined) =>
  z.strictObject({
    ...confined,
    SecurityOpt: z.tuple(
      [z.literal("no-new-privileges"), z.literal(`seccomp=${JSON.stringify(seccompProfile())}`)],
      "must be no new privileges and the sandboxes' own seccomp profile",
    ),
    Runtime: runtime === undefined ? z.undefined().optional() : z.literal(runtime),
    Privileged: unset,
    IpcMode: z.literal("private"),
    CgroupnsMode: z.literal("private"),
    PidMode: unset,
    UTSMode: unset,
    UsernsMode: unset,
    Init: z.literal(false),
    AutoRemove: z.literal(false),
    RestartPolicy: z.strictObject({ Name: z.literal("no") }),
    MemorySwap: z.int().positive(),
    NanoCpus: z.int().positive(),
    OomScoreAdj: z.int().nonnegative(),
    ShmSize: z.int().positive(),
    Ulimits: z.array(z.strictObject({ Name: z.string(), Soft: z.int(), Hard: z.int() })),
    Tmpfs: z.record(z.string(), z.string()),
    MaskedPaths: z.array(z.string()).min(1),
    ReadonlyPaths: z.array(z.string()).min(1),
  });

const CreateSandbox = ({ image, runtime }: EngineRequest) =>
  z.strictObject({
    Image: z.literal(image, "must be the sandbox image"),
    name: z.string().startsWith("cove-"),
    User: unprivileged,
    Labels: labels,
    HostConfig: sandboxHost(runtime),
    Hostname: z.string(),
    WorkingDir: z.string(),
    Env: z.array(z.string()),
    AttachStdin: z.literal(false),
    AttachStdout: z.literal(false),
    AttachStderr: z.literal(false),
    OpenStdin: z.literal(false),
    Tty: z.literal(false),
    StopSignal: z.string(),
    StopTimeout: z.int(),
  });

/** Root for a moment, to fill and hand over volumes, with what that takes and nothing else. */
const CreateHelper = ({ image }: EngineRequest) =>
  z.strictObject({
    Image: z.literal(image, "must be the sandbox image"),
    User: z.literal("0:0"),
    Labels: labels,
    HostConfig: z.strictObject({
      ...confined,
      CapAdd: z.array(z.enum(["CHOWN", "DAC_OVERRIDE", "FOWNER"])),
      SecurityOpt: z.tuple([z.literal("no-new-privileges")]),
    }),
    Entrypoint: z.tuple([z.literal("/bin/sh"), z.literal("-euc"), z.string()]),
    Cmd: z.tuple([]),
    Env: z.array(z.string()),
    WorkingDir: z.string(),
    AttachStdin: z.boolean(),
    AttachStdout: z.boolean(),
    AttachStderr: z.boolean(),
    OpenStdin: z.boolean(),
    StdinOnce: z.boolean(),
  });

const Role = z.looseObject({ Labels: z.looseObject({ "cove.role": z.string() }) });

/** What of a body tells whose the thing is that it makes. */
export type LabelledBody = { Labels: Record<string, string>; HostConfig?: { Mounts: { Source: string }[] } };

/** A sandbox unless it says that it is a helper. */
export function CreateContainer(request: EngineRequest): z.ZodType<LabelledBody> {
  const role = Role.safeParse(request.body).data?.Labels["cove.role"];
  return role === "helper" ? CreateHelper(request) : CreateSandbox(request);
}

export const CreateExec = z.strictObject({
  Cmd: z.tuple(
    [z.literal(relay[0]), z.literal(relay[1]), z.literal(relay[2])],
    "must be the relay to the daemon",
  ),
  User: unprivileged,
  AttachStdin: z.boolean().optional(),
  AttachStdout: z.boolean().optional(),
  AttachStderr: z.boolean().optional(),
  Tty: z.literal(false).optional(),
});

export const CreateVolume: z.ZodType<LabelledBody> = z.strictObject({ Name: ownVolume, Labels: labels });
