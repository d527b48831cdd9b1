import { expect, test } from "vitest";
import { createPolicy, type EgressMode } from "./policy.ts";
import { Refusal } from "./refusal.ts";
import { PUBLIC_REGISTRIES, type Registry } from "./registries.ts";

const registries: Registry[] = [
  ...PUBLIC_REGISTRIES,
  { scheme: "http", host: "mirror.example", port: 8081 },
  { scheme: "https", host: "corp.example", port: 8443 },
];
const allow = ["named.example", "db.example:5432", " Bücher.example:443 ", "[2001:DB8::7]:443", ""];

test.each<[EgressMode, string, string, number, string]>([
  ["off", "CONNECT", "pypi.org", 443, "egress_off"],
  ["off", "CONNECT", "example.com", 443, "egress_off"],
  ["off", "CONNECT", "named.example", 443, "allowed"],
  ["packages", "CONNECT", "pypi.org", 443, "trusted"],
  ["packages", "CONNECT", "files.pythonhosted.org", 443, "trusted"],
  ["packages", "CONNECT", "pypi.org", 22, "port_not_allowed"],
  ["packages", "CONNECT", "pypi.org", 80, "port_not_allowed"],
  ["packages", "GET", "pypi.org", 80, "port_not_allowed"],
  ["packages", "GET", "pypi.org", 443, "port_not_allowed"],
  ["packages", "CONNECT", "upload.pypi.org", 443, "host_not_allowed"],
  ["packages", "CONNECT", "pypi.org.evil.example", 443, "host_not_allowed"],
  ["packages", "CONNECT", "evilpypi.org", 443, "host_not_allowed"],
  ["packages", "CONNECT", "example.com", 443, "host_not_allowed"],
  ["packages", "GET", "example.com", 80, "host_not_allowed"],
  ["packages", "GET", "169.254.169.254", 80, "host_not_allowed"],
  ["packages", "GET", "mirror.example", 8081, "trusted"],
  ["packages", "HEAD", "mirror.example", 8081, "trusted"],
  ["packages", "POST", "mirror.example", 8081, "read_only"],
  ["packages", "PUT", "mirror.example", 8081, "read_only"],
  ["packages", "DELETE", "mirror.example", 8081, "read_only"],
  ["packages", "CONNECT", "mirror.example", 8081, "port_not_allowed"],
  ["packages", "GET", "mirror.example", 80, "port_not_allowed"],
  ["packages", "CONNECT", "corp.example", 8443, "trusted"],
  ["packages", "CONNECT", "corp.example", 443, "port_not_allowed"],
  ["packages", "CONNECT", "named.example", 22, "allowed"],
  ["packages", "POST", "named.example", 80, "allowed"],
  ["packages", "CONNECT", "sub.named.example", 443, "host_not_allowed"],
  ["packages", "CONNECT", "db.example", 5432, "trusted"],
  ["packages", "CONNECT", "db.example", 443, "host_not_allowed"],
  ["packages", "CONNECT", "xn--bcher-kva.example", 443, "trusted"],
  ["packages", "CONNECT", "2001:db8::7", 443, "trusted"],
  ["open", "CONNECT", "example.com", 22, "allowed"],
  ["open", "POST", "example.com", 80, "allowed"],
  ["open", "GET", "pypi.org", 80, "allowed"],
  ["open", "CONNECT", "pypi.org", 443, "trusted"],
  ["open", "GET", "mirror.example", 8081, "trusted"],
  ["open", "POST", "mirror.example", 8081, "allowed"],
  ["open", "CONNECT", "db.example", 5432, "trusted"],
])("%s: %s to %s:%i is %s", (mode, method, host, port, expected) => {
  expect(outcome(mode, { method, host, port, hasBody: false })).toBe(expected);
});

test("a registry is not given a body, not even with GET", () => {
  expect(outcome("packages", { method: "GET", host: "mirror.example", port: 8081, hasBody: true })).toBe(
    "read_only",
  );
});

test("TLS must ask for the allowed name, except where everything is open or there is no name", () => {
  const decide = createPolicy({ mode: "packages", allow, registries });
  const tls = (host: string, port: number) => decide({ method: "CONNECT", host, port, hasBody: false }).tls;
  expect(tls("pypi.org", 443)).toBe("required");
  expect(tls("named.example", 443)).toBe("required");
  expect(tls("db.example", 5432)).toBe("checked");
  expect(tls("2001:db8::7", 443)).toBe("any");
  const open = createPolicy({ mode: "open", allow: [], registries: [] });
  expect(open({ method: "CONNECT", host: "a.example", port: 443, hasBody: false }).tls).toBe("any");
});

test("only names the operator chose are looked up as the host itself would", () => {
  const decide = createPolicy({ mode: "open", allow, registries });
  const lookup = (host: string) => decide({ method: "CONNECT", host, port: 443, hasBody: false }).lookup;
  expect(lookup("named.example")).toBe("system");
  expect(lookup("pypi.org")).toBe("system");
  expect(lookup("intranet")).toBe("dns");
});

test("a denial says what is possible instead and who can change it", () => {
  const decide = createPolicy({ mode: "packages", allow: [], registries });
  const ask = () => decide({ method: "CONNECT", host: "example.com", port: 443, hasBody: false });
  expect(ask).toThrow(/example\.com:443 is not allowed.*registries.*COVE_EGRESS_ALLOW/s);
});

test.each(["https://example.com", "*.example.com", "example.com/path", "a b", "example.com:http", "0x7f.1"])(
  "the allowlist entry %j is refused at start",
  (entry) => {
    expect(() => createPolicy({ mode: "off", allow: [entry], registries: [] })).toThrow(/host or host:port/);
  },
);

function outcome(mode: EgressMode, asked: Parameters<ReturnType<typeof createPolicy>>[0]): string {
  try {
    return createPolicy({ mode, allow, registries })(asked).trusted ? "trusted" : "allowed";
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}
