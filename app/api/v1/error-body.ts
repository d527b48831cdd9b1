// Errors in OpenAI's shape, so that its clients raise the exceptions their callers know.
import type { AppError, ErrorCode } from "#lib/app-error.ts";

const TYPES: Record<ErrorCode, { type: string; code: string | null }> = {
  bad_request: { type: "invalid_request_error", code: null },
  unauthenticated: { type: "invalid_request_error", code: "invalid_api_key" },
  forbidden: { type: "invalid_request_error", code: "forbidden" },
  not_found: { type: "invalid_request_error", code: "model_not_found" },
  method_not_allowed: { type: "invalid_request_error", code: "method_not_allowed" },
  conflict: { type: "invalid_request_error", code: "conflict" },
  gone: { type: "invalid_request_error", code: "gone" },
  too_large: { type: "invalid_request_error", code: "context_length_exceeded" },
  unsupported_media_type: { type: "invalid_request_error", code: null },
  rate_limited: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  broken_off: { type: "invalid_request_error", code: null },
  internal: { type: "server_error", code: null },
  unavailable: { type: "server_error", code: "unavailable" },
};

export function openAiError({ code, message, field }: AppError): unknown {
  return { error: { message, ...TYPES[code], param: field ?? null } };
}
