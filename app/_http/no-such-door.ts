// What a door says where there is none, in its own words rather than in those of the framework.
import { AppError } from "#lib/app-error.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { type ErrorBody, route } from "./route.ts";

/** For the methods that a token door doesn't have. */
export function wrongMethod(allow: "GET" | "POST", errorBody?: ErrorBody) {
  const refuse = route({
    guard: requireToken,
    errorBody,
    handle: () => {
      throw new AppError("method_not_allowed", `This door takes ${allow} only.`);
    },
  });
  return async (...values: Parameters<typeof refuse>): Promise<Response> => {
    const response = await refuse(...values);
    response.headers.set("allow", allow);
    return response;
  };
}

/** For addresses below those of the doors. */
export function unknownPath(errorBody?: ErrorBody) {
  return route({
    guard: () => undefined,
    errorBody,
    handle: () => {
      throw new AppError("not_found", "There is no such door. GET /openapi.json lists them.");
    },
  });
}
