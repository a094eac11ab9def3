import { visibleText } from "../../core/errors/visible-text.ts";
import { inNumber } from "../../core/errors/show.ts";
import type {
  GenerationProgress,
  OnProgress,
} from "../../core/fixture-set/tables/generate-rows.ts";
import type { Io, Output } from "./io.ts";

/** Shows the progress of generating rows, or of loading many. */
export interface ProgressFollower {
  /** Rejects with `Stopped` when the user has stopped the command. */
  readonly onProgress: OnProgress;
  /** Removes the progress bar. */
  readonly clear: () => void;
}

/** Ends the generation of rows when the user stops it. The command catches it. */
export class Stopped extends Error {}

/** How long generating rows may block signals and timers, in milliseconds. */
const longestTurnMs = 50;

/** Shows a progress bar on a terminal, unless `hidden`, and lets signals and timers run in between. */
export function followProgress(
  io: Pick<Io, "stderr" | "env" | "now">,
  {
    hidden = false,
    stopped,
    signal,
  }: {
    readonly hidden?: boolean;
    readonly stopped?: Promise<void>;
    readonly signal?: AbortSignal | undefined;
  } = {},
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
    signal?.throwIfAborted();
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

/** Work that takes less than this many milliseconds shows no bar. A bar is drawn at most this often. */
const quietMs = 400;
const redrawMs = 100;

/** The command that clears the line of a terminal. */
function clearLine({ mark = "" }: Output): string {
  return `${mark}\r\u001B[K`;
}

/** Whether a person watches: a file, a pipe or a build log gets no bar. */
function canShowBar({ stderr, env }: Pick<Io, "stderr" | "env">): boolean {
  return stderr.isTerminal && env["TERM"] !== "dumb" && (env["CI"] ?? "") === "";
}

/** A bar at the bottom of a terminal. `clear` removes it, so that further output starts on an empty line. */
function progressBar({ stderr, now }: Pick<Io, "stderr" | "now">): {
  readonly update: (progress: GenerationProgress) => void;
  readonly clear: () => void;
} {
  let table: string | undefined;
  let started = 0;
  let drawn = 0;
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write(clearLine(stderr));
    isShown = false;
  };
  return {
    clear,
    update: (progress) => {
      const time = now();
      if (progress.table !== table) {
        clear();
        table = progress.table;
        started = time;
      }
      const elapsed = time - started;
      const isEarly = elapsed < quietMs && progress.blocks !== true;
      if (isEarly || (isShown && time - drawn < redrawMs)) return;
      drawn = time;
      isShown = true;
      // The last column stays empty, since some terminals start a new line after it.
      const text = barText(progress, elapsed).slice(0, (stderr.columns ?? 80) - 1);
      stderr.write(clearLine(stderr) + text);
    },
  };
}

const barWidth = 20;

/** The text of a bar. The most important part is first, since a narrow terminal cuts it. */
function barText({ table, done, total, unit }: GenerationProgress, elapsed: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = "=".repeat(Math.floor(share * barWidth)).padEnd(barWidth);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const amount = `${groupDigits(done)} of ${groupDigits(total)} ${unit ?? inNumber(total, "row")}`;
  const left =
    done === 0 ? "" : `  ${Math.ceil(((total - done) / done) * (elapsed / 1_000))} s left`;
  return `${visibleText(table)}  [${bar}] ${percent}  ${amount}${left}`;
}

/** A whole number with thousands separators. */
export function groupDigits(value: number): string {
  return value.toLocaleString("en-US");
}
