/**
 * How long a start takes, from the creation of the process to its first answer: `backlot start` with the built-in
 * fixtures beside a bare node:http server, in turn. Needs a build.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const rounds = 21;
const goal = 1.6;

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const bare = [pathOf("bare-server.mjs")];
const backlot = [
  pathOf("../dist/cli/bin.js"),
  "start",
  pathOf("../fixtures"),
  "--port",
  "0",
  "--log",
  "json",
];

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

const times: { bare: number; backlot: number }[] = [];
for (let round = -1; round < rounds; round++) {
  const pair = { bare: await timeStart(bare), backlot: await timeStart(backlot) };
  if (round >= 0) times.push(pair);
}

const bareMs = median(times.map((pair) => pair.bare));
const backlotMs = median(times.map((pair) => pair.backlot));
const ratio = median(times.map((pair) => pair.backlot / pair.bare));
console.log(`Start-up to first answer, median of ${rounds} pairs`);
console.log(`  bare node:http   ${bareMs.toFixed(0)} ms`);
console.log(`  backlot start    ${backlotMs.toFixed(0)} ms`);
console.log(`  ratio            ${ratio.toFixed(2)} (goal: at most ${goal})`);
if (ratio > goal) process.exitCode = 1;
