import { describe, expect, test } from "vitest";
import { debianMirrors, parseDeb822, parseSourcesList } from "./apt-sources.ts";

describe("one-line sources", () => {
  const mirrors = (text: string) => debianMirrors(parseSourcesList(text));

  test("the main archive and the security archive are told apart", () => {
    expect(
      mirrors(`
        deb http://mirror.example/debian/ bookworm main contrib
        deb-src http://mirror.example/debian-src/ bookworm main
        deb http://mirror.example/debian bookworm-updates main
        deb http://mirror.example/debian-security bookworm-security main
      `),
    ).toEqual({ main: "http://mirror.example/debian", security: "http://mirror.example/debian-security" });
  });

  test("comments, options and blank lines are read over", () => {
    expect(
      mirrors(`
        # deb http://old.example/debian bookworm main
        deb [ arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg ] https://a.example/pool stable main # ours
      `),
    ).toEqual({ main: "https://a.example/pool" });
  });

  test("another vendor's archive with Debian's suite names isn't taken", () => {
    expect(
      mirrors(`
        deb https://vendor.example bookworm main
        deb https://other.example/linux/debian bookworm stable
        deb https://third.example/node_20.x nodistro main
      `),
    ).toEqual({});
  });

  test("a mirror under an unusual path is known by the updates it carries", () => {
    expect(
      mirrors(`
        deb https://vendor.example bookworm main
        deb http://proxy.example/remote/bookworm-all bookworm main
        deb http://proxy.example/remote/bookworm-all bookworm-updates main
      `),
    ).toEqual({ main: "http://proxy.example/remote/bookworm-all" });
  });

  test("discs, files, variables and passwords are passed over", () => {
    expect(
      mirrors(`
        deb cdrom:[Debian GNU/Linux 12 _Bookworm_ - Official amd64]/ bookworm main
        deb file:/srv/debian bookworm main
        deb http://mirror.example/$(ARCH)/debian bookworm main
        deb https://user:secret@mirror.example/debian bookworm main
        deb http://open.example/debian bookworm main
      `),
    ).toEqual({ main: "http://open.example/debian" });
  });

  test("Ubuntu's suites aren't Debian's", () => {
    expect(mirrors("deb http://archive.example/ubuntu noble main universe")).toEqual({});
  });

  test("the old name of the security suite counts", () => {
    expect(
      mirrors("deb http://a.example/debian buster main\ndeb http://a.example/sec buster/updates main")
        .security,
    ).toBe("http://a.example/sec");
  });
});

describe("deb822 sources", () => {
  const mirrors = (text: string) => debianMirrors(parseDeb822(text));

  test("stanzas, comments inside them, several suites and the first of several URIs", () => {
    expect(
      mirrors(`
Types: deb deb-src
# http://snapshot.example/debian/20250520T000000Z
URIs: http://a.example/debian http://b.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://a.example/debian-security
Suites: bookworm-security
Components: main
`),
    ).toEqual({ main: "http://a.example/debian", security: "http://a.example/debian-security" });
  });

  test("values go on in indented lines, field names are in any case, keys may be written out", () => {
    expect(
      mirrors(`types: deb
uris:
  http://a.example/debian
# between
  http://b.example/debian
SUITES: trixie
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEY865UxYJKwYBBAHaRw8BAQdAd7Z0srwuhlB6JKFkcf4HU4SSS/xcRfwEQWzr
 -----END PGP PUBLIC KEY BLOCK-----`),
    ).toEqual({ main: "http://a.example/debian" });
  });

  test("disabled stanzas and those for sources only are left out", () => {
    const stanza = "URIs: http://a.example/debian\nSuites: trixie\nComponents: main";
    expect(mirrors(`Types: deb\nEnabled: no\n${stanza}`)).toEqual({});
    expect(mirrors(`Types: deb-src\n${stanza}`)).toEqual({});
    expect(mirrors(`Types: deb\nEnabled: yes\n${stanza}`).main).toBe("http://a.example/debian");
  });

  test("Windows line ends and text that is no configuration are survived", () => {
    const text = "Types: deb\r\nURIs: http://a.example/debian\r\nSuites: trixie\r\nComponents: main\r\n";
    expect(mirrors(text).main).toBe("http://a.example/debian");
    expect(mirrors("\u0000:::\n x\n\n \n:\n")).toEqual({});
  });
});
