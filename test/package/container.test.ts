import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { defaultPort } from "../../src/core/settings/settings.ts";
import { freePort } from "../../scripts/scale/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");

/** The instructions of the Dockerfile: each is a line. */
const steps = read("Dockerfile")
  .trim()
  .split("\n")
  .map((line) => {
    const [name = "", ...rest] = line.split(" ");
    return { name, rest: rest.join(" ") };
  });

function stepsOf(name: string): readonly string[] {
  return steps.filter((step) => step.name === name).map(({ rest }) => rest);
}

const compose = parse(read("compose.yaml")).services.backlot;

test("the Dockerfile has at most ten lines, all of instructions that these tests know", () => {
  expect(steps.length).toBeLessThanOrEqual(10);
  const known = ["FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "ENTRYPOINT"];
  expect(steps.filter(({ name }) => !known.includes(name))).toEqual([]);
  expect(new Set(stepsOf("FROM").map((image) => image.split(" ")[0]))).toEqual(
    new Set(["node:20-slim"]),
  );
});

test("the build gets what git has, and no packages or earlier builds", () => {
  const ignored = read(".dockerignore").trim().split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", "**/node_modules", "dist", ".tsbuild"]));
  for (const name of read(".gitignore").trim().split("\n")) {
    expect(ignored.map((each) => each.replace("**/", ""))).toContain(name.replace(/\/$/, ""));
  }
});

test("no file that people copy has a control token: compose.yaml takes it from the shell", () => {
  expect(compose.environment).toEqual(["BACKLOT_CONTROL_TOKEN"]);
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const copied = listed
    .split("\0")
    .filter((name) => /^(?:docs|examples|templates|fixtures)\/|^[^/]+$/.test(name))
    .filter((name) => /\.(?:md|ya?ml|json|ts|js|sh|py)$|^Dockerfile$/.test(name))
    .filter((name) => existsSync(join(root, name)));
  expect(copied).toEqual(expect.arrayContaining(["README.md", "compose.yaml", "docs/ci.md"]));
  const given =
    /(?:--control-token[ =]|CONTROL_TOKEN["']?\s*[:=]\s*["']?|controlToken: ["'])(?![<$"'`|]|\s)/;
  expect(copied.filter((name) => given.test(read(name)))).toEqual([]);
});

/** Does what the Dockerfile says in folders of a scratch one, in place of an image's. Gives the image's environment. */
function followSteps(scratch: string): { readonly env: NodeJS.ProcessEnv; readonly cwd: string } {
  const inScratch = (text: string): string =>
    text.replaceAll(/(^|\s)(\/(?:build|tmp|data))\b/g, `$1${scratch}$2`);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    npm_config_prefix: join(scratch, "global"),
    PATH: `${join(scratch, "global/bin")}:${process.env["PATH"]}`,
  };
  mkdirSync(join(scratch, "tmp"));
  let cwd = scratch;
  for (const { name, rest } of steps) {
    const line = inScratch(rest);
    // The gate has run both commands, in this checkout.
    if (rest === "cd /build && npm ci && npm pack") {
      cpSync(inject("tarball"), join(scratch, "build", basename(inject("tarball"))));
    } else if (name === "RUN") execFileSync("sh", ["-euc", line], { cwd, env, stdio: "pipe" });
    else if (name === "WORKDIR") mkdirSync((cwd = line), { recursive: true });
    else if (name === "ENV") env[line.split("=")[0] ?? ""] = line.split("=")[1];
    else if (rest === ". /build") copyCheckout(join(scratch, "build"));
    else if (name === "COPY") {
      const [, from = "", to = ""] = /^--from=build (.*)\/\S+ (.*)$/.exec(line) ?? [];
      const packed = readdirSync(from).filter((file) => /^backlot-.*\.tgz$/.test(file));
      expect(packed).toHaveLength(1);
      for (const file of packed) cpSync(join(from, file), join(to, file));
    }
  }
  return { env, cwd };
}

/** What the build gets of this checkout. */
function copyCheckout(to: string): void {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  for (const file of listed.split("\0").filter((name) => existsSync(join(root, name)))) {
    if (file !== "") cpSync(join(root, file), join(to, file));
  }
}

test("the steps of the Dockerfile make a server that compose.yaml can reach and judge", async () => {
  const { path } = await temporaryFolder();
  const { env, cwd } = followSteps(path);
  const [mounted = "", port = ""] = [compose.volumes[0], compose.ports[0]];
  expect(mounted).toBe("./fixtures:/data/fixtures:ro");
  expect(port).toBe(`127.0.0.1:${defaultPort}:${defaultPort}`);
  cpSync(join(root, "fixtures"), join(cwd, "fixtures"), { recursive: true });
  const [program] = JSON.parse(stepsOf("ENTRYPOINT")[0] ?? "[]");
  const free = String(await freePort());
  const server = spawn(program, ["--port", free], {
    cwd,
    env: { ...env, BACKLOT_CONTROL_TOKEN: "t" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [said] = await once(server.stdout, "data");
    expect(String(said)).toContain("Backlot");
    const [how, ...check] = compose.healthcheck.test;
    expect(how).toBe("CMD");
    const [node, ...args] = check.map((part: string) => part.replace(String(defaultPort), free));
    execFileSync(node, args, { stdio: "pipe" });
  } finally {
    server.kill();
    await once(server, "exit");
  }
  // `npm ci` and a build, which take long while other tests run.
}, 600_000);
