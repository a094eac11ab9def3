import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Where tests may have a server of their own, or why they cannot. */
export type PostgresPlace =
  | {
      /** Those of Debian's package. */
      readonly programs: string;
      /** For data, socket and log. */
      readonly folder: string;
      /** Whom the server runs as, where this is root. */
      readonly owner: { readonly uid: number; readonly gid: number } | undefined;
    }
  | { readonly missing: string };

declare module "vitest" {
  interface ProvidedContext {
    postgres: PostgresPlace;
  }
}

/** Says where a server may be, which the first test that needs one starts, and ends it when all are over. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const place = await findPlace();
  project.provide("postgres", place);
  // oxlint-disable-next-line no-console
  if ("missing" in place) console.warn(`Tables in PostgreSQL are not tested: ${place.missing}.`);
  return async () => {
    if ("missing" in place) return;
    const pidFile = join(place.folder, "data", "postmaster.pid");
    if (existsSync(pidFile)) {
      const [pid] = readFileSync(pidFile, "utf8").split("\n");
      // At once: nobody needs its data any more.
      process.kill(Number(pid), "SIGQUIT");
    }
    await rm(place.folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

const packageFolder = "/usr/lib/postgresql";

async function findPlace(): Promise<PostgresPlace> {
  const versions = existsSync(packageFolder) ? readdirSync(packageFolder) : [];
  const programs = versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(packageFolder, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
  if (programs === undefined) {
    return { missing: `there is no PostgreSQL in ${packageFolder}: apt-get install postgresql` };
  }
  const folder = await mkdtemp(join(tmpdir(), "backlot-postgres-"));
  if (process.getuid?.() !== 0) return { programs, folder, owner: undefined };
  const owner = ownerOf("postgres") ?? ownerOf("nobody");
  if (owner === undefined)
    return { missing: "root cannot run a server, and there is no other user" };
  await chown(folder, owner.uid, owner.gid);
  return { programs, folder, owner };
}

function ownerOf(user: string): { readonly uid: number; readonly gid: number } | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
