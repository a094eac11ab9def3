#!/usr/bin/env node
import { networkInterfaces } from "node:os";
import { describeFailure, exitCodes, type Io } from "./io.ts";
import { processOutputs } from "./process-outputs.ts";
import { run } from "./run.ts";

/** How many milliseconds the process may take to flush its output after a command ends. */
const lastWordsMs = 200;

/** Signals that end the process: Ctrl-C, a request of another program, and a closed terminal. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function untilStopped(spared = 0): Promise<void> {
  return new Promise((resolve) => {
    let left = spared;
    const stop = (): void => {
      resolve();
      left -= 1;
      if (left >= 0) return;
      for (const signal of endings) process.off(signal, stop);
    };
    for (const signal of endings) process.on(signal, stop);
  });
}

const io: Io = {
  ...processOutputs(process),
  env: process.env,
  cwd: process.cwd(),
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((all = []) => all.filter(({ internal, family }) => !internal && family === "IPv4"))
      .map(({ address }) => address),
  now: Date.now,
  untilStopped,
};

process.on("uncaughtException", (error) => {
  io.stderr.write(`${describeFailure(error)}\n`);
  process.exit(exitCodes.bug);
});

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), io);
  // The process normally ends by itself, so that a pipe gets all output. This timer ends it if something still keeps it
  // running.
  setTimeout(() => process.exit(), lastWordsMs).unref();
}

// Not awaited: the packed command is a CommonJS module.
void main();
