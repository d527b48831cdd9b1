// The bodies the gate lets through, field by field: an unknown field is refused, because tomorrow's engine may give it a
// meaning that today's list doesn't know.
import { z } from "zod";

export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  body: unknown;
  /** The only image that may run. */
  image: string;
}

const unset = z.union([z.literal(""), z.literal(false), z.literal(0), z.null(), z.tuple([])]).optional();
const ownVolume = z.string().regex(/^cove-[\w.-]{1,120}$/, "must be a volume of Cove's");
const labels = z
  .record(z.string(), z.string())
  .refine((all) => Boolean(all.cove), "must hold the label of an installation");
const numericUser = z.string().regex(/^\d{1,9}:\d{1,9}$/, "must be numeric, with its group");

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

const hostConfig = z.strictObject({
  CapDrop: z.tuple([z.literal("ALL")]),
  // What a helper needs to fill and hand over a volume.
  CapAdd: z.array(z.enum(["CHOWN", "DAC_OVERRIDE", "FOWNER"])).optional(),
  SecurityOpt: z
    .array(z.union([z.literal("no-new-privileges"), z.string().startsWith("seccomp={")]))
    .refine((all) => all.includes("no-new-privileges"), "must hold no-new-privileges"),
  NetworkMode: z.literal("none"),
  ReadonlyRootfs: z.literal(true),
  LogConfig: z.strictObject({ Type: z.literal("none"), Config: z.strictObject({}).optional() }),
  Memory: z.int().positive(),
  PidsLimit: z.int().positive(),
  Mounts: z.array(mount),
  Privileged: unset,
  IpcMode: z.literal("private").optional(),
  CgroupnsMode: z.literal("private").optional(),
  PidMode: unset,
  UTSMode: unset,
  UsernsMode: unset,
  Init: z.boolean().optional(),
  AutoRemove: z.boolean().optional(),
  RestartPolicy: z.strictObject({ Name: z.literal("no") }).optional(),
  MemorySwap: z.int().positive().optional(),
  NanoCpus: z.int().positive().optional(),
  OomScoreAdj: z.int().nonnegative().optional(),
  ShmSize: z.int().positive().optional(),
  Ulimits: z.array(z.strictObject({ Name: z.string(), Soft: z.int(), Hard: z.int() })).optional(),
  Tmpfs: z.record(z.string(), z.string()).optional(),
  MaskedPaths: z.array(z.string()).optional(),
  ReadonlyPaths: z.array(z.string()).optional(),
  Runtime: z.string().optional(),
});

export const CreateContainer = (image: string) =>
  z.strictObject({
    Image: z.literal(image, "must be the sandbox image"),
    User: numericUser,
    Labels: labels,
    HostConfig: hostConfig,
    name: z.string().optional(),
    Hostname: z.string().optional(),
    WorkingDir: z.string().optional(),
    Env: z.array(z.string()).optional(),
    Entrypoint: z.array(z.string()).optional(),
    Cmd: z.array(z.string()).optional(),
    AttachStdin: z.boolean().optional(),
    AttachStdout: z.boolean().optional(),
    AttachStderr: z.boolean().optional(),
    OpenStdin: z.boolean().optional(),
    StdinOnce: z.boolean().optional(),
    Tty: z.literal(false).optional(),
    StopSignal: z.string().optional(),
    StopTimeout: z.int().optional(),
  });

export const CreateExec = z.strictObject({
  Cmd: z.array(z.string()),
  User: numericUser,
  AttachStdin: z.boolean().optional(),
  AttachStdout: z.boolean().optional(),
  AttachStderr: z.boolean().optional(),
  Tty: z.literal(false).optional(),
});

export const CreateVolume = z.strictObject({ Name: ownVolume, Labels: labels });
