import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { shellQuote } from "../../../src/fronts/cli/io.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { backlot, spawnExec } from "./exec-process.ts";
import { written } from "./test-io.ts";

const fixtures = {
  chats: [{ name: "endless", reply: { chunks: ["first", { wait: 600_000 }, "second"] } }],
};

/** Waits for signals, tells of each, and ends with 40 + their number half a second after the first. */
const patient = `
  let count = 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {
    console.log(name);
    count += 1;
    if (count === 1) setTimeout(() => process.exit(40 + count), 500);
  });
  setInterval(() => {}, 1000);
  console.log("waits, pid " + process.pid);
`;

const deaf = `
  process.on("SIGTERM", () => console.log("no"));
  setInterval(() => {}, 1000);
  console.log("waits, pid " + process.pid);
`;

/** Says where the server is, and ends with its input, which it tells. */
const reader = `
  console.log("at " + process.env.BACKLOT_URL + ".");
  process.stdin.on("data", (text) => console.log("read " + text));
  process.stdin.on("end", () => process.exit(5));
`;

function folderWith(script: string): Promise<TemporaryFolder> {
  return temporaryFolder({ "db.json": fixtures, "command.mjs": script });
}

function isRunning(pid: string | undefined): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
  "passes %s on once, and waits for the command",
  async (signal) => {
    const { path } = await folderWith(patient);
    const exec = spawnExec(["--", process.execPath, "command.mjs"], path);
    const [, pid] = await exec.written(/pid (\d+)/);
    exec.signal(signal);
    expect(await exec.exit).toBe(41);
    expect(exec.out()).toMatch(new RegExp(`^waits, .*\\n${signal}\\n$`));
    expect(isRunning(pid)).toBe(false);
    expect(exec.err()).toBe("");
  },
);

test("has the exit code of a signal that ends the command", async () => {
  const { path } = await folderWith('console.log("waits"); setInterval(() => {}, 1000);');
  const exec = spawnExec(["--", process.execPath, "command.mjs"], path);
  await exec.written(/waits/);
  exec.signal("SIGTERM");
  expect(await exec.exit).toBe(143);
});

test("kills a command that ignores SIGTERM, and says so", async () => {
  const { path } = await folderWith(deaf);
  const exec = spawnExec(["--", process.execPath, "command.mjs"], path);
  const [, pid] = await exec.written(/pid (\d+)/);
  exec.signal("SIGTERM");
  await exec.written(/no/);
  expect(await exec.exit).toBe(137);
  expect(isRunning(pid)).toBe(false);
  expect(exec.err()).toMatch(/^warning: the command is still running 5 s after SIGTERM\..*\n$/);
});

test("gives the command its input, and ends streams that others have open", async () => {
  const { path } = await folderWith(reader);
  const exec = spawnExec(["--", process.execPath, "command.mjs"], path);
  const [, url] = await exec.written(/at (\S+)\./);
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "" }] }),
  });
  const body = response.body?.getReader();
  await body?.read();
  exec.stdin.end("some words");
  await expect(body?.read()).rejects.toThrow("terminated");
  expect(await exec.exit).toBe(5);
  expect(exec.out()).toContain("read some words\n");
});

/** Runs a command in a terminal. Only the one of Linux is called as it is here. */
const inTerminal = "script";

function canMakeTerminal(): boolean {
  try {
    return execFileSync(inTerminal, ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

test.skipIf(!canMakeTerminal())(
  "leaves Ctrl-C to the terminal, which sends it to the command itself",
  async () => {
    const { path: cwd } = await folderWith(patient);
    // `exec`: a shell that stayed would take the key, too, and some end of it.
    const words = [
      "exec",
      ...[...backlot, "exec", "--", process.execPath, "command.mjs"].map(shellQuote),
    ];
    const terminal = spawn(inTerminal, ["-qec", words.join(" "), "/dev/null"], {
      cwd,
    });
    onTestFinished(() => void terminal.kill("SIGKILL"));
    let out = "";
    terminal.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    await written(() => out, /waits/);
    terminal.stdin.write("\u0003");
    const [code] = await once(terminal, "close");
    expect(code).toBe(41);
    expect(out.match(/SIGINT/g)).toHaveLength(1);
  },
);
