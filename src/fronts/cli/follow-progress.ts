import type { OnProgress } from "../../core/fixture-set/progress.ts";
import type { Io } from "./io.ts";
import { canShowBar, progressBar } from "./progress-bar.ts";

/** Follows how rows are made. */
export interface ProgressFollower {
  /** Rejects with `Stopped` once nobody waits for the rows any more. */
  readonly onProgress: OnProgress;
  /** Takes the bar away. */
  readonly clear: () => void;
}

/** The user wants the making of rows to end. Does not leave the command. */
export class Stopped extends Error {}

/** How long making rows may keep signals and timers waiting, in milliseconds. */
const longestTurnMs = 50;

/** Shows a bar on a terminal, unless `hidden`, and lets signals and timers have a turn in any case. */
export function followProgress(
  io: Pick<Io, "stderr" | "env" | "now">,
  { hidden = false, stopped }: { readonly hidden?: boolean; readonly stopped?: Promise<void> } = {},
): ProgressFollower {
  const bar = !hidden && canShowBar(io) ? progressBar(io) : undefined;
  let lastTurn = io.now();
  let isStopped = false;
  void stopped?.then(() => (isStopped = true));
  async function pause(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    lastTurn = io.now();
    if (isStopped) throw new Stopped();
  }
  return {
    onProgress: (progress) => {
      bar?.update(progress);
      return io.now() - lastTurn >= longestTurnMs ? pause() : undefined;
    },
    clear: () => bar?.clear(),
  };
}
