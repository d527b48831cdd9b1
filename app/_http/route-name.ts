// An address with names in place of what changes in it. There are as many of these as there are routes, whatever clients
// send, so that they can be labels of metrics.

export function routeName(path: string, params: Record<string, string | string[] | undefined>): string {
  const names = Object.entries(params).flatMap(([name, value]) =>
    [value].flat().map((part) => ({ part: decoded(part ?? ""), name: `[${name}]` })),
  );
  const parts = path.split("/").map((part) => {
    const found = names.findIndex((one) => one.part === decoded(part));
    return found < 0 ? decoded(part) : names.splice(found, 1)[0]?.name;
  });
  return names.length === 0 ? parts.join("/") : "other";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "other";
  }
}
