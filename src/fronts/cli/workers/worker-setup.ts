import { join } from "node:path";
import type { Io } from "../io.ts";
import type { Ready } from "../log.ts";

/** What a worker is told when it starts. */
export interface WorkerSetup {
  /** From 0. */
  readonly index: number;
  readonly workers: number;
  /** How often there has been a worker in this place, from 1. */
  readonly generation: number;
  /** Where the workers listen for each other. */
  readonly folder: string;
  /** Whether what it prints comes to a terminal in the end. */
  readonly isTerminal: boolean;
}

/** What a worker tells once it serves. */
export interface WorkerReady {
  readonly kind: "ready";
  readonly port: number;
  readonly ready: Ready;
}

const variable = "BACKLOT_WORKER";

/** The environment of a worker. */
export function workerEnvironment(setup: WorkerSetup): Record<string, string> {
  return { [variable]: JSON.stringify(setup) };
}

/** Undefined: this is no worker. */
export function readWorkerSetup(env: Io["env"]): WorkerSetup | undefined {
  const text = env[variable];
  return text === undefined ? undefined : JSON.parse(text);
}

/** Where a worker listens for the others. */
export function peerPath(folder: string, index: number): string {
  if (process.platform !== "win32") return join(folder, `${index}.sock`);
  return `\\\\.\\pipe\\${folder.replaceAll(/[\\/:]/g, "-")}-${index}`;
}
