import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const size = "4m";

/** A folder on a disk of its own that can be full. Only root can make one; others get a folder that is never full. */
export class SmallDisk {
  readonly path: string;
  /** Whether it can be full. */
  readonly isSmall: boolean;
  readonly #ballast: string;

  private constructor(path: string, isSmall: boolean) {
    this.path = path;
    this.isSmall = isSmall;
    this.#ballast = join(path, ".ballast");
  }

  static async make(): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), "backlot-world-"));
    const mounts = ["-t", "tmpfs", "-o", `size=${size}`, "backlot-world", path];
    const isSmall = await run("mount", mounts).then(
      () => true,
      () => false,
    );
    return new SmallDisk(path, isSmall);
  }

  /** Leaves no room for another page. */
  async fill(): Promise<void> {
    if (!this.isSmall) return;
    const page = Buffer.alloc(4_096);
    try {
      for (;;) await writeFile(this.#ballast, page, { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }

  async free(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  async remove(): Promise<void> {
    if (this.isSmall) await run("umount", ["--lazy", this.path]);
    await rm(this.path, { recursive: true });
  }
}

const run = promisify(execFile);
