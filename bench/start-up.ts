/**
 * How long a start takes, from the creation of the process to its first answer: `backlot start` with the built-in
 * fixtures and with a copy of them, which is checked as a user's own are, beside a bare node:http server, in turn.
 * Needs a build.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const rounds = 21;
const goal = 1.6;

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const bare = [pathOf("bare-server.mjs")];

function start(fixtures: string): readonly string[] {
  return [pathOf("../dist/bin/backlot.js"), "start", fixtures, "--port", "0", "--log", "json"];
}

function get(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: "Bearer local-token" };
    const request = http.get(`${url}/rest/products/1`, { headers, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject);
  });
}

/** Milliseconds until the first answer of a script. */
async function timeStart(script: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [...script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const status = await get(JSON.parse(String(line)).url);
    if (status !== 200) throw new Error(`The first answer has the status ${status}.`);
    return performance.now() - started;
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;
}

const builtIn = pathOf("../fixtures");
const own = mkdtempSync(join(tmpdir(), "backlot-start-up-"));
cpSync(builtIn, own, { recursive: true });

const scripts = { bare, builtIn: start(builtIn), own: start(own) };
const times: { bare: number; builtIn: number; own: number }[] = [];
try {
  for (let round = -1; round < rounds; round++) {
    const time = {
      bare: await timeStart(scripts.bare),
      builtIn: await timeStart(scripts.builtIn),
      own: await timeStart(scripts.own),
    };
    if (round >= 0) times.push(time);
  }
} finally {
  rmSync(own, { recursive: true, force: true });
}

const bareMs = median(times.map((time) => time.bare));
const builtInMs = median(times.map((time) => time.builtIn));
const ownMs = median(times.map((time) => time.own));
const ratio = median(times.map((time) => time.builtIn / time.bare));
const ownRatio = median(times.map((time) => time.own / time.bare));
console.log(`Start-up to first answer, median of ${rounds} rounds`);
console.log(`  bare node:http        ${bareMs.toFixed(0)} ms`);
console.log(
  `  backlot start         ${builtInMs.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (goal: at most ${goal})`,
);
console.log(
  `  with a user's folder  ${ownMs.toFixed(0)} ms, ratio ${ownRatio.toFixed(2)} (templates are checked too)`,
);
if (ratio > goal) process.exitCode = 1;
