import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import Docker from "dockerode";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { imageTag } from "#sandbox/docker/build/image-tag.ts";

// What the image promises to whoever is put into it: any numeric user, a read-only root and no network.
const docker = new Docker();
let image: string;

beforeAll(async () => {
  image = (await ensureImage(docker)).tag;
}, 900_000);

test("a second call finds the image and builds nothing", async () => {
  expect(await ensureImage(docker)).toEqual({ tag: imageTag(), built: false });
});

describe("Python", () => {
  test("it is 3.13, under both of its names", async () => {
    const { stdout } = await bash("python --version; python3 --version");
    expect(stdout).toMatch(/^Python 3\.13\.\d+\nPython 3\.13\.\d+\n$/);
  });

  test("every package imports, without a word on stderr", async () => {
    const modules = [
      ..."numpy pandas scipy.stats scipy.optimize matplotlib.pyplot sympy sklearn.linear_model PIL.Image".split(
        " ",
      ),
      ..."requests bs4 lxml.html openpyxl IPython numpy.testing pandas.testing sklearn.utils.estimator_checks".split(
        " ",
      ),
    ];
    const imports = modules.map((module) => `python -c 'import ${module}' || echo ${module}`);
    expect(await bash(imports.join("\n"))).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("what is installed is compiled, so that no start pays for it", async () => {
    const code = `
      import importlib.util, pathlib
      for root in ("/usr/lib/python3/dist-packages/pandas", "/usr/lib/python3.13/json", "/usr/lib/cove/coved"):
          for source in pathlib.Path(root).rglob("*.py"):
              if not pathlib.Path(importlib.util.cache_from_source(source)).exists():
                  print(source)`;
    expect(await python(code)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("linear algebra is OpenBLAS on one thread", async () => {
    const code = `
      import os, numpy
      a = numpy.random.rand(600, 600)
      a @ a
      print(len(os.listdir("/proc/self/task")), "openblas" in open("/proc/self/maps").read())`;
    expect((await python(code)).stdout).toBe("1 True\n");
  });

  test("matplotlib draws at once from the font cache of the image", async () => {
    const code = `
      import os, matplotlib, matplotlib.pyplot as plt
      from matplotlib import font_manager
      plt.plot([1, 2, 4])
      plt.title("größer", family="DejaVu Sans")
      plt.savefig("/tmp/figure.png")
      print(open("/tmp/figure.png", "rb").read(8), matplotlib.get_backend().lower(), os.listdir(matplotlib.get_cachedir()))`;
    expect(await python(code)).toEqual({ code: 0, stdout: "b'\\x89PNG\\r\\n\\x1a\\n' agg []\n", stderr: "" });
  });

  test("the backend can be chosen by environment", async () => {
    const { stdout } = await bash(
      `MPLBACKEND=svg python -c 'import matplotlib; print(matplotlib.get_backend())'`,
    );
    expect(stdout).toBe("svg\n");
  });

  test("time zones are known", async () => {
    const { stdout } = await bash(
      `python -c 'import pandas; print(pandas.Timestamp("2026-07-01", tz="Europe/Berlin").utcoffset())'`,
    );
    expect(stdout).toBe("2:00:00\n");
  });

  test("a virtual environment can be made and has pip", async () => {
    const { code, stdout } = await bash("python -m venv .venv && .venv/bin/pip --version");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("/workspace/.venv/") });
  });

  test("pip outside of one installs for the user and is not refused", async () => {
    const { code, stderr } = await bash(`
      mkdir hello && printf 'greeting = "hi"' > hello/hello.py
      printf '[project]\nname = "hello"\nversion = "1"' > hello/pyproject.toml
      pip install -q --no-build-isolation ./hello && python -c 'import hello; print(hello.__file__)'`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("tools can be imported, and only from its mount", async () => {
    const { stdout } = await bash(
      "readlink /usr/lib/python3/dist-packages/tools; cd /tmp && python -c 'import tools; print(tools.__path__)'",
    );
    expect(stdout).toMatch(/^\/tools\n.*dist-packages\/tools/);
  });
});

describe("the shell", () => {
  test("every program is there", async () => {
    const programs = "bash curl g++ gcc git jq make nc node npm npx patch pip ps rg unzip xz zip";
    const { stdout } = await bash(
      `for name in ${programs}; do command -v $name >/dev/null || echo $name; done`,
    );
    expect(stdout).toBe("");
    expect((await bash("ls /etc/ssl/certs/ca-certificates.crt; nc -h 2>&1 | head -1")).stdout).toMatch(
      /^\/etc\/ssl\/certs\/ca-certificates\.crt\nOpenBSD netcat/,
    );
  });

  test("a fresh one starts silently for a user nobody has heard of, in a workspace that is home", async () => {
    expect(await bash("cd && pwd && id -u && locale charmap && echo ä | wc -m")).toEqual({
      code: 0,
      stdout: "/workspace\n20123\nUTF-8\n2\n",
      stderr: "",
    });
  });

  test("C, C++ and Python extensions compile", async () => {
    expect(
      await bash(`
        printf '#include <iostream>\nint main() { std::cout << "built" << std::endl; }' > a.cpp && g++ a.cpp -o a && ./a
        printf '#include <Python.h>\nint main(void) { return 0; }' > b.c && gcc b.c $(python3-config --includes) -o b && ./b`),
    ).toEqual({ code: 0, stdout: "built\n", stderr: "" });
  });

  test("npm installs a package, for a project and for the user", async () => {
    const { code, stdout, stderr } = await bash(`
      mkdir dep app && cd dep && npm init -y >/dev/null && echo '#!/usr/bin/env node
      console.log("ran")' > cli.js && npm pkg set bin=cli.js && npm pack --silent >/dev/null
      cd ../app && npm init -y >/dev/null && npm install --silent ../dep/dep-1.0.0.tgz && npx dep
      npm install --silent -g ../dep/dep-1.0.0.tgz && command -v dep && dep`);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "ran\n/workspace/.local/bin/dep\nran\n",
      stderr: "",
    });
  });

  test("git makes a repository without advice", async () => {
    expect(await bash("git init -q repo && git -C repo branch --show-current")).toEqual({
      code: 0,
      stdout: "main\n",
      stderr: "",
    });
  });
});

describe("the file system", () => {
  test("no file is setuid or setgid, and none has capabilities", async () => {
    expect((await bash("find / -xdev -perm /6000 ! -type l 2>/dev/null")).stdout).toBe("");
    const code = `
      import os
      for root, _, names in os.walk("/usr"):
          for name in names:
              path = os.path.join(root, name)
              if "security.capability" in os.listxattr(path, follow_symlinks=False):
                  print(path)`;
    expect((await python(code)).stdout).toBe("");
  });

  test("apt verifies whom it talks to, whatever the build did", async () => {
    expect((await bash("apt-config dump | grep -i verify; grep -ri verify /etc/apt")).stdout).toBe("");
  });

  test("the links lead where coved and people expect them", async () => {
    const links = "/mnt/data /mnt/user-data/outputs /etc/passwd /etc/group";
    expect((await bash(`readlink ${links}`)).stdout.split("\n")).toEqual([
      "/workspace/outputs",
      "/workspace/outputs",
      "/run/cove/passwd",
      "/run/cove/group",
      "",
    ]);
  });

  test("what is written to the outputs under one name is read under the others", async () => {
    const { stdout } = await bash(
      "mkdir outputs && echo 1 > /mnt/data/a && cat /mnt/user-data/outputs/a outputs/a",
    );
    expect(stdout).toBe("1\n1\n");
  });

  test("the name of a user is what the tmpfs says", async () => {
    expect(
      (
        await bash(
          "echo coderunner:x:20123:20123::/workspace:/bin/bash > /run/cove/passwd && whoami && echo ~coderunner",
        )
      ).stdout,
    ).toBe("coderunner\n/workspace\n");
  });

  test("the mount points are there and empty", async () => {
    expect((await bash("ls -A /tools /skills /workspace")).stdout).toBe(
      "/skills:\n\n/tools:\n\n/workspace:\n",
    );
  });

  test("nothing but the mounted places can be written", async () => {
    const { stdout } = await bash("find / -xdev -writable ! -type l 2>/dev/null");
    expect(stdout.trim().split("\n").sort()).toEqual(["/run/cove", "/tmp", "/workspace"]);
  });

  test("no password, package list or leftover of the build stays behind", async () => {
    const { stdout } = await bash(
      "ls -A /var/lib/apt/lists /var/cache /var/tmp /root/.cache /etc/shadow 2>/dev/null; cat /etc/apt/sources.list.d/*.sources",
    );
    expect(stdout).toMatch(/Suites: trixie\n/);
    expect(stdout).not.toMatch(/@|roxy/);
  });
});

test("the daemon is what starts, isolated from anything a user could set", async () => {
  const { Config } = await docker.getImage(image).inspect();
  expect(Config.Entrypoint).toEqual([
    "/usr/bin/python3",
    "-I",
    "-S",
    "-E",
    "/usr/lib/cove/coved/__main__.py",
  ]);
  expect(Config.WorkingDir).toBe("/workspace");
  expect(Config.Env.join("\n")).not.toMatch(/proxy|PYTHONPATH/i);
});

async function python(code: string) {
  const dedented = code.replace(/^\n/, "").replace(/^ {6}/gm, "");
  return bash(`python - <<'END'\n${dedented}\nEND`);
}

async function bash(script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const streams = [new PassThrough(), new PassThrough()] as const;
  const output = Promise.all(streams.map((stream) => text(stream)));
  const [{ StatusCode }, container] = await docker.run(image, ["-c", script], [...streams], {
    Entrypoint: ["/bin/bash"],
    User: "20123:20123",
    Tty: false,
    Labels: { "cove-test": "image" },
    HostConfig: {
      ReadonlyRootfs: true,
      NetworkMode: "none",
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Tmpfs: {
        "/tmp": "exec,mode=1777",
        "/run/cove": "uid=20123,gid=20123,mode=0755",
        "/workspace": "exec,uid=20123,gid=20123,mode=0755",
      },
    },
  });
  await container.remove({ force: true });
  for (const stream of streams) stream.end();
  const [stdout = "", stderr = ""] = await output;
  return { code: StatusCode, stdout, stderr };
}
