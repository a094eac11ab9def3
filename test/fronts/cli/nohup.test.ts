import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { written } from "./test-io.ts";

test.skipIf(process.platform === "win32")(
  "a server under nohup outlives its terminal, and SIGTERM ends it",
  async () => {
    const { path: cwd } = await temporaryFolder({ "db.json": { tables: { notes: [] } } });
    const file = join(cwd, "nohup.out");
    const output = openSync(file, "a");
    const args = [inject("command"), "start", "db.json", "--port", "0"];
    const child = spawn("nohup", [process.execPath, ...args], {
      cwd,
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const [, url = ""] = await written(() => readFileSync(file, "utf8"), /(http:\S+)\/__backlot/);
    child.kill("SIGHUP");
    expect((await fetch(`${url}/__backlot/health`)).status).toBe(200);
    child.kill("SIGHUP");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);
