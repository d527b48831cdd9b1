// A sentence for each way a database can refuse. The address is shown without user and password.
const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "no host has that name",
  ENOENT: "there is no such socket",
  ETIMEDOUT: "it does not answer",
  "28P01": "the user or the password is wrong",
  "28000": "it does not let this user in",
  "3D000": "there is no such database: create it first",
  "42501": "this user may not create tables there",
};

export function describeDatabaseFailure(error: unknown, url: string): Error {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code ?? (/timeout/.test(at.message) ? "ETIMEDOUT" : "");
    const reason = REASONS[code];
    if (reason) {
      return new Error(`The database ${place(url)} can't be used: ${reason}. Check DATABASE_URL.`, {
        cause: error,
      });
    }
  }
  return error instanceof Error ? error : new Error(String(error));
}

function place(url: string): string {
  if (!URL.canParse(url)) return "in DATABASE_URL";
  const { host, pathname, searchParams } = new URL(url);
  return `${pathname.slice(1) || "postgres"} at ${searchParams.get("host") ?? host}`;
}
