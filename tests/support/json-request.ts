/** A POST with a token, as shell scripts send it. */
export function jsonRequest(token: string, body: object, headers: object = {}) {
  return {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}
