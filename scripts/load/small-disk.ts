import { spawnSync } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Stage } from "./scenario.ts";

/** A disk of a megabyte that can be filled, and made read-only. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no byte of it. */
  readonly fill: () => void;
  readonly free: () => void;
  readonly forbidWrites: () => void;
  readonly allowWrites: () => void;
}

/** Mounts a disk in memory. Undefined where that is not allowed: it takes root on Linux. */
export async function smallDisk({ folder, atEnd }: Stage): Promise<SmallDisk | undefined> {
  const path = await folder();
  if (!run("mount", "-t", "tmpfs", "-o", "size=1m", "backlot-load", path)) return undefined;
  atEnd(() => run("umount", path));
  const filler = join(path, "filler");
  return {
    path,
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    forbidWrites: () => run("mount", "-o", "remount,ro", path),
    allowWrites: () => run("mount", "-o", "remount,rw", path),
  };
}

function run(command: string, ...args: string[]): boolean {
  const { status, error } = spawnSync(command, args, { stdio: "ignore" });
  return error === undefined && status === 0;
}

function fill(path: string): void {
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}
