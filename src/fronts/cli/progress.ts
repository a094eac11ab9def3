import { inNumber } from "../../core/errors/counted.ts";
import type {
  GenerationProgress,
  OnProgress,
} from "../../core/fixture-set/tables/generate-rows.ts";
import type { Io } from "./io.ts";

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

/** A bar at the bottom of a terminal. */
export interface ProgressBar {
  /** Shows how far it is, unless that was shown a moment ago. */
  readonly update: (progress: GenerationProgress) => void;
  /** Takes it away, so that what is written next finds an empty line. */
  readonly clear: () => void;
}

/** What takes less time shows no bar, and between two drawings at least this passes; in milliseconds. */
const quietMs = 400;
const redrawMs = 100;

const clearLine = "\r\u001B[K";

/** Whether there is a person who watches: no bar goes into a file, a pipe or the log of a build. */
export function canShowBar({ stderr, env }: Pick<Io, "stderr" | "env">): boolean {
  return stderr.isTerminal && env["TERM"] !== "dumb" && (env["CI"] ?? "") === "";
}

/** Makes a bar that is shown on stderr. */
export function progressBar({ stderr, now }: Pick<Io, "stderr" | "now">): ProgressBar {
  let table: string | undefined;
  let started = 0;
  let drawn = 0;
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write(clearLine);
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
      if (elapsed < quietMs || (isShown && time - drawn < redrawMs)) return;
      drawn = time;
      isShown = true;
      stderr.write(`${clearLine}${barText(progress, { elapsed, columns: stderr.columns ?? 80 })}`);
    },
  };
}

const longestName = 24;
const barWidth = { least: 10, most: 40 };

/** The text of a bar: as much of it as fits into one line. */
export function barText(
  { table, done, total }: GenerationProgress,
  { elapsed, columns }: { readonly elapsed: number; readonly columns: number },
): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const perSecond = elapsed === 0 ? 0 : (done / elapsed) * 1_000;
  const left = perSecond === 0 ? undefined : (total - done) / perSecond;
  const parts = [
    `${Math.floor(share * 100)} %`.padStart(5),
    `${groupDigits(done)} of ${groupDigits(total)} ${inNumber(total, "row")}`,
    `${groupDigits(Math.round(perSecond))}/s`,
    ...(left === undefined ? [] : [`${duration(left)} left`]),
  ];
  // The last column stays empty, since some terminals begin a new line after it.
  const most = columns - 1;
  const lines = parts.map((_, index) => parts.slice(0, parts.length - index).join("  "));
  const text = lines.find((line) => line.length <= most) ?? "";
  const name = printable(table).slice(0, longestName);
  const withName = name.length + 2 + text.length <= most ? `${name}  ${text}` : text;
  const room = Math.min(barWidth.most, most - withName.length - 4);
  return room < barWidth.least
    ? withName
    : `${withName.replace(text, "")}${barOf(share, room)} ${text}`;
}

function barOf(share: number, width: number): string {
  const full = Math.floor(share * width);
  const tip = full < width ? ">" : "";
  return `[${"=".repeat(full)}${tip}${" ".repeat(Math.max(0, width - full - 1))}]`;
}

/** A whole number with a comma after each three digits. */
export function groupDigits(value: number): string {
  return value.toLocaleString("en-US");
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`;
}

/** A name of a table must not move the cursor. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}
