import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject, onTestFinished, vi } from "vitest";
import type { PostgresPlace } from "./global-setup.ts";

/** Why there is no server. Undefined: there is one. */
export function missingServer(): string | undefined {
  const place = inject("postgres");
  return "missing" in place ? place.missing : undefined;
}

/** The address of the run's server, which is started by the first who asks. */
export async function serverUrl(): Promise<string> {
  const place = inject("postgres");
  if ("missing" in place) throw new Error(place.missing);
  const { folder } = place;
  const ready = join(folder, "ready");
  const isFirst = await mkdir(join(folder, "lock")).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await makeData(place, "data");
    await startServer(place, { data: "data", port: 5432 });
    await writeFile(ready, "");
  }
  await vi.waitUntil(() => existsSync(ready), { timeout: 30_000, interval: 20 });
  return urlOf(folder, 5432);
}

function urlOf(folder: string, port: number): string {
  return `postgres://backlot:secret@localhost:${port}/postgres?host=${folder}`;
}

type Place = Exclude<PostgresPlace, { readonly missing: string }>;

async function makeData({ programs, folder, owner }: Place, data: string): Promise<void> {
  const args = ["-D", join(folder, data), "-U", "backlot", "-A", "trust", "-E", "UTF8"];
  await promisify(execFile)(join(programs, "initdb"), [...args, "--locale=C", "--no-sync"], {
    ...owner,
    cwd: folder,
  });
}

async function startServer(
  { programs, folder, owner }: Place,
  { data, port }: { readonly data: string; readonly port: number },
): Promise<ChildProcess> {
  const log = openSync(join(folder, `${data}.log`), "a");
  const settings = {
    listen_addresses: "",
    unix_socket_directories: folder,
    port: String(port),
    fsync: "off",
    max_connections: "200",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", join(folder, data), ...args], {
    ...owner,
    cwd: folder,
    // It goes on when the worker that has started it is done.
    detached: true,
    stdio: ["ignore", log, log],
  });
  server.unref();
  await vi.waitUntil(
    async () => {
      const asked = spawn(join(programs, "pg_isready"), ["-h", folder, "-p", String(port)]);
      const [code] = await once(asked, "close");
      return code === 0;
    },
    { timeout: 30_000, interval: 30 },
  );
  return server;
}

/** A server of its own for a test that kills it. */
export interface OwnServer {
  readonly url: string;
  /** Without giving it time for anything. */
  readonly kill: () => Promise<void>;
  /** Starts it again. */
  readonly start: () => Promise<void>;
}

/** Starts a server for one test, at the end of which it is killed. */
export async function ownServer(): Promise<OwnServer> {
  const place = inject("postgres");
  if ("missing" in place) throw new Error(place.missing);
  const data = `own-${process.pid}`;
  const port = 5433;
  await makeData(place, data);
  let server = await startServer(place, { data, port });
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGQUIT");
    await ended;
  };
  onTestFinished(kill);
  return {
    url: urlOf(place.folder, port),
    kill,
    start: async () => {
      server = await startServer(place, { data, port });
    },
  };
}

let schemas = 0;

/** The address of a schema that nobody else has. */
export async function ownSchema(): Promise<string> {
  const url = await serverUrl();
  schemas += 1;
  return `${url}&schema=test_${process.pid}_${process.hrtime.bigint()}_${schemas}`;
}
