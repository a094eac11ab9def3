import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Keeper, KeeperKind, Restart, WorldServer } from "../../test/fuzz/world/real.ts";
import { BacklotProcess } from "./backlot-process.ts";
import { KeeperProcess } from "./keeper-process.ts";
import { SmallDisk } from "./small-disk.ts";

/** A reload comes within 10 s. They are counted in waits, since a machine may stand still for longer. */
const waits = 2_000;
const waitMs = 5;
/** A signal ends the process, whatever it is doing; in two seconds, on a machine that is not busy. */
const endsWithinMs = 20_000;

/** A built `backlot start` that watches its fixtures, exports when it ends, and can be made to. */
export class WorldProcess implements WorldServer {
  readonly bodyLimit = 10_000_000;
  readonly #command: string;
  readonly #disk: SmallDisk;
  readonly #cwd: string;
  #process: BacklotProcess;
  #reloads = 0;
  #failure: string | undefined;

  private constructor(command: string, disk: SmallDisk, process: BacklotProcess) {
    this.#command = command;
    this.#disk = disk;
    this.#cwd = disk.path;
    this.#process = process;
  }

  static async start(command: string, fixtures: object): Promise<WorldProcess> {
    const disk = await SmallDisk.make();
    const cwd = disk.path;
    await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures));
    return new WorldProcess(command, disk, await startIn(command, cwd));
  }

  get port(): number {
    return this.#process.port;
  }

  /** Whether its disk can be full, which takes root. */
  get canBeFull(): boolean {
    return this.#disk.isSmall;
  }

  readonly reload = async (fixtures: object): Promise<void> => {
    this.#readLog();
    // The seed makes the file another one where its rows are the same.
    await this.#write("next.json", { ...fixtures, seed: ++this.#reloads });
    await rename(join(this.#cwd, "next.json"), join(this.#cwd, "db.json"));
    for (let wait = 0; wait < waits; wait++) {
      if (this.#process.out.includes('{"event":"reload"')) return;
      await delay(waitMs);
    }
    throw new Error(`the fixtures are not loaded anew: ${this.#process.out.slice(-500)}`);
  };

  readonly restart = async (
    { signal, isFull }: Restart,
    settings: object,
  ): Promise<string | undefined> => {
    this.#readLog();
    const exported = join(this.#cwd, "after.json");
    const before = await readFile(exported, "utf8").catch(() => undefined);
    if (isFull) await this.#disk.fill();
    const { code, afterMs } = await this.#process.end(signal);
    const isKilled = signal === "SIGKILL";
    const wanted = isFull && this.#disk.isSmall ? 1 : 0;
    if (!isKilled && (code !== wanted || afterMs > endsWithinMs))
      throw new Error(
        `${signal} ends with ${code} after ${Math.round(afterMs)} ms: ${this.#process.err}`,
      );
    const after = await readFile(exported, "utf8").catch(() => undefined);
    if (wanted === 1 && after !== before) throw new Error("a full disk has changed the export");
    if (isFull) await this.#disk.free();
    const text = isKilled || isFull ? undefined : after;
    // An export has no settings.
    if (text !== undefined) await this.#write("db.json", { ...settings, ...JSON.parse(text) });
    this.#process = await startIn(this.#command, this.#cwd);
    return text;
  };

  readonly keeper = (kind: KeeperKind): Promise<Keeper> => KeeperProcess.start(this.#command, kind);

  readonly failure = (): string | undefined => {
    if (!this.#process.isRunning) return `the server is gone: ${this.#process.err}`;
    this.#readLog();
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  };

  /** Bytes of the heap and beside it, swept. */
  async heapInUse(): Promise<number> {
    const { heapUsed, external } = await this.#process.measure();
    return heapUsed + external;
  }

  async close(): Promise<void> {
    await this.#process.end("SIGKILL");
    await this.#disk.remove();
  }

  #write(name: string, fixtures: object): Promise<void> {
    return writeFile(join(this.#cwd, name), JSON.stringify(fixtures));
  }

  #readLog(): void {
    const [error] = /^\{"event":"error".*$/m.exec(this.#process.out) ?? [];
    if (error !== undefined) this.#failure = `a failure was reported: ${error}`;
    this.#process.forgetLog();
  }
}

function startIn(command: string, cwd: string): Promise<BacklotProcess> {
  const args = ["db.json", "--watch", "--export-on-exit", "after.json", "--max-sessions", "3"];
  return BacklotProcess.start({ command, args, cwd });
}
