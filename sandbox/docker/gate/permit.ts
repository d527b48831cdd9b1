// What the server may ask of the engine when it is given the gate instead of the engine's own socket: the calls that
// sandboxes are made of, on things that carry our name, and containers that can do no more than a sandbox or its helper.
import type { z } from "zod";
import {
  CreateContainer,
  CreateExec,
  CreateVolume,
  type EngineRequest,
  type LabelledBody,
} from "./request-bodies.ts";

export type Permission =
  /** Only if it carries the installation's label. */
  | { container: string }
  | { volume: string }
  /** Only for the installation's, with the volumes that it has. */
  | { installation: string; volumes: string[] }
  /** Only of what carries the installation's label. */
  | { list: true }
  /** Only if it was made through the gate. */
  | { exec: string }
  | { anything: true };

/** A sentence that says why not. */
export class NotPermitted extends Error {
  override name = "NotPermitted";
}

const CONTAINER = "([a-zA-Z0-9][\\w.-]{0,127})";
const OWN_VOLUME = "(cove-[\\w.-]{1,120})";

const CALLS: [
  method: string,
  path: RegExp,
  decide: (names: string[], request: EngineRequest) => Permission,
][] = [
  ["GET", exactly("/_ping|/version"), () => ({ anything: true })],
  ["HEAD", exactly("/_ping"), () => ({ anything: true })],
  ["GET", exactly("/containers/json|/volumes"), () => ({ list: true })],
  ["GET", exactly("/images/[\\w./:@-]{1,255}/json"), () => ({ anything: true })],
  [
    "POST",
    exactly("/containers/create"),
    (_, request) => onNewThing(read(CreateContainer(request), request.body)),
  ],
  ["GET", exactly(`/containers/${CONTAINER}/json`), onContainer],
  ["POST", exactly(`/containers/${CONTAINER}/(?:start|stop|kill|pause|unpause|wait|attach)`), onContainer],
  ["DELETE", exactly(`/containers/${CONTAINER}`), onContainer],
  [
    "POST",
    exactly(`/containers/${CONTAINER}/exec`),
    (names, { body }) => {
      read(CreateExec, body);
      return onContainer(names);
    },
  ],
  ["POST", exactly("/exec/([0-9a-f]{64})/start"), ([exec = ""]) => ({ exec })],
  ["POST", exactly("/volumes/create"), (_, { body }) => onNewThing(read(CreateVolume, body))],
  ["GET", exactly(`/volumes/${OWN_VOLUME}`), onVolume],
  ["DELETE", exactly(`/volumes/${OWN_VOLUME}`), onVolume],
];

/** Throws `NotPermitted` for everything that isn't on the list. */
export function permit(request: EngineRequest): Permission {
  for (const [method, path, decide] of CALLS) {
    const match = request.method === method ? path.exec(request.path) : null;
    if (match) return decide(match.slice(1), request);
  }
  throw new NotPermitted(
    `${request.method} ${request.path.slice(0, 200)} is not among what Cove asks of an engine.`,
  );
}

function onContainer([container = ""]: string[]): Permission {
  return { container };
}

function onVolume([volume = ""]: string[]): Permission {
  return { volume };
}

function onNewThing({ Labels, HostConfig }: LabelledBody): Permission {
  const volumes = (HostConfig?.Mounts ?? []).map(({ Source }) => Source);
  return { installation: Labels.cove ?? "", volumes };
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new NotPermitted(`${issue?.path.join(".") || "The request"}: ${issue?.message}`);
}

/** The engine's paths may begin with a version; nothing in them may be written in another way. */
function exactly(path: string): RegExp {
  return new RegExp(`^(?:/v1\\.\\d{1,2})?(?:${path})$`);
}
