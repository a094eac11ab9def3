import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BacklotProcess } from "./backlot-process.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";

const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** The exit code of what was stopped by hand. */
const stopped = 130;

interface StageOptions {
  readonly seed: number;
  readonly runs: readonly string[];
  readonly tell: (what: string) => void;
}

/** Runs a scenario, and takes away what it leaves: processes, folders, mounts. */
export async function runOnStage(
  scenario: Scenario,
  { seed, runs, tell }: StageOptions,
): Promise<readonly Figure[]> {
  const tidies: (() => unknown)[] = [];
  const atEnd: Stage["atEnd"] = (tidy) => void tidies.unshift(tidy);
  const stage: Stage = {
    seed,
    tell,
    runs,
    atEnd,
    start: async (options) => {
      const server = await BacklotProcess.start({ runs, ...options });
      atEnd(() => server.end("SIGKILL"));
      return server;
    },
    folder: async () => {
      const path = await mkdtemp(join(tmpdir(), "backlot-load-"));
      atEnd(() => rm(path, { recursive: true, force: true }));
      return path;
    },
  };
  const tidyUp = async (): Promise<void> => {
    for (const tidy of tidies.splice(0)) await tidy();
  };
  const stop = (): void => {
    void tidyUp().finally(() => process.exit(stopped));
  };
  for (const signal of endings) process.once(signal, stop);
  try {
    return await scenario.run(stage);
  } finally {
    for (const signal of endings) process.off(signal, stop);
    await tidyUp();
  }
}
