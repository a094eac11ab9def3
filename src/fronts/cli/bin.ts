#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { endAtSignals } from "./end-at-signals.ts";
import { describeFailure, exitCodes, type Io } from "./io.ts";
import { processOutputs } from "./process-outputs.ts";
import { run } from "./run.ts";

/** How many milliseconds the process may take to flush its output after a command has ended. */
const lastWordsMs = 200;

/**
 * Whether all output goes to a file or nowhere, as under nohup. Node undoes the ignored SIGHUP of nohup, so only the
 * output tells that the process must outlive its terminal.
 */
function isDetached(): boolean {
  return [process.stdout, process.stderr].every(({ fd, isTTY }) => {
    // Without bigint, Node 20 and 22 take the next module behind a symbolic link for a file of its own, such as pg's.
    const kind = fstatSync(fd, { bigint: true });
    return kind.isFile() || (kind.isCharacterDevice() && !isTTY);
  });
}

/** Signals that end the process: Ctrl-C, a request of another program, and a closed terminal. */
const endings: readonly NodeJS.Signals[] = isDetached()
  ? ["SIGINT", "SIGTERM"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

if (process.pid === 1) endAtSignals(process, endings);

// Without a listener, the signal would end the process.
if (!endings.includes("SIGHUP")) process.on("SIGHUP", () => undefined);

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
