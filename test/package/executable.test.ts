import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isHere = process.platform === "linux" && process.arch === "x64";

/** Starts a program without Node and npm on the path and asks what it serves. Gives the answer's text. */
async function firstAnswer(program: string, folder: string, env: NodeJS.ProcessEnv) {
  const args = ["start", "--port", "0", "--log", "json", "--seed", "1"];
  const server = spawn(program, args, { cwd: folder, env: { ...env, PATH: "" } });
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    const { url } = JSON.parse(String(line));
    const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
    const page = await fetch(`${url}/rest/products?limit=1`, { headers });
    const chat = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { ...headers, authorization: "Bearer local-key" },
      body: JSON.stringify({
        model: "atlas-large",
        messages: [{ role: "user", content: "Hello" }],
      }),
    });
    return `${await page.text()} ${await chat.text()}`;
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

test.runIf(isHere)("the executable serves without Node and npm, and unpacks once", async () => {
  const folder = await temporaryFolder();
  const program = join(folder.path, "backlot");
  const args = [
    "run",
    "--silent",
    "build",
    "--",
    "executable",
    program,
    "--from",
    inject("installed"),
  ];
  const printed = execFileSync("npm", args, { cwd: root, encoding: "utf8" });
  expect(printed).toMatch(/: \d+ MB\. The first start took \d+ ms, the next \d+ ms\.\n$/);
  const home = join(folder.path, "home");
  for (const start of ["first", "second"]) {
    const said = await firstAnswer(program, folder.path, { HOME: home });
    expect(said, start).toContain("Assam Breakfast Tea");
    expect(said, start).toContain("welcome to the Paper Kettle");
  }
  const cached = [expect.stringMatching(/^[\da-f]{16}$/)];
  expect(readdirSync(join(home, ".cache/backlot"))).toEqual(cached);
  const said = await firstAnswer(program, folder.path, { HOME: "/dev/null", TMPDIR: folder.path });
  expect(said, "without a home").toContain("Assam Breakfast Tea");
});
