import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Core } from "../../../src/core/emulator/core.ts";
import type { EmulatorSettings } from "../../../src/core/emulator/options.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { ClusterCore } from "../../../src/fronts/node/cluster/cluster-core.ts";
import { servePeers } from "../../../src/fronts/node/cluster/peer-service.ts";
import { startServer } from "../../../src/fronts/node/server.ts";

/** Workers as `--workers` starts them, all in this process, each with a port of its own. */
export interface Cluster {
  /** One for each worker. */
  readonly urls: readonly string[];
  /** Their own cores, for a look inside. */
  readonly cores: readonly Core[];
  /** What failed that should not have. */
  readonly failures: readonly unknown[];
}

const fixtures = {
  tables: { notes: [{ id: 1, text: "of the fixtures" }] },
  chats: [{ name: "greeting", when: { user: "hello" }, reply: { content: "Hi there." } }],
};

/** Starts so many workers, which end with the test. */
export async function startCluster(
  workers: number,
  options: { readonly fixtures?: object; readonly settings?: EmulatorSettings } = {},
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "backlot-cluster-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const pathOf = (worker: number): string => join(folder, String(worker));
  const urls: string[] = [];
  const failures: unknown[] = [];
  const observer = { failed: (error: unknown): void => void failures.push(error) };
  const cores: Core[] = [];
  for (let index = 0; index < workers; index++) {
    const set = await readFixtureDocument({ ...fixtures, ...options.fixtures });
    const core = new Core(set, { auth: false, ...options.settings }, { observer });
    const clustered = new ClusterCore(core, { index, workers, generation: 1, pathOf });
    const peers = await servePeers(pathOf(index), {
      answer: (call, reach) => clustered.received(call, reach),
      run: (errand) => clustered.run(errand),
      report: (error) => clustered.report(error),
    });
    await clustered.join();
    const server = await startServer({ core: clustered }, { port: 0 });
    onTestFinished(async () => {
      await server.close();
      peers.close();
    });
    urls.push(server.url);
    cores.push(core);
  }
  return { urls, cores, failures };
}

/** Ids of sessions, one of each worker. */
export function sessionsOf(workers: number, owner: (id: string) => number): readonly string[] {
  const found = new Map<number, string>();
  for (let n = 0; found.size < workers; n++) {
    const worker = owner(`session-${n}`);
    if (!found.has(worker)) found.set(worker, `session-${n}`);
  }
  return Array.from({ length: workers }, (_, worker) => found.get(worker) ?? "");
}
