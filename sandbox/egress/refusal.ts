// Why a connection isn't made. `reason` is for programs, the message is a sentence that a model can act on.

export type DenialReason =
  | "egress_off"
  | "host_not_allowed"
  | "port_not_allowed"
  | "read_only"
  | "bad_host"
  | "private_address"
  | "name_mismatch"
  | "name_encrypted"
  | "too_many_connections"
  | "byte_limit"
  /** Stands for denials that are too many to be listed. */
  | "unlisted";

export type FailureReason =
  | "bad_request"
  | "head_too_large"
  | "head_timeout"
  | "name_not_found"
  | "lookup_timeout"
  | "connect_failed"
  | "connect_timeout"
  | "bad_response"
  | "closed";

const STATUS: Record<DenialReason | FailureReason, number> = {
  egress_off: 403,
  host_not_allowed: 403,
  port_not_allowed: 403,
  read_only: 403,
  bad_host: 403,
  private_address: 403,
  name_mismatch: 403,
  name_encrypted: 403,
  too_many_connections: 429,
  byte_limit: 429,
  unlisted: 403,
  bad_request: 400,
  head_too_large: 431,
  head_timeout: 408,
  name_not_found: 502,
  lookup_timeout: 504,
  connect_failed: 502,
  connect_timeout: 504,
  bad_response: 502,
  closed: 503,
};

export class Refusal extends Error {
  readonly reason: DenialReason | FailureReason;
  /** As it was spelled, where it couldn't be read. */
  readonly host: string | undefined;

  constructor(
    reason: DenialReason | FailureReason,
    message: string,
    options?: ErrorOptions & { host?: string },
  ) {
    super(message, options);
    this.name = "Refusal";
    this.reason = reason;
    this.host = options?.host;
  }

  get status(): number {
    return STATUS[this.reason];
  }
}

/** Rules and limits deny; a name that doesn't exist or a server that is down merely fails. */
export function isDenial(reason: DenialReason | FailureReason): reason is DenialReason {
  return STATUS[reason] === 403 || STATUS[reason] === 429;
}

/** The answer to an HTTP client. Many show only the status line of a refused tunnel, so the reason is in it, too. */
export function formatRefusal({ status, reason, message }: Refusal): Buffer {
  const body = `${message}\n`;
  const lines = [
    `HTTP/1.1 ${status} Cove egress: ${reason}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Cove-Egress: ${reason}`,
    "Connection: close",
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
