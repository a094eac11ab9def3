/** The server under load, in a process of its own, which measures itself when it is asked to. */
import { memoryUsage } from "node:process";
import { createEmulator } from "../../src/index.ts";
import { startServer } from "../../src/fronts/node/index.ts";
import { journalSize, maxSessions, soakFixtures, token } from "./fixtures.ts";

/** What the server tells of itself, once all garbage is collected. */
export interface Measurement {
  readonly heapUsed: number;
  readonly rss: number;
  /** What keeps the process alive, such as sockets and timers: how many of each kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Failures that are bugs: reported by the emulator, or caught by nobody. */
  readonly failures: readonly string[];
}

const failures: string[] = [];

function fail(error: unknown): void {
  failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function measure(): Measurement {
  if (globalThis.gc === undefined) throw new Error("The garbage collector is not exposed.");
  for (let time = 0; time < 2; time++) globalThis.gc();
  const { heapUsed, rss } = memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().toSorted()) {
    resources[kind] = (resources[kind] ?? 0) + 1;
  }
  return { heapUsed, rss, resources, failures: failures.splice(0) };
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

const emulator = await createEmulator({
  fixtures: soakFixtures(),
  seed: Number(process.argv[2]),
  token,
  maxSessions,
  journalSize,
  observer: { failed: fail },
});
const server = await startServer(emulator, { port: 0 });
process.on("message", () => process.send?.(measure()));
process.on("disconnect", () => process.exit());
process.send?.(server.port);
